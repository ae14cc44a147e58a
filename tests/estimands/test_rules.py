"""The truth table of the verdict rules, the same that the validation page shows."""

from __future__ import annotations

import math

import pytest

from tf_claims.estimands.cost_model import POOR_FIT
from tf_claims.estimands.cost_model import judge as judge_cost_model
from tf_claims.estimands.equivalence import judge as judge_equivalence
from tf_claims.estimands.ratio import band
from tf_claims.estimands.ratio import judge as judge_ratio
from tf_claims.validate.truth_table import ABOVE, ACROSS, BELOW, rows


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.rule}: {row.given}")
def test_truth_table(row) -> None:
    assert (row.said, row.said_parts) == (row.expected, row.expected_parts)


def test_every_word_of_every_rule_is_in_the_table() -> None:
    words = {"reproduced", "contradicted", "inconclusive"}
    expected = dict.fromkeys(("equivalence", "value", "ratio, a side only"), words)
    expected |= dict.fromkeys(("cost model, fixed", "cost model, crossing"), words)
    expected |= dict.fromkeys(("ratio", "attribution"), words | {"direction only"})
    found = {rule: {row.expected for row in rows() if row.rule == rule} for rule in expected}
    assert found == expected


@pytest.mark.parametrize("published", [3.0, 1 / 3, 1.14, 24.7])
@pytest.mark.parametrize("interval", [ABOVE, BELOW, ACROSS, (2.0, 4.0), (0.1, 0.5), (1.2, 9.0)])
def test_a_ratio_and_its_inverse_get_the_same_word(interval, published) -> None:
    def said(ends, of):
        low, high = sorted(math.log(end) / math.log(of) for end in ends)
        return judge_ratio((low, high), of)

    assert said(interval, published) == said((1 / interval[1], 1 / interval[0]), 1 / published)


def test_the_band_is_a_third_of_the_effect_and_at_most_a_factor_of_two() -> None:
    for published, low, high in (
        (10, 5, 20),
        (1.53, 1.33, 1.76),
        (1.14, 1.09, 1.19),
        (1000, 500, 2000),
        (0.1, 0.05, 0.2),
    ):
        ends = sorted(published ** (1 + sign * band(published)) for sign in (-1, 1))
        assert ends == pytest.approx([low, high], rel=5e-3)


def test_a_wide_interval_is_never_equivalent() -> None:
    for half in range(11, 60):
        assert judge_equivalence((1 - half / 100, 1 + half / 100), (0.9, 1.1)) == "inconclusive"


@pytest.mark.parametrize("misfit", [0.0, 0.1, 0.25, 0.3])
@pytest.mark.parametrize("interval", [ABOVE, BELOW, ACROSS, (3.0, 4.0), (0.1, 0.2), None])
def test_the_two_claims_of_a_cost_model_mirror_each_other(interval, misfit) -> None:
    """A fixed cost is claimed above a limit, a cost per point below one: the inverse gets the same word."""
    inverse = None if interval is None else (1 / interval[1], 1 / interval[0])
    assert judge_cost_model(interval, 1.0, True, misfit) == judge_cost_model(inverse, 1.0, False, misfit)
    if misfit > POOR_FIT:
        assert judge_cost_model(interval, 1.0, True, misfit) == "inconclusive"
