"""The sentence of a verdict tells the parts of its word."""

from __future__ import annotations

import pytest
from tests.support import synthetic_results as synthetic

from tf_claims.model.scenario import read_scenario
from tf_claims.model.verdict import Verdict
from tf_claims.words.messages import ENGLISH, Messages, Range
from tf_claims.words.sentences import decision, sentence, sentences


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


def ratios(**found: tuple[str, float]) -> list[Verdict]:
    """``tf2_0=("reproduced", 12.0)`` is a verdict on C1 with an interval that is a tenth wider on both sides."""
    return [
        Verdict.model_validate(
            synthetic.verdict("C1", name.replace("_", ".") + "-cpu", word, estimate=x, ci_low=x / 1.1, ci_high=x * 1.1)
        )
        for name, (word, x) in found.items()
    ]


def test_environments_that_agree_share_a_sentence_with_the_range_of_their_estimates() -> None:
    claim = read_scenario("linear_regression").claims["C1"]
    verdicts = ratios(tf1_15=("reproduced", 12.6), tf2_0=("reproduced", 16.4), tf2_15=("reproduced", 15.6))
    assert sentences(verdicts, claim) == [
        "In TensorFlow 1.15, 2.0, 2.15 (CPU) it took 12.6 to 16.4 times as long; the text says 10: "
        "the same direction, and about the same size."
    ]
    assert sentences(verdicts[:1], claim) == [sentence(verdicts[0], claim)]
    (japanese,) = sentences(verdicts, claim, Messages("ja"))
    assert "所要時間は 12.6～16.4 倍" in japanese


def test_another_word_or_device_has_a_sentence_of_its_own() -> None:
    claim = read_scenario("linear_regression").claims["C1"]
    verdicts = ratios(tf1_15=("reproduced", 12.6), tf2_0=("inconclusive", 30.0), tf2_15=("inconclusive", 20.0))
    gpu = verdicts[0].model_copy(update={"environment": "tf2.15-gpu"})
    first, second, third = sentences([*verdicts, gpu], claim)
    assert first.startswith("In TensorFlow 1.15 (CPU)") and third.startswith("In TensorFlow 2.15 (GPU)")
    assert "2.0, 2.15 (CPU)" in second and "20.0 to 30.0 times" in second and "from 18.2 to 33.0 would fit" in second


def test_a_range_of_numbers_that_are_written_alike_is_one_number() -> None:
    assert ENGLISH.text("estimate", estimate=Range(1.0001, 1.0002)) == "1.00"
    assert ENGLISH.text("estimate.attribution", estimate=Range(0.97, 1.12)) == "×\u00a00.97 to 1.12"
