"""What differs between a result and the first one besides the words: ratios and conditions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tf_claims.compare.conditions import Difference, differences
from tf_claims.compare.movement import LEVEL, Movement, RatioEstimate, movement
from tf_claims.compare.runs import Key, Run
from tf_claims.statistics.family import holm


class RatioPair(NamedTuple):
    """A ratio that both have. ``holds_family_wise``: it moved also when all ratios are tested together (Holm)."""

    key: Key
    quantity: str
    first: RatioEstimate
    second: RatioEstimate
    movement: Movement
    holds_family_wise: bool


class Changes(NamedTuple):
    """``ratios`` leaves out those of scenarios whose sizes differ: :attr:`other_sizes`."""

    ratios: list[RatioPair]
    other_sizes: list[str]
    conditions: list[Difference]

    @property
    def moved_ratios(self) -> list[RatioPair]:
        """The surest first."""
        moved = [pair for pair in self.ratios if pair.movement.moved]
        return sorted(moved, key=lambda pair: pair.movement.p_value)

    @property
    def expected_by_chance(self) -> float:
        """How many ratios would seem to have moved if none had; this holds though claims share variants."""
        return LEVEL * len(self.ratios)


def compare(first: Run, second: Run) -> Changes:
    """``second`` against ``first``."""
    found = list(differences(first.observations, second.observations))
    other_sizes = sorted({each.about for each in found if each.condition.startswith("size ")})
    return Changes(ratios=_ratios(first, second, other_sizes), other_sizes=other_sizes, conditions=found)


def _ratios(first: Run, second: Run, other_sizes: Iterable[str]) -> list[RatioPair]:
    shared = [name for name in first.ratios if name in second.ratios and name[0][0] not in other_sizes]
    movements = [movement(first.ratios[name], second.ratios[name]) for name in shared]
    adjusted = holm([each.p_value for each in movements])
    return [
        RatioPair(key, quantity, first.ratios[key, quantity], second.ratios[key, quantity], moved, p_value <= LEVEL)
        for (key, quantity), moved, p_value in zip(shared, movements, adjusted, strict=True)
    ]
