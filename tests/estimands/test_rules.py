"""The truth table of the verdict rules, the same that the validation page shows."""

from __future__ import annotations

from itertools import product

import pytest

from tf_claims.estimands.cost_model import judge as judge_cost_model
from tf_claims.estimands.equivalence import judge as judge_equivalence
from tf_claims.estimands.ratio import judge as judge_ratio
from tf_claims.validate.truth_table import ABOVE, ACROSS, BELOW, rows


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.rule}: {row.given}")
def test_truth_table(row) -> None:
    assert row.said == row.expected


def test_every_word_of_every_rule_is_in_the_table() -> None:
    words = {"reproduced", "contradicted", "inconclusive"}
    expected = dict.fromkeys(("equivalence", "value", "attribution"), words)
    expected |= dict.fromkeys(("ratio", "cost model"), words | {"direction only"})
    assert {rule: {row.expected for row in rows() if row.rule == rule} for rule in expected} == expected


@pytest.mark.parametrize(("interval", "published"), list(product((ABOVE, BELOW, ACROSS, None), (3.0, 1 / 3))))
def test_a_ratio_and_its_inverse_get_the_same_word(interval, published) -> None:
    estimate = 1.0 if interval is None else sum(interval) / 2
    inverse = None if interval is None else (1 / interval[1], 1 / interval[0])
    assert judge_ratio(estimate, interval, published, 2) == judge_ratio(1 / estimate, inverse, 1 / published, 2)


def test_a_wide_interval_is_never_equivalent() -> None:
    for half in range(11, 60):
        assert judge_equivalence((1 - half / 100, 1 + half / 100), (1 - half / 100, 1 + half / 100), (0.9, 1.1)) == (
            "inconclusive"
        )


@pytest.mark.parametrize("intervals", list(product((ABOVE, BELOW, ACROSS), repeat=3)))
def test_a_cost_model_with_all_its_sides(intervals) -> None:
    """All 27: a side that is wrong contradicts, one that is open leaves it open, else the crossing decides."""
    fixed, fall, per_point = intervals
    if BELOW in (fixed, fall):
        expected = "contradicted"
    elif ACROSS in (fixed, fall):
        expected = "inconclusive"
    else:
        expected = "reproduced" if per_point == BELOW else "direction only"
    assert judge_cost_model(*intervals) == expected
