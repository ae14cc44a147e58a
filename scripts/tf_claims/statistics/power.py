"""How likely a number of blocks is to decide something, seen from blocks that are recorded already.

The power of a test at the effect and the spread that were found (Cohen, Statistical Power Analysis for the Behavioral
Sciences, 2nd ed. 1988, chapter 1), by simulation, so that it is right for any rule of decision. It takes both as if
they were known: from three or four blocks it is a rough number.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from tf_claims.statistics.intervals import Floats

RUNS = 100  # a chance of a half is off by 0.05 (one standard error)
SEED = 20191030


def power(recorded: Floats, blocks: int, decided: Callable[[Floats], bool], on_log_scale: bool) -> float:
    """The share of simulated experiments of so many ``blocks`` that are ``decided``.

    Their blocks are normal, on the log scale where that is asked for, with the mean and the covariance of the recorded
    ones: each is their mean plus a random mixture of their deviations from it.

    :param recorded: (blocks, columns), two blocks at least; positive on the log scale
    :param decided: of the values of a simulated experiment, (``blocks``, columns)
    """
    chance = np.random.default_rng(SEED)
    values = np.log(recorded) if on_log_scale else recorded
    mean = np.mean(values, axis=0)
    deviations = (values - mean) / math.sqrt(len(values) - 1)
    runs = RUNS if deviations.any() else 1  # without any spread all are alike
    hits = 0
    for _ in range(runs):
        drawn = mean + chance.standard_normal((blocks, len(values))) @ deviations
        hits += decided(np.exp(drawn) if on_log_scale else drawn)
    return hits / runs
