"""What each of several factors does to a change, and what they do only together, from a full factorial experiment."""

from __future__ import annotations

from functools import partial
from itertools import combinations, permutations, product
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

Corner = tuple[bool, ...]  # for each factor: whether it is at its level "after"


SMALL = 1 / 3  # an interaction of at most this part of the whole change, on the log scale, is small


class Attribution(NamedTuple):
    """``total`` is after / before with all factors changed; ``effects`` and ``interactions`` are factors of it.

    The effects multiply to the whole in every block. ``weights`` say how much of all that the factors do is one
    factor's, in the direction of the whole change: -1 to 1; ``weights_by_block`` is (factors, blocks). ``shares`` of
    the whole add up to 1; they are None where they would mislead, see :func:`attribute`.
    """

    total: Estimate
    effects: list[Estimate]
    weights: list[Estimate]
    weights_by_block: Floats
    interactions: dict[tuple[int, ...], Estimate]
    shares: list[float] | None


def corners(factors: int) -> list[Corner]:
    """The order of the columns that :func:`attribute` takes; the first is "before", the last "after"."""
    return list(product((False, True), repeat=factors))


def attribute(
    measured: Floats, factors: int, strata: Strata = None, average: Average = mean_over_blocks
) -> Attribution:
    """The decomposition of log(after / before), block by block.

    A factor's effect is the change that it makes, averaged over the orders in which the factors can be changed one
    after the other (Shapley 1953); with two factors that is the main effect of the 2² factorial. So the effects add up
    to the whole, and what two factors do only together is halved between them. Interactions are the contrasts of the
    2^k factorial (Box, Hunter & Hunter, Statistics for Experimenters, chapter 5).

    The weight of a factor is its effect over the sum of the sizes of all effects, with the sign of the whole change. A
    part of the whole itself grows without limit where the effects oppose each other: of x10 and /9 the first would be
    2185 % of the x1.11 that is left. The weight is then 0.51; where no effect opposes the whole, it is that part.

    Shares of the whole are given where all lie in 0 to 1 and every interaction is small: its interval inside a third
    of the whole change to both sides. What a factor does alone, or where the others are changed already, is then no
    further from its average than the third that the word about a cause hangs on.

    :param measured: the metric, positive, (blocks, 2^factors), columns as :func:`corners` gives them
    :param strata: the type of machine of each block
    :param average: of the logarithms, and of the weights
    """
    mean = partial(geometric_mean_over_blocks, strata=strata, average=average)
    logs = dict(zip(corners(factors), np.log(measured).T, strict=True))
    total = logs[(True,) * factors] - logs[(False,) * factors]
    effects = np.array([_effect(logs, factor, factors) for factor in range(factors)])
    sizes = np.sum(np.abs(effects), axis=0)
    weights = np.sign(total.mean()) * np.divide(effects, sizes, out=np.zeros_like(effects), where=sizes > 0)
    interactions = {
        chosen: mean(np.exp(_contrast(logs, chosen, factors)))
        for size in range(2, factors + 1)
        for chosen in combinations(range(factors), size)
    }
    return Attribution(
        mean(np.exp(total)),
        [mean(np.exp(effect)) for effect in effects],
        [average(weight, strata=strata) for weight in weights],
        weights,
        interactions,
        _shares(effects.mean(axis=1), list(interactions.values())),
    )


def _shares(effects: Floats, interactions: list[Estimate]) -> list[float] | None:
    """Of the mean ``effects`` (logarithms) in the whole; None where they would mislead."""
    total = float(np.sum(effects))
    inside = total != 0 and bool(np.all(effects / total >= 0))
    limit = SMALL * abs(total)
    small = all(
        each.interval is not None and all(abs(np.log(end)) <= limit for end in each.interval) for each in interactions
    )
    return (effects / total).tolist() if inside and small else None


def _effect(logs: dict[Corner, Floats], factor: int, factors: int) -> Floats:
    changes = []
    for order in permutations(range(factors)):
        earlier = set(order[: order.index(factor)])
        before = tuple(each in earlier for each in range(factors))
        after = tuple(each in earlier or each == factor for each in range(factors))
        changes.append(logs[after] - logs[before])
    return np.mean(changes, axis=0)  # type: ignore[no-any-return]


def _contrast(logs: dict[Corner, Floats], chosen: tuple[int, ...], factors: int) -> Floats:
    signed = [values * np.prod([1 if corner[factor] else -1 for factor in chosen]) for corner, values in logs.items()]
    return np.sum(signed, axis=0) / 2 ** (factors - 1)  # type: ignore[no-any-return]
