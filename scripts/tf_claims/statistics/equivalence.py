"""Whether two variants differ by less than a margin: two one-sided tests."""

from __future__ import annotations

from typing import NamedTuple

from tf_claims.statistics.intervals import Average, Estimate, Floats, Strata, mean_over_blocks
from tf_claims.statistics.ratio import ratio


class Equivalence(NamedTuple):
    """The difference or ratio of two variants with its 95 % and 90 % intervals, and the margin's two ends."""

    estimate: Estimate
    tests: Estimate
    margin: tuple[float, float]


def equivalence(
    of: Floats,
    to: Floats,
    margin: float,
    relative: bool,
    strata: Strata = None,
    average: Average = mean_over_blocks,
) -> Equivalence:
    """Two one-sided tests at 5 %: the 90 % interval lies inside the margin where both reject.

    A relative margin of 0.10 allows ratios from 1/1.10 to 1.10, symmetric on the log scale; an absolute one allows
    differences from -margin to margin (Schuirmann, J. Pharmacokinet. Biopharm. 15, 1987).
    """
    ends = margin_ends(margin, relative)
    if relative:
        whole, tests = (ratio(of, to, confidence, strata, average) for confidence in (0.95, 0.90))
        return Equivalence(whole, tests, ends)
    whole, tests = (average(of - to, confidence, strata) for confidence in (0.95, 0.90))
    return Equivalence(whole, tests, ends)


def margin_ends(margin: float, relative: bool) -> tuple[float, float]:
    """The smallest and the largest ratio, or difference, that a margin allows."""
    return (1 / (1 + margin), 1 + margin) if relative else (-margin, margin)
