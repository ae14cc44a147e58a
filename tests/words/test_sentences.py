"""The sentence of a verdict tells the parts of its word."""

from __future__ import annotations

import pytest

from tf_claims.model.scenario import read_scenario
from tf_claims.model.verdict import Verdict
from tf_claims.words.sentences import decision, sentence


@pytest.mark.parametrize(
    ("scenario", "claim", "word", "side", "size", "said"),
    [
        ("linear_regression", "C1", "reproduced", "holds", "inside", "the same direction, and about the same size."),
        ("linear_regression", "C1", "direction only", "holds", "outside", "the same direction, another size."),
        (
            "linear_regression",
            "C1",
            "direction only",
            "holds",
            "undecided",
            "whether the size is the same we cannot tell.",
        ),
        ("linear_regression", "C1", "contradicted", "open", "outside", "at most a third of that effect is there."),
        ("linear_regression", "C1", "contradicted", "opposite", "outside", "the other way round."),
        (
            "glove_convergence",
            "B1",
            "reproduced",
            "holds",
            "none",
            "the direction of the text, whose size (10) cannot be",
        ),
        ("glove_convergence", "B1", "contradicted", "opposite", "none", "the other way round than the text says."),
    ],
)
def test_a_ratio(scenario: str, claim: str, word: str, side: str, size: str, said: str) -> None:
    about = {"claim": claim, "scenario": scenario, "environment": "tf2.0-cpu", "says": "s", "estimand": "ratio"}
    numbers = {"estimate": 3.0, "ci_low": 2.0, "ci_high": 4.0, "published": 10.0, "published_figures": "10 to 1"}
    verdict = Verdict.model_validate(
        about | numbers | {"verdict": word, "side": side, "size": size, "reason": "r", "because": []}
    )
    assert said in sentence(verdict, read_scenario(scenario).claims[claim])


def test_the_rule_of_a_side_alone_is_told() -> None:
    assert decision(read_scenario("glove_convergence").claims["B1"]) == "ratio, on the side that the text names"
