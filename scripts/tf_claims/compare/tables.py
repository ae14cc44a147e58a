"""A comparison as tables, for other programs."""

from __future__ import annotations

from tf_claims.compare.changes import Changes, RatioPair, VerdictPair
from tf_claims.tables.files import Entry, Table


def tables(changes: Changes) -> list[Table]:
    """Verdicts, ratios, conditions, and what only one result has."""
    return [
        Table(
            "verdicts",
            "Every claim that both results judge, with the verdict of each.",
            "scenario claim environment verdict_a verdict_b changed estimate_a estimate_b reason_a reason_b",
            [_verdict(pair) for pair in changes.verdicts],
        ),
        Table(
            "ratios",
            "Every ratio that both results have at the same sizes. 'factor' is B over A with its 95 % interval "
            "(unpaired; Altman & Bland 2003, Welch 1947); a ratio moved where that excludes 1. "
            f"Of {len(changes.ratios)} ratios, {changes.expected_by_chance:.1f} would seem to have moved if none had; "
            "'holds' says which moved when all are tested together (Holm 1979).",
            "scenario claim environment quantity ratio_a low_a high_a blocks_a ratio_b low_b high_b blocks_b "
            "factor factor_low factor_high p_value moved holds",
            [_ratio(pair) for pair in changes.ratios],
        ),
        Table(
            "conditions",
            "Every condition that differs; where 'forbids_pooling' is yes, the observations of both cannot be put "
            "together as those of one experiment.",
            "condition about a b forbids_pooling",
            [[*each[:4], _yes(each.forbids_pooling)] for each in changes.conditions],
        ),
        Table(
            "only_in_one",
            "Claims that only one of the results judges.",
            "only_in scenario environment claims",
            [[each.run, each.scenario, each.environment, " ".join(each.claims)] for each in changes.only],
        ),
    ]


def _verdict(pair: VerdictPair) -> list[Entry]:
    first, second = pair
    return [
        *(first.scenario, first.claim, first.environment, first.verdict, second.verdict, _yes(pair.changed)),
        *(first.estimate, second.estimate, first.reason, second.reason),
    ]


def _ratio(pair: RatioPair) -> list[Entry]:
    return [
        *(*pair.key, pair.quantity, *pair.first[:4], *pair.second[:4], *pair.movement),
        *(_yes(pair.movement.moved), _yes(pair.holds_family_wise)),
    ]


def _yes(answer: bool) -> str:
    return "yes" if answer else "no"
