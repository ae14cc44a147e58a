"""How the analysis copes with very many observations."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tf_claims.bench.checkout import environment, tf_claims
from tf_claims.bench.synthetic_observations import write_observations
from tf_claims.host.gpu import why_not
from tf_claims.model.results import Results
from tf_claims.model.study import plan_study, write_study

OBSERVATIONS = 1_000_000


class Scale(NamedTuple):
    """Elapsed seconds from files to verdicts, and the largest memory of a process tree (GiB)."""

    seconds: float
    memory: float

    def __str__(self) -> str:
        return f"{self.seconds:.0f} s, {self.memory:.2f} GiB"


def million_observations() -> Scale:
    """A million made-up observations of the quick preset, from their files to the verdicts."""
    with tempfile.TemporaryDirectory(prefix="tf-claims-bench.") as folder:
        write_observations(Path(folder), observations=OBSERVATIONS)
        results = Results(Path(folder))
        write_study(plan_study("quick", why_not, ["*-cpu"], ["linear_regression"]), results.study)
        start = time.perf_counter()
        memory = max(
            _peak(
                *("tabulate", "--output", str(results.observations), "--csv", str(results.observations_csv)),
                *("--files-from", f"{folder}/files.txt"),
            ),
            _peak("judge", "--results", folder),
        )
        return Scale(time.perf_counter() - start, memory)


def run_command(*arguments: str, cwd: Path = Path()) -> None:
    """Run a command of the checkout at ``cwd``; an error of its own ends the bench."""
    subprocess.run(tf_claims(*arguments), env=environment(), cwd=cwd, check=True, stdout=subprocess.DEVNULL)


def _peak(command: str, *arguments: str) -> float:
    """Run a command; the memory (GiB) that it and its children had together when they had most."""
    process = subprocess.Popen(tf_claims(command, *arguments), env=environment())
    most = 0.0
    while process.poll() is None:
        most = max(most, _tree_memory(process.pid))
        time.sleep(0.1)
    if process.returncode:
        sys.exit(f"bench: tf-claims {command} failed")
    return most


def _tree_memory(pid: int) -> float:
    """Resident memory (GiB) of a process and its children; what they share is counted once (PSS)."""
    total = 0
    for each in [pid, *_children(pid)]:
        try:
            found = re.search(r"^Pss: +(\d+) kB", Path(f"/proc/{each}/smaps_rollup").read_text(), re.MULTILINE)
        except (FileNotFoundError, ProcessLookupError):
            continue
        total += int(found[1]) if found else 0
    return total / 2**20


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []
