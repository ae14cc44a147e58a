"""How the analysis copes with very many observations."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

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
        run_python("tests/bench/synthetic_observations.py", folder, "--observations", str(OBSERVATIONS))
        table = f"{folder}/observations.parquet"
        start = time.perf_counter()
        memory = max(
            _peak(
                "tf_claims.cells.tidy",
                "--output",
                table,
                "--csv",
                f"{folder}/o.csv",
                "--files-from",
                f"{folder}/files.txt",
            ),
            _peak(
                *(
                    "tf_claims.verdicts.judge",
                    "--preset",
                    "quick",
                    "--scenarios",
                    "linear_regression",
                    "--observations",
                    table,
                ),
                *("--output", f"{folder}/verdicts.json", "--estimates", f"{folder}/estimates.csv"),
            ),
        )
        return Scale(time.perf_counter() - start, memory)


def run_python(*arguments: str, cwd: Path = Path()) -> None:
    """Run a script or a module of the checkout at ``cwd``; an error of its own ends the bench."""
    variables = os.environ | {"PYTHONPATH": "scripts:tests/unit"}
    subprocess.run([sys.executable, *arguments], env=variables, cwd=cwd, check=True, stdout=subprocess.DEVNULL)


def _peak(module: str, *arguments: str) -> float:
    """Run a module; the memory (GiB) that it and its children had together when they had most."""
    process = subprocess.Popen([sys.executable, "-m", module, *arguments])
    most = 0.0
    while process.poll() is None:
        most = max(most, _tree_memory(process.pid))
        time.sleep(0.1)
    if process.returncode:
        sys.exit(f"bench: {module} failed")
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
