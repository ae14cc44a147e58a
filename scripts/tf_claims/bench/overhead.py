"""What measuring costs beside the measured processes: the elapsed time of a run's blocks over the processes' own."""

from __future__ import annotations

import time
from typing import NamedTuple

from tf_claims.bench.checkout import copied_checkout, set_blocks, snakemake
from tf_claims.model.observation import read_observations

WORKFLOW = ["--profile", "profiles/local", "--nolock", "--config", "preset=quick"]


class Overhead(NamedTuple):
    """Seconds, and their ratio."""

    elapsed: float
    processes: float

    @property
    def ratio(self) -> float:
        """Measuring over bare running."""
        return self.elapsed / self.processes

    def __str__(self) -> str:
        return f"{self.ratio:.3f} ({self.elapsed:.0f} s elapsed, {self.processes:.0f} s in the variants' processes)"


def overhead(env: str) -> Overhead:
    """Two blocks of every scenario of the quick preset in one environment; images and data are there before."""
    narrowed = [*WORKFLOW, f"environments={env}"]
    with copied_checkout() as checkout:
        set_blocks(checkout, 2)
        snakemake(*narrowed, "--until", "build_image", "fetch_data", "count_cooccurrences", cwd=checkout)
        start = time.perf_counter()
        snakemake(*narrowed, "--until", "measure_block", cwd=checkout)
        elapsed = time.perf_counter() - start
        files = checkout.glob("results/quick/observations/*/*/*.jsonl")
        return Overhead(elapsed, sum(each.cost.wall_s for file in files for each in read_observations(file)))
