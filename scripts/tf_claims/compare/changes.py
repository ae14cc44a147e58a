"""What differs between two results: verdicts, ratios, conditions, and what only one of them has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tf_claims.compare.conditions import Difference, differences
from tf_claims.compare.movement import LEVEL, Movement, RatioEstimate, movement
from tf_claims.compare.runs import Judged, Key, Run
from tf_claims.statistics.family import holm


class VerdictPair(NamedTuple):
    """A claim in an environment that both results judge."""

    first: Judged
    second: Judged

    @property
    def changed(self) -> bool:
        """Whether the words differ."""
        return self.first.verdict != self.second.verdict


class RatioPair(NamedTuple):
    """A ratio that both have. ``holds_family_wise``: it moved also when all ratios are tested together (Holm)."""

    key: Key
    quantity: str
    first: RatioEstimate
    second: RatioEstimate
    movement: Movement
    holds_family_wise: bool


class OnlyIn(NamedTuple):
    """Claims that one result judges, other than "not run", where the other measured nothing or does not know them."""

    run: str
    scenario: str
    environment: str
    claims: list[str]


class Changes(NamedTuple):
    """``ratios`` leaves out those of scenarios whose sizes differ: :attr:`other_sizes`."""

    verdicts: list[VerdictPair]
    ratios: list[RatioPair]
    other_sizes: list[str]
    conditions: list[Difference]
    only: list[OnlyIn]

    @property
    def changed_verdicts(self) -> list[VerdictPair]:
        """Those whose words differ."""
        return [pair for pair in self.verdicts if pair.changed]

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
    shared = first.judged & second.judged
    other_sizes = sorted({each.about for each in found if each.condition.startswith("size ")})
    return Changes(
        verdicts=[VerdictPair(judged, second.verdicts[key]) for key, judged in first.verdicts.items() if key in shared],
        ratios=_ratios(first, second, other_sizes),
        other_sizes=other_sizes,
        conditions=found,
        only=[*_only("A", first, shared), *_only("B", second, shared)],
    )


def _ratios(first: Run, second: Run, other_sizes: Iterable[str]) -> list[RatioPair]:
    shared = [name for name in first.ratios if name in second.ratios and name[0][0] not in other_sizes]
    movements = [movement(first.ratios[name], second.ratios[name]) for name in shared]
    adjusted = holm([each.p_value for each in movements])
    return [
        RatioPair(key, quantity, first.ratios[key, quantity], second.ratios[key, quantity], moved, p_value <= LEVEL)
        for (key, quantity), moved, p_value in zip(shared, movements, adjusted, strict=True)
    ]


def _only(name: str, run: Run, shared: set[Key]) -> list[OnlyIn]:
    claims: dict[tuple[str, str], list[str]] = {}
    for key in run.verdicts:
        scenario, claim, environment = key
        if key in run.judged - shared and run.verdicts[key].verdict != "not run":
            claims.setdefault((scenario, environment), []).append(claim)
    return [OnlyIn(name, scenario, environment, named) for (scenario, environment), named in claims.items()]
