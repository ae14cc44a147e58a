"""What a second `make reproduce` costs, and planning many blocks, against a bare Snakemake."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tf_claims.bench.checkout import copied_checkout, environment, set_blocks
from tf_claims.bench.interleaved import Comparison, compare
from tf_claims.host.gpu import why_not
from tf_claims.model.study import plan_study

BARE = """
rule all:
    input:
        [f"out/{{n}}" for n in range({jobs})],
rule make:
    output:
        "out/{{n}}",
    shell:
        "touch {{output}}"
"""


def seconds(command: list[str], cwd: Path) -> float:
    """How long a command takes; one that fails ends the bench."""
    start = time.perf_counter()
    done = subprocess.run(command, cwd=cwd, env=environment(), capture_output=True, text=True)
    took = time.perf_counter() - start
    if done.returncode:
        sys.exit(f"bench: {' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return took


def no_op(preset: str = "smoke", pairs: int = 5) -> Comparison:
    """`make reproduce` with nothing to do, against Snakemake on an empty Snakefile. Runs the preset first."""
    reproduce = ["make", "--no-print-directory", "reproduce", f"PRESET={preset}"]
    seconds(reproduce, Path())
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "Snakefile").write_text("")
        bare = [sys.executable, "-m", "snakemake", "--cores", "1"]
        return compare(lambda: seconds(reproduce, Path()), lambda: seconds(bare, Path(name)), pairs)


def planning(jobs: int, pairs: int) -> Comparison:
    """`snakemake -n` for about ``jobs`` blocks against a bare Snakefile with the same number of jobs."""
    cells = len(plan_study("quick", why_not).running)
    with copied_checkout() as checkout, tempfile.TemporaryDirectory() as name:
        set_blocks(checkout, jobs // cells)
        (Path(name) / "Snakefile").write_text(BARE.format(jobs=jobs))
        dry = [sys.executable, "-m", "snakemake", "--dry-run", "--quiet", "all"]
        ours = [*dry, "--profile", "profiles/local", "--config", "preset=quick"]
        return compare(lambda: seconds(ours, checkout), lambda: seconds([*dry, "--cores", "1"], Path(name)), pairs)
