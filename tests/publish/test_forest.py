"""The plot of a claim: every mark at its number, and a zone that agrees with the words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support import synthetic_results as synthetic

from tf_claims.estimands.kind import kind_of
from tf_claims.model.scenario import read_scenario
from tf_claims.model.verdict import Verdict
from tf_claims.publish.forest import Forest, forest
from tf_claims.words.messages import ENGLISH

C1 = read_scenario("linear_regression").claims["C1"]
BAND = {"band_low": 5.0, "band_high": 20.0}


def plot(*numbers: tuple[float | None, float | None, float | None], **fields: Any) -> Forest | None:
    """Of C1, which is published as 10, in an environment for each estimate and its interval."""
    verdicts = [
        synthetic.verdict("C1", f"tf2.{place}-cpu", "reproduced", estimate=value, ci_low=low, ci_high=high, facts=BAND)
        for place, (value, low, high) in enumerate(numbers)
    ]
    return forest([Verdict.model_validate(each) for each in verdicts], C1, ENGLISH)


def test_marks_lie_where_their_logarithms_do() -> None:
    """From 1 (no difference) to 100 over the middle 92 %: 10 lies in the middle, 5 and 20 the same way off."""
    found = plot((10.0, 10.0**0.5, 100.0))
    assert found and found.rows[0] == pytest.approx((50.0, 27.0, 96.0), abs=0.01)
    assert (found.equal, found.reference) == (4.0, 50.0)
    assert found.zone and sum(found.zone) == pytest.approx(100.0, abs=0.02)
    assert found.zone[0] == pytest.approx(4 + 92 * 0.69897 / 2, abs=0.01)
    assert [(tick.place, tick.text) for tick in found.ticks] == [(4.0, "1"), (50.0, "10"), (96.0, "100")]


def test_a_row_without_an_estimate_has_no_marks_and_a_claim_without_any_no_plot() -> None:
    found = plot((10.0, 9.0, 11.0), (None, None, None))
    assert found and found.rows[0] is not None and found.rows[1] is None
    assert plot((None, None, None)) is None
    assert plot((10.0, None, None)) is None


def test_an_open_end_reaches_the_edge() -> None:
    found = plot((10.0, 9.0, None), (10.0, 9.0, 11.0), (2.0, None, 3.0))
    assert found is not None
    marks = [each for each in found.rows if each is not None]
    assert [each.high for each in marks][:1] == [100.0] and marks[2].low == 0.0
    assert marks[0].low == marks[1].low > 0


@pytest.mark.parametrize(("high", "least"), [(10.6, 2), (24.0, 3), (3000.0, 3), (1e9, 3)])
def test_an_axis_has_a_few_numbers(high: float, least: int) -> None:
    found = plot((10.0, 9.0, high))
    assert found and least <= len(found.ticks) <= 5
    places = [tick.place for tick in found.ticks]
    assert places == sorted(set(places)) and min(places) >= 4.0 and max(places) <= 96.0


def test_the_zone_of_every_claim_agrees_with_the_words_of_the_reference() -> None:
    verdicts = [Verdict.model_validate(each) for each in json.loads(Path("reference/quick/verdicts.json").read_text())]
    seen = set()
    for verdict in verdicts:
        kind = kind_of(read_scenario(verdict.scenario).claims[verdict.claim])
        zone = kind.zone(verdict.published, verdict.facts)
        if zone is not None and verdict.estimate is not None and verdict.verdict in ("reproduced", "contradicted"):
            seen.add((verdict.estimand, verdict.verdict))
            assert (zone[0] <= verdict.estimate <= zone[1]) == (verdict.verdict == "reproduced"), verdict
    assert {kind for kind, _ in seen} == {"ratio", "equivalence", "cost_model", "value"}
    assert ("ratio", "contradicted") in seen
