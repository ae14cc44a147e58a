"""A fixed NumPy-only work load: how fast this machine is just now.

Its parts are what the scenarios lean on: calls on small arrays, memory bandwidth, and BLAS. It compares blocks of one
environment; between environments the NumPy versions differ too.
"""

import json
import os
import time
from typing import Dict, List, NamedTuple, Optional

from runner import conditions, process
from runner.errors import WRONG_PLACE, Refusal

REPEATS = 10
TIMEOUT_S = 300


class Speed(NamedTuple):
    """Seconds of the work load, the best of several, and the CPU's frequency at its end (None: unknown)."""

    seconds: float
    mhz: Optional[float]


def measure(environment: Dict[str, str]) -> Speed:
    """The work load in a fresh process.

    :raises Refusal: where even this process fails.
    """
    ended = process.run("--calibrate", {}, environment, TIMEOUT_S)
    if ended.code != 0:
        problem = ended.output.split("\n")[-1] or "exit code {}".format(ended.code)
        raise Refusal("the calibration failed, so nothing can be measured here: {}".format(problem), WRONG_PLACE)
    return Speed(**ended.events[0])


def main(arguments: List[str]) -> int:
    """Time the fixed work load, and print the seconds."""
    task = json.loads(arguments[1])
    process.die_with_parent(task)
    seconds = min(_seconds() for _ in range(REPEATS))
    process.report(task, seconds=seconds, mhz=conditions.mhz(os.sched_getaffinity(0)))  # while the CPUs are still warm
    return 0


def _seconds() -> float:
    import numpy as np  # here, since the runner itself stays small: its size would count in its children's peak memory

    small, large = np.linspace(0.0, 1.0, 1000), np.linspace(0.0, 1.0, 1000000)
    square = np.linspace(0.0, 1.0, 90000).reshape(300, 300)
    start = time.perf_counter()
    for _ in range(5000):
        np.sum(-small * (small - 0.5))
    for _ in range(10):
        large = large * 0.5 + 0.25
    for _ in range(20):
        square = np.dot(square, square)
        square /= square.max()
    return time.perf_counter() - start
