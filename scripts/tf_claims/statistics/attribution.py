"""How much of a change each of several causes explains, from a full factorial experiment."""

from __future__ import annotations

from functools import partial
from itertools import combinations, permutations, product
from typing import NamedTuple

import numpy as np

from tf_claims.statistics.intervals import Estimate, Floats, Strata, geometric_mean_over_blocks, mean_over_blocks

Corner = tuple[bool, ...]  # for each factor: whether it is at its level "after"


class Attribution(NamedTuple):
    """``total`` is after / before with all factors changed; ``effects`` and ``interactions`` are factors of it.

    ``shares`` add up to 1 in every block.
    """

    total: Estimate
    shares: list[Estimate]
    effects: list[Estimate]
    interactions: dict[tuple[int, ...], Estimate]


def corners(factors: int) -> list[Corner]:
    """The order of the columns that :func:`attribute` takes; the first is "before", the last "after"."""
    return list(product((False, True), repeat=factors))


def attribute(measured: Floats, factors: int, strata: Strata = None) -> Attribution:
    """The decomposition of log(after / before), block by block.

    A factor's effect is the change that it makes, averaged over the orders in which the factors can be changed one
    after the other (Shapley 1953); with two factors that is the main effect of the 2² factorial. So the effects add up
    to the whole. Interactions are the contrasts of the 2^k factorial (Box, Hunter & Hunter, Statistics for
    Experimenters, chapter 5).

    :param measured: the metric, positive, (blocks, 2^factors), columns as :func:`corners` gives them
    :param strata: the type of machine of each block
    """
    mean = partial(geometric_mean_over_blocks, strata=strata)
    logs = dict(zip(corners(factors), np.log(measured).T, strict=True))
    total = logs[(True,) * factors] - logs[(False,) * factors]
    effects = [_effect(logs, factor, factors) for factor in range(factors)]
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = [mean_over_blocks(effect / total, strata=strata) for effect in effects]
    interactions = {
        chosen: mean(np.exp(_contrast(logs, chosen, factors)))
        for size in range(2, factors + 1)
        for chosen in combinations(range(factors), size)
    }
    back = [mean(np.exp(effect)) for effect in effects]
    return Attribution(mean(np.exp(total)), shares, back, interactions)


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
