"""Means over blocks with their confidence intervals: Student's, and by resampling blocks as a check beside it.

Times are compared on the log scale, where noise adds up to something near to normal and a ratio and its inverse are
treated alike; the mean of logarithms is the geometric mean (Kalibera & Jones, "Rigorous Benchmarking in Reasonable
Time", 2013, section 9, on ratios and intervals over independent repetitions).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

Floats = NDArray[np.float64]

SEED = 1
RESAMPLES = 2000
MOST_DRAWS = 30_000_000  # 240 MB of weights; with very many blocks there are fewer resamples


class Estimate(NamedTuple):
    """A statistic over blocks.

    ``low`` and ``high`` are Student's interval, ``resampled_low`` and ``resampled_high`` the bootstrap percentiles;
    None with fewer than two blocks. ``value`` is None where it is not defined in every block.
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


def mean_over_blocks(values: Floats, confidence: float = 0.95) -> Estimate:
    """The arithmetic mean of one value a block.

    The interval is mean ± t(1 - α/2, k - 1) s / √k for k blocks; without any variance it is a point.
    """
    blocks = len(values)
    if blocks == 0 or not np.isfinite(values).all():
        return Estimate(None, None, None, None, None, blocks)
    mean = float(np.mean(values))
    if blocks == 1:
        return Estimate(mean, None, None, None, None, 1)
    tail = (1 - confidence) / 2
    half = float(student.ppf(1 - tail, blocks - 1) * np.std(values, ddof=1) / np.sqrt(blocks))
    resampled = mean + _weights(blocks) @ (values - mean)
    low, high = np.quantile(resampled, [tail, 1 - tail])
    return Estimate(mean, mean - half, mean + half, float(low), float(high), blocks)


def geometric_mean_over_blocks(values: Floats, confidence: float = 0.95) -> Estimate:
    """The geometric mean of one positive value a block, its intervals made on the log scale.

    Not defined (``value`` None) where a block's value is zero.
    """
    with np.errstate(divide="ignore"):
        logs = mean_over_blocks(np.log(values), confidence)
    value, low, high, resampled_low, resampled_high = (None if end is None else math.exp(end) for end in logs[:5])
    return Estimate(value, low, high, resampled_low, resampled_high, logs.blocks)


@lru_cache(maxsize=2)
def _weights(blocks: int) -> Floats:
    """Resamples of blocks, with replacement: how often each is drawn, divided by the number drawn; (resamples, blocks).

    (Efron & Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13: percentile intervals.)
    """
    resamples = max(200, min(RESAMPLES, MOST_DRAWS // blocks))
    chance = np.random.default_rng(SEED)
    weights = np.empty((resamples, blocks))
    for row in weights:
        row[:] = np.bincount(chance.integers(0, blocks, blocks), minlength=blocks)
    return weights / blocks
