"""``make bench``: how good the pipeline itself is, each figure a ratio inside this run."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from tf_claims.bench.fidelity import fidelity
from tf_claims.bench.overhead import overhead
from tf_claims.bench.scale import million_observations
from tf_claims.bench.starts import no_op, planning
from tf_claims.bench.study_size import study_of

TF1, TF2 = "tf1.15-cpu", "tf2.21-cpu"
MEASURES: tuple[tuple[str, str, Callable[[], object]], ...] = (
    ("second `make reproduce` / start of a bare Snakemake", "2", no_op),
    ("planning 120 blocks / bare Snakefile", "1.3", lambda: planning(120, pairs=3)),
    ("planning 1,200 blocks / bare Snakefile", "1.3", lambda: planning(1_200, pairs=2)),
    ("planning 12,000 blocks / bare Snakefile", "1.3", lambda: planning(12_000, pairs=2)),
    ("study of 100 blocks", "-", lambda: study_of(100)),
    ("study of 1,000 blocks", "10 times that", lambda: study_of(1_000)),
    ("study of 10,000 blocks", "100 times that", lambda: study_of(10_000)),
    ("1,000,000 observations to verdicts", "30 s, 2 GiB", million_observations),
    ("fidelity, Session.run, " + TF1, "0.98 to 1.02", lambda: fidelity("tensorflow_session", TF1)),
    ("fidelity, Session.run, " + TF2, "0.98 to 1.02", lambda: fidelity("tensorflow_session", TF2)),
    ("fidelity, NumPy, " + TF1, "0.98 to 1.02", lambda: fidelity("numpy_loop", TF1)),
    ("overhead of measuring, " + TF1, "1.10", lambda: overhead(TF1)),
    ("overhead of measuring, " + TF2, "1.10", lambda: overhead(TF2)),
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Nothing can be chosen."""


def execute(options: argparse.Namespace) -> None:
    """Print each figure beside its goal as soon as it is known."""
    for name, goal, measure in MEASURES:
        print(f"{name} (goal {goal}): ", end="", flush=True)
        print(measure(), flush=True)
