"""Whether a ratio moved from one result to another by more than the uncertainty of both.

Rule: the two results are independent, so the difference of the logarithms of a ratio has the sum of their variances;
the ratio moved where the 95 % interval of that difference excludes 0. Each variance is recovered from the width of the
result's own 95 % interval (Altman & Bland, "Interaction revisited: the difference between two estimates", BMJ 326,
2003), with Student's instead of the normal quantile, since blocks are few. Two intervals may overlap although the
ratio moved: overlap is the weaker rule (Schenker & Gentleman, The American Statistician 55, 2001).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from scipy.stats import t as student

from tf_claims.model.digits import DIGITS

LEVEL = 0.05
ROUNDING = 10.0 ** (1 - DIGITS)  # relative; what does not vary at all, such as a count, has moved only by more


class RatioEstimate(NamedTuple):
    """A ratio with its 95 % interval, from blocks on so many types of machine."""

    value: float
    low: float
    high: float
    blocks: int
    node_types: int = 1

    @property
    def freedom(self) -> int:
        """Degrees of freedom of its interval."""
        return self.blocks - self.node_types

    @property
    def variance(self) -> float:
        """Of the mean of logarithms, whose Student interval it is, and at least that of writing it to a file."""
        error = math.log(self.high / self.low) / 2 / float(student.ppf(0.975, self.freedom))
        return max(error, ROUNDING) ** 2


class Movement(NamedTuple):
    """The factor from the first to the second, its 95 % interval, and the p-value of there being none."""

    factor: float
    low: float
    high: float
    p_value: float

    @property
    def moved(self) -> bool:
        """Whether the 95 % interval excludes no change."""
        return self.p_value <= LEVEL


def movement(first: RatioEstimate, second: RatioEstimate) -> Movement:
    """How a positive ratio changed."""
    difference = math.log(second.value / first.value)
    error, freedom = _error_of_difference(first, second)
    half = float(student.ppf(0.975, freedom)) * error
    p_value = 2 * float(student.sf(abs(difference) / error, freedom))
    return Movement(math.exp(difference), math.exp(difference - half), math.exp(difference + half), p_value)


def _error_of_difference(first: RatioEstimate, second: RatioEstimate) -> tuple[float, float]:
    """The standard error of the difference of both logarithms, and its degrees of freedom.

    (Welch, "The generalization of 'Student's' problem when several different population variances are involved",
    Biometrika 34, 1947, with the degrees of freedom of Satterthwaite.)
    """
    total = first.variance + second.variance
    return math.sqrt(total), total**2 / sum(each.variance**2 / each.freedom for each in (first, second))
