"""Why Slurm ended a job, out of what its executor plugin and Slurm itself say about it."""

from __future__ import annotations

import re
from pathlib import Path

STATE = re.compile(r"SLURM-job '(?P<job>\S+)' failed.*?status is: '(?P<state>[A-Z_]+)", re.DOTALL)
REFUSED = re.compile(r"sbatch failed\. The error message was '(?P<why>.*?)'\.\n", re.DOTALL)
WORDS = re.compile(r"^slurmstepd\S*: error: (?P<words>.*)$", re.MULTILINE)
REMEDIES = {
    "TIMEOUT": "raise runtime in the profile, or lower the preset's sizes",
    "OUT_OF_MEMORY": "raise mem_mb in the profile",
}


def why_it_ended(message: str, log: Path | None) -> str | None:
    """One line: the job's number, its state, Slurm's own words and what helps; None where it is not about Slurm.

    :param message: what the executor plugin reports about the failed job.
    :param log: what the job printed, where it got so far.
    """
    if refused := REFUSED.search(message):
        return "Slurm refused the job: " + re.sub(r"\s*\n\s*", "; ", refused["why"].strip())
    found = STATE.search(message)
    if not found:
        return None
    printed = log.read_text(errors="replace") if log and log.is_file() else ""
    said = [words.strip("* ") for words in WORDS.findall(printed)]
    # Of a job and its steps, the job's own line says it best.
    own = [words for words in said if words.startswith("JOB ")] or said[-1:]
    remedy = REMEDIES.get(found["state"])
    return ": ".join([f"Slurm: job {found['job']} ended as {found['state']}", *own[:1]]) + (
        f" ({remedy})" if remedy else ""
    )
