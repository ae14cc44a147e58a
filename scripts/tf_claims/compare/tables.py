"""A comparison as tables, for other programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tf_claims.compare.changes import Changes, RatioPair
from tf_claims.compare.retest import Retest, Row
from tf_claims.tables.files import Entry, Table


def tables(letters: Sequence[str], words: Retest, changes: Mapping[str, Changes]) -> list[Table]:
    """Verdicts, ratios, conditions, and what some results do not judge; ``changes`` has all but the first letter."""
    first = letters[0]
    each_run = "verdict_{0} estimate_{0} low_{0} high_{0} reason_{0}"
    return [
        Table(
            "verdicts",
            "Every claim that a result judges, with the verdict of each.",
            " ".join(["scenario claim environment differs", *(each_run.format(each.lower()) for each in letters)]),
            [_verdicts(row) for row in words.rows],
        ),
        Table(
            "ratios",
            f"Every ratio that {first} and another result have at the same sizes. 'factor' is the other over {first} "
            "with its 95 % interval (unpaired; Altman & Bland 2003, Welch 1947); a ratio moved where that excludes 1. "
            + " ".join(
                f"Of {len(each.ratios)} ratios of {letter}, {each.expected_by_chance:.1f} would seem to have moved "
                "if none had."
                for letter, each in changes.items()
            )
            + " 'holds' says which moved when all of one result are tested together (Holm 1979).",
            "other scenario claim environment quantity ratio low high blocks other_ratio other_low other_high "
            "other_blocks factor factor_low factor_high p_value moved holds",
            [[letter, *_ratio(pair)] for letter, each in changes.items() for pair in each.ratios],
        ),
        Table(
            "conditions",
            f"Every condition that differs from {first}; where 'forbids_pooling' is yes, the observations of both "
            "cannot be put together as those of one experiment.",
            "other condition about first second forbids_pooling",
            [
                [letter, *each[:4], _yes(each.forbids_pooling)]
                for letter, change in changes.items()
                for each in change.conditions
            ],
        ),
        Table(
            "not_run_in_some",
            "Claims that one result judges and another does not, with the reason of each that does not.",
            " ".join(["scenario environment claims", *(f"reason_{each.lower()}" for each in letters)]),
            [[each.scenario, each.environment, " ".join(each.claims), *each.why] for each in words.not_run],
        ),
    ]


def _verdicts(row: Row) -> list[Entry]:
    entries: list[Entry] = [*row.key, _yes(row.differs)]
    for each in row.judged:
        entries += [each.verdict, each.estimate, each.ci_low, each.ci_high, each.reason] if each else [None] * 5
    return entries


def _ratio(pair: RatioPair) -> list[Entry]:
    return [
        *(*pair.key, pair.quantity, *pair.first[:4], *pair.second[:4], *pair.movement),
        *(_yes(pair.movement.moved), _yes(pair.holds_family_wise)),
    ]


def _yes(answer: bool) -> str:
    return "yes" if answer else "no"
