"""Means over blocks with their confidence intervals: Student's, and by resampling blocks as a check beside it.

Times are compared on the log scale, where noise adds up to something near to normal and a ratio and its inverse are
treated alike; the mean of logarithms is the geometric mean (Kalibera & Jones, "Rigorous Benchmarking in Reasonable
Time", 2013, section 9, on ratios and intervals over independent repetitions).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

Floats = NDArray[np.float64]
Strata = Sequence[str] | None

SEED = 1
RESAMPLES = 2000
MOST_DRAWS = 30_000_000  # 240 MB of weights; with very many blocks there are fewer resamples


class Estimate(NamedTuple):
    """A statistic over blocks.

    ``low`` and ``high`` are Student's interval, ``resampled_low`` and ``resampled_high`` the bootstrap percentiles;
    None with fewer than two blocks (on one type of machine). ``value`` is None where it is not defined in every block.
    """

    value: float | None
    low: float | None
    high: float | None
    resampled_low: float | None
    resampled_high: float | None
    blocks: int

    @property
    def interval(self) -> tuple[float, float] | None:
        return None if self.low is None or self.high is None else (self.low, self.high)


class Mean(NamedTuple):
    """A mean over blocks, the standard deviation ``spread`` of one block about it, and the residuals.

    ``spread`` has ``freedom`` degrees (NaN for none); ``residuals`` are by type of machine.
    """

    value: float
    spread: float
    freedom: int
    residuals: list[Floats]


def mean_and_spread(values: Floats, strata: Strata = None) -> Mean:
    """The arithmetic mean of one value a block and their standard deviation.

    Where the blocks come from machines of several types, these are strata with weights in proportion to their blocks,
    so that the mean stays that of all blocks, and the variance is the one inside strata, pooled: the sum of squared
    residuals over blocks less strata (Cochran, Sampling Techniques, 3rd ed. 1977, chapter 5).

    :param strata: the type of machine of each value; None for one type
    """
    types = sorted(set(strata or []))
    groups = [values[np.asarray(strata) == each] for each in types] if len(types) > 1 else [values]
    residuals = [group - np.mean(group) for group in groups]
    freedom = len(values) - len(groups)
    squares = float(np.sum(np.concatenate(residuals) ** 2))
    spread = math.sqrt(squares / freedom) if freedom > 0 else math.nan
    return Mean(float(np.mean(values)), spread, freedom, residuals)


def mean_over_blocks(values: Floats, confidence: float = 0.95, strata: Strata = None) -> Estimate:
    """The arithmetic mean of one value a block.

    The interval is mean ± t(1 - α/2, f) s / √k for k blocks, where the spread s of :func:`mean_and_spread` has f
    degrees of freedom (k - 1 on one type of machine); without any variance it is a point.
    """
    blocks = len(values)
    if blocks == 0 or not np.isfinite(values).all():
        return Estimate(None, None, None, None, None, blocks)
    mean, spread, freedom, residuals = mean_and_spread(values, strata)
    if freedom == 0:
        return Estimate(mean, None, None, None, None, blocks)
    tail = (1 - confidence) / 2
    half = float(student.ppf(1 - tail, freedom) * spread / np.sqrt(blocks))
    parts = [
        len(each) / blocks * (_weights(len(each), SEED + stratum) @ each) for stratum, each in enumerate(residuals)
    ]
    low, high = np.quantile(mean + sum(parts), [tail, 1 - tail])
    return Estimate(mean, mean - half, mean + half, float(low), float(high), blocks)


def geometric_mean_over_blocks(values: Floats, confidence: float = 0.95, strata: Strata = None) -> Estimate:
    """The geometric mean of one positive value a block, its intervals made on the log scale.

    Not defined (``value`` None) where a block's value is zero.
    """
    with np.errstate(divide="ignore"):
        logs = mean_over_blocks(np.log(values), confidence, strata)
    value, low, high, resampled_low, resampled_high = (None if end is None else math.exp(end) for end in logs[:5])
    return Estimate(value, low, high, resampled_low, resampled_high, logs.blocks)


@lru_cache(maxsize=4)
def _weights(blocks: int, seed: int) -> Floats:
    """Resamples of blocks, with replacement: how often each is drawn, divided by the number drawn; (resamples, blocks).

    (Efron & Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13: percentile intervals.)
    """
    resamples = max(200, min(RESAMPLES, MOST_DRAWS // blocks))
    chance = np.random.default_rng(seed)
    weights = np.empty((resamples, blocks))
    for row in weights:
        row[:] = np.bincount(chance.integers(0, blocks, blocks), minlength=blocks)
    return weights / blocks
