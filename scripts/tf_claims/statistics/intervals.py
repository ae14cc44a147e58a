"""Means over blocks with their confidence intervals: Student's, on the log scale for times.

Times are compared on the log scale, where noise adds up to something near to normal and a ratio and its inverse are
treated alike; the mean of logarithms is the geometric mean (Kalibera & Jones, "Rigorous Benchmarking in Reasonable
Time", 2013, section 9, on ratios and intervals over independent repetitions).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, stdtrit

Floats = NDArray[np.float64]
Strata = Sequence[str] | None

CONFIDENCE = 0.95


class Estimate(NamedTuple):
    """A statistic over blocks with its Student interval.

    ``low`` and ``high`` are None with fewer than two blocks (on one type of machine), ``value`` where it is not defined
    in every block.
    """

    value: float | None
    low: float | None
    high: float | None
    blocks: int

    @property
    def interval(self) -> tuple[float, float] | None:
        """Both ends; None where there is none."""
        return None if self.low is None or self.high is None else (self.low, self.high)


class Mean(NamedTuple):
    """A mean over blocks, and the standard deviation ``spread`` of one block about it with its degrees of freedom.

    ``spread`` is NaN where ``freedom`` is 0.
    """

    value: float
    spread: float
    freedom: int


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
    return Mean(float(np.mean(values)), spread, freedom)


def mean_over_blocks(values: Floats, confidence: float = CONFIDENCE, strata: Strata = None) -> Estimate:
    """The arithmetic mean of one value a block.

    The interval is mean ± t(1 - α/2, f) s / √k for k blocks, where the spread s of :func:`mean_and_spread` has f
    degrees of freedom (k - 1 on one type of machine); without any variance it is a point.
    """
    blocks = len(values)
    if blocks == 0 or not np.isfinite(values).all():
        return Estimate(None, None, None, blocks)
    mean, spread, freedom = mean_and_spread(values, strata)
    if freedom == 0:
        return Estimate(mean, None, None, blocks)
    half = quantile(freedom, (1 + confidence) / 2) * spread / math.sqrt(blocks)
    return Estimate(mean, mean - half, mean + half, blocks)


def quantile(freedom: float, probability: float) -> float:
    """Of Student's distribution."""
    return float(stdtrit(freedom, probability))


def median_over_blocks(values: Floats, confidence: float = CONFIDENCE, strata: Strata = None) -> Estimate:
    """The median of one value a block, with the interval between the r-th smallest value and the r-th largest.

    r is the largest for which the sign test keeps the confidence, whatever the distribution (Conover, Practical
    Nonparametric Statistics, 3rd ed. 1999, section 3.2). Of fewer values than that needs, six at 95 %, it is the whole
    range: five hold the median in 94 % of all cases, three in 75 %.

    :param strata: not looked at
    """
    blocks = len(values)
    if blocks == 0 or not np.isfinite(values).all():
        return Estimate(None, None, None, blocks)
    ranked = np.sort(values)
    if blocks == 1:
        return Estimate(float(ranked[0]), None, None, blocks)
    beyond = bdtr(np.arange(blocks // 2), blocks, 0.5)  # that the median lies below the (r + 1)-th smallest
    rank = max(0, int(np.sum(beyond <= (1 - confidence) / 2)) - 1)
    return Estimate(float(np.median(ranked)), float(ranked[rank]), float(ranked[-1 - rank]), blocks)


class Average(Protocol):
    """How the values of the blocks are summed up: :func:`mean_over_blocks` or :func:`median_over_blocks`."""

    def __call__(self, values: Floats, confidence: float = CONFIDENCE, strata: Strata = None) -> Estimate:
        """One value a block, finite; ``strata`` has the type of machine of each."""


def geometric_mean_over_blocks(
    values: Floats, confidence: float = CONFIDENCE, strata: Strata = None, average: Average = mean_over_blocks
) -> Estimate:
    """The geometric mean of one positive value a block, its intervals made on the log scale.

    Not defined (``value`` None) where a block's value is zero.

    :param average: of the logarithms
    """
    with np.errstate(divide="ignore"):
        logs = average(np.log(values), confidence, strata)
    value, low, high = (None if end is None else math.exp(end) for end in logs[:3])
    return Estimate(value, low, high, logs.blocks)
