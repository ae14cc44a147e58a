"""All simulations, each cell kept in a file as soon as it is there, so that a stopped run goes on where it was."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from tf_claims.model.files import Strict, check, write_whole
from tf_claims.validate.fixed_blocks import BLOCKS, SimulatedCell, simulate_cell
from tf_claims.validate.noise import KINDS
from tf_claims.validate.sequential import RULES, SPREADS, SequentialCell, simulate_rule

RUNS = 4000  # of each cell: a rate of 5 % is then known to 0.7 %

# What the results depend on: where one of these changes, all is simulated again.
PACKAGE = Path(__file__).parents[1]
CODE = [
    *sorted((PACKAGE / "statistics").glob("*.py")),
    *sorted((PACKAGE / "estimands").glob("*.py")),
    PACKAGE / "verdicts" / "several_states.py",
    *(PACKAGE / "validate" / f"{name}.py" for name in ("noise", "fixed_blocks", "sequential")),
]
Kept = TypeVar("Kept", bound=Strict)


class Simulated(NamedTuple):
    """The cells with a fixed number of blocks, and those in which blocks are added."""

    fixed: list[SimulatedCell]
    sequential: list[SequentialCell]


def simulate(folder: Path, runs: int = RUNS) -> Simulated:
    """Each kind of noise with each number of blocks, and each rule with each spread; the same numbers every time.

    What ``folder`` already holds from the same code and number of ``runs`` is not simulated again.
    """
    kept = folder / _key(runs)
    total = len(BLOCKS) * len(KINDS) + len(RULES) * len(SPREADS)
    fixed: list[SimulatedCell] = []
    sequential: list[SequentialCell] = []
    for blocks in BLOCKS:
        for place, noise in enumerate(KINDS):
            say(f"simulating {len(fixed) + 1} of {total}: {blocks} blocks, {noise.name}")
            seed = np.random.default_rng([blocks, place])
            path = kept / f"{blocks}-blocks-noise-{place}.json"
            fixed.append(_kept(path, SimulatedCell, partial(simulate_cell, noise, blocks, runs, seed)))
    for least, most in RULES:
        for place, spread in enumerate(SPREADS):
            done = len(fixed) + len(sequential)
            say(f"simulating {done + 1} of {total}: {least} to {most} blocks, spread {spread:g}")
            seed = np.random.default_rng([least, most, place])
            path = kept / f"{least}-to-{most}-blocks-spread-{place}.json"
            sequential.append(_kept(path, SequentialCell, partial(simulate_rule, least, most, spread, runs, seed)))
    return Simulated(fixed, sequential)


def _kept(path: Path, model: type[Kept], make: Callable[[], Kept]) -> Kept:
    if path.exists():
        return check(path, model, json.loads(path.read_text()))
    made = make()
    write_whole(path, made.model_dump_json(indent=1) + "\n")
    return made


def _key(runs: int) -> str:
    content = b"".join(path.read_bytes() for path in CODE) + str(runs).encode()
    return hashlib.sha256(content).hexdigest()[:12]


def say(text: str) -> None:
    """To a person who waits."""
    print(text, file=sys.stderr, flush=True)
