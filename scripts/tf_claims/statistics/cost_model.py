"""What a repetition costs as the problem grows: a fixed part, a part per point, and where two programs are equal."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from tf_claims.statistics.intervals import (
    Average,
    Estimate,
    Floats,
    Strata,
    geometric_mean_over_blocks,
    mean_over_blocks,
)

FEWEST_SIZES = 3  # two sizes fit every pair of costs: nothing would be left to see that the model is wrong


class Costs(NamedTuple):
    """Cost of a repetition a + b·size, one entry a block (seconds, seconds per point)."""

    fixed: Floats
    per_point: Floats


class Comparison(NamedTuple):
    """Two cost models in the same blocks.

    ``fixed_ratio`` and ``per_point_ratio`` are a_of / a_to and b_of / b_to; ``fall`` is the first over the second: how
    many times the ratio of the two costs falls from the smallest sizes to the largest. ``half`` is a_of / b_of, the
    size at which half of what ``of`` costs is fixed (n½ of Hockney & Jesshope, Parallel Computers 2, 1988, section
    1.3); ``halves`` and ``per_point_ratios`` have an entry a block. ``crossover`` is the size at which both cost the
    same; it is None where the lines do not cross at a positive size in every block (``crossing`` of them cross).
    """

    of_fixed: Estimate
    of_per_point: Estimate
    to_fixed: Estimate
    to_per_point: Estimate
    fixed_ratio: Estimate
    per_point_ratio: Estimate
    fall: Estimate
    half: Estimate
    halves: Floats
    per_point_ratios: Floats
    crossover: Estimate | None
    crossing: int
    misfit: float


def fit(sizes: Floats, times: Floats) -> Costs:
    """a, b >= 0 that minimise the squared relative error Σ((a + b·size)/time - 1)² in each block.

    Relative, so that the shortest time counts as much as the longest; non-negative least squares (Lawson & Hanson,
    Solving Least Squares Problems, 1974, chapter 23).

    :param sizes: (k,)
    :param times: of one repetition (seconds), (blocks, k)
    """
    from scipy.optimize import nnls  # it takes longer to import than all else that a claim is read with

    # The two columns differ by many powers of ten: each is scaled by its largest entry.
    scales = np.array([1.0, 1 / sizes.max()])
    design = np.column_stack([np.ones_like(sizes), sizes]) * scales
    costs = [nnls(design / each[:, None], np.ones_like(sizes))[0] * scales for each in times]
    fixed, per_point = np.array(costs).reshape(-1, 2).T
    return Costs(fixed, per_point)


def compare(
    sizes: Floats, of: Floats, to: Floats, strata: Strata = None, average: Average = mean_over_blocks
) -> Comparison:
    """The cost models of two programs and how they relate.

    :param sizes: (k,), k >= 3
    :param of: times of one repetition (seconds), (blocks, k); ``to`` likewise, of the same blocks
    :param strata: the type of machine of each block
    """
    of_costs, to_costs = fit(sizes, of), fit(sizes, to)
    with np.errstate(divide="ignore", invalid="ignore"):
        fixed_ratio = of_costs.fixed / to_costs.fixed
        per_point_ratio = of_costs.per_point / to_costs.per_point
        crossover = (of_costs.fixed - to_costs.fixed) / (to_costs.per_point - of_costs.per_point)
        fall = fixed_ratio / per_point_ratio
        halves = of_costs.fixed / of_costs.per_point
    crosses = np.isfinite(crossover) & (crossover > 0)
    mean = partial(geometric_mean_over_blocks, strata=strata, average=average)
    return Comparison(
        of_fixed=mean(of_costs.fixed),
        of_per_point=mean(of_costs.per_point),
        to_fixed=mean(to_costs.fixed),
        to_per_point=mean(to_costs.per_point),
        fixed_ratio=mean(fixed_ratio),
        per_point_ratio=mean(per_point_ratio),
        fall=mean(fall),
        half=mean(halves),
        halves=halves,
        per_point_ratios=per_point_ratio,
        crossover=mean(crossover) if crosses.all() and len(crosses) else None,
        crossing=int(crosses.sum()),
        misfit=max(_misfit(sizes, of, of_costs), _misfit(sizes, to, to_costs)),
    )


def _misfit(sizes: Floats, times: Floats, costs: Costs) -> float:
    """The largest factor, less 1, by which the typical fitted time misses the typical measured one at some size."""
    if not len(times):
        return 0.0
    fitted = costs.fixed[:, None] + costs.per_point[:, None] * sizes
    return float(np.expm1(np.abs(np.mean(np.log(fitted / times), axis=0)).max()))
