"""How surprising what was measured would be if a word were wrong: Student's one-sided tests that a mean passes a limit.

A result that does not vary between blocks, such as a count, has no test: nothing about it is left to chance.
"""

from __future__ import annotations

import numpy as np
from scipy.special import stdtr

from tf_claims.statistics.intervals import Floats, Strata, mean_and_spread

ROUNDING = 1e-12  # equal values differ by less, as parts of their size, after a logarithm and a mean


def above(values: Floats, limit: float, strata: Strata = None) -> float | None:
    """The p-value of the one-sided test that the mean of ``values``, one a block, exceeds ``limit``.

    None where the values do not vary.
    """
    mean, spread, freedom = mean_and_spread(values, strata)
    if spread <= ROUNDING * float(np.max(np.abs(values))):
        return None
    return float(stdtr(freedom, -(mean - limit) / spread * np.sqrt(len(values))))


def below(values: Floats, limit: float, strata: Strata = None) -> float | None:
    """The same for a mean that is less than ``limit``."""
    return above(-values, -limit, strata)


def inside(values: Floats, limits: tuple[float, float], strata: Strata = None) -> float | None:
    """Two one-sided tests that the mean lies between two limits: the larger p-value (Schuirmann 1987)."""
    low, high = above(values, limits[0], strata), below(values, limits[1], strata)
    return None if low is None or high is None else max(low, high)


def outside(values: Floats, limits: tuple[float, float], strata: Strata = None) -> float | None:
    """That the mean lies beyond one of two limits: the smaller p-value of the two tests."""
    low, high = below(values, limits[0], strata), above(values, limits[1], strata)
    return None if low is None or high is None else min(low, high)


def two_sided(p_value: float | None) -> float | None:
    """Of a one-sided test at half the level: at most 0.05 where a 95 % interval excludes the limit."""
    return None if p_value is None else min(1.0, 2 * p_value)
