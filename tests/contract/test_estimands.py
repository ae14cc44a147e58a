"""What every kind of claim must give; a new one is tested the moment its file exists."""

from __future__ import annotations

import json
from typing import Any, get_args

import numpy as np
import pytest

from tf_claims.estimands.kind import Asked, Chosen, Finding, Kind, kind_of
from tf_claims.figures.draw import figure_kinds
from tf_claims.model.claim import Claim
from tf_claims.model.estimand import VerdictWord, kinds
from tf_claims.model.reason import Reason
from tf_claims.model.scenario import Scenario
from tf_claims.model.selection import Offered, select
from tf_claims.model.verdict import Verdict
from tf_claims.words.messages import LANGUAGES, Messages, catalogue
from tf_claims.words.sentences import decision, sentence

FAST, SLOW = {"method": "fast"}, {"method": "slow"}
EXAMPLES: dict[str, dict[str, Any]] = {
    "ratio": {"metric": "run.wall_s", "of": SLOW | {"n": 10}, "to": FAST | {"n": 10}},
    "equivalence": {"metric": "run.wall_s", "of": SLOW | {"n": 10}, "to": FAST | {"n": 10}, "margin": 0.1},
    "value": {"of": FAST | {"n": 10}, "metrics": {"x": {"equals": 1, "within": 0.1}}},
    "cost_model": {"metric": "run.wall_s", "of": SLOW, "to": FAST, "size": "n", "per": "steps", "about": "crossing"},
    "attribution": {
        "metric": "run.wall_s",
        "factors": {"method": ["fast", "slow"], "n": [10, 1000]},
        "cause": "method",
    },
}
"""A claim of each kind about the scenario below; a new kind adds one."""


def scenario_with(kind: str) -> Scenario:
    preset = {"blocks": {"least": 3, "most": 3}, "sizes": [{"steps": 5}]}
    return Scenario.model_validate(
        {
            "title": "toy",
            "source": {"text": "t.txt", "title": "t", "stack": "s"},
            "calls": "method",
            "imports": {"*": ["numpy"]},
            "factors": {"method": ["slow", "fast"], "n": [10, 100, 1000]},
            "metrics": ["x"],
            "presets": {"quick": preset, "paper": preset},
            "claims": {"K": {"says": "s", "published": {"value": 2, "figures": "2 to 1"}, kind: EXAMPLES[kind]}},
        }
    )


@pytest.fixture(params=sorted(kinds()))
def kind(request: pytest.FixtureRequest) -> Kind:
    return kind_of(claim_of(request.param))


def claim_of(kind: str) -> Claim:
    return scenario_with(kind).claims["K"]


def asked(kind: Kind) -> Asked:
    variants, why_not = select("toy", scenario_with(kind.kind), "K", "quick", "tf2.0-cpu")
    assert why_not is None
    chosen = [Chosen(each.levels, each.sizes, {"steps": 10}) for each in variants]
    columns = kind.columns(chosen, "toy")
    chance = np.random.default_rng(1)
    base = np.array([2.0 if each.variant.startswith("slow") else 1.0 for each in columns])
    values = base * (1 + 0.001 * chance.random((6, len(columns))))
    return Asked(values, ["one machine"] * 6, chosen, 2.0)


def finding(kind: Kind) -> Finding:
    return kind.find(asked(kind))


def test_there_is_an_example_of_each_kind() -> None:
    assert set(EXAMPLES) == set(kinds())


def test_its_module_has_its_name_and_its_fields_are_described_in_the_schema(kind: Kind) -> None:
    assert type(kind).__module__ == f"tf_claims.estimands.{kind.kind}"
    properties = Claim.model_json_schema()["$defs"][type(kind).__name__]["properties"]
    assert set(EXAMPLES[kind.kind]) <= set(properties)


def test_it_names_its_metrics_and_variants(kind: Kind) -> None:
    assert kind.metrics_used and all(isinstance(metric, str) for metric in kind.metrics_used)
    offer = Offered(scenario_with(kind.kind), "quick", "tf2.0-cpu")
    picks = kind.picks(offer)
    assert not isinstance(picks, Reason) and all(pick.field in kind.selectors for pick in picks)


def test_its_columns_have_headings(kind: Kind) -> None:
    question = asked(kind)
    columns = kind.columns(question.chosen, "toy")
    headings = kind.headings(question.chosen)
    assert len(columns) == len(headings) == question.values.shape[1]
    assert len(set(headings)) == len(headings) and all(headings)
    assert (kind.together != "") <= (len(columns) == 2)


def test_it_comes_to_a_word_with_reasons_that_can_be_said(kind: Kind) -> None:
    found = finding(kind)
    assert found.verdict in get_args(VerdictWord)
    for language in LANGUAGES:
        assert all(Messages(language).reason(each) for each in [*found.because, kind.described])


def test_its_quantities_are_named_once_and_those_to_compare_are_among_them(kind: Kind) -> None:
    names = [each.name for each in finding(kind).quantities]
    assert len(set(names)) == len(names)
    assert set(kind.comparable) <= set(names)
    assert all(f"quantity.{name}" in catalogue() or name == "ratio" for name in kind.comparable)


def test_its_verdict_is_a_record_that_reads_back(kind: Kind) -> None:
    found = finding(kind)
    verdict = verdict_of(kind, found.verdict, found)
    assert Verdict.model_validate(json.loads(verdict.model_dump_json())) == verdict
    assert found.facts is None or type(verdict.facts) is kind.facts


def verdict_of(kind: Kind, word: VerdictWord, found: Finding) -> Verdict:
    about = {"claim": "K", "scenario": "toy", "environment": "tf2.0-cpu", "says": "s", "estimand": kind.kind}
    numbers = (
        {} if found.headline is None else dict(zip(("estimate", "ci_low", "ci_high"), found.headline, strict=False))
    )
    return Verdict.model_validate(
        about
        | {"verdict": word, "reason": "r", "because": found.because, "published": 2.0, "published_figures": "2 to 1"}
        | {"facts": None if found.facts is None else found.facts.model_dump()}
        | numbers
    )


@pytest.mark.parametrize("word", get_args(VerdictWord))
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_word_has_a_sentence_and_the_rule_is_told(kind: Kind, word: VerdictWord, language: Any) -> None:
    messages = Messages(language)
    claim = claim_of(kind.kind)
    said = sentence(verdict_of(kind, word, finding(kind)), claim, messages)
    assert "TensorFlow 2.0 (CPU)" in said and "{" not in said
    assert decision(claim, messages)


def test_a_figure_is_of_a_kind() -> None:
    assert set(figure_kinds()) <= set(kinds())
