"""Whether a claim still holds in the newest version: the answer, from verdicts alone."""

from __future__ import annotations

import pytest
from tests.support import synthetic_results as synthetic

from tf_claims.model.verdict import Verdict
from tf_claims.publish.across import across
from tf_claims.words.messages import ENGLISH, Messages


def verdicts(**words: str) -> list[Verdict]:
    """``tf2_0="reproduced"`` is a verdict in the environment ``tf2.0-cpu``."""
    names = {name: name.replace("_", ".") + "-cpu" for name in words}
    return [Verdict.model_validate(synthetic.verdict("C1", names[name], word)) for name, word in words.items()]


@pytest.mark.parametrize(
    ("newest", "answer"),
    [
        ("reproduced", "Yes."),
        ("direction only", "In its direction, not in its size."),
        ("contradicted", "No."),
        ("inconclusive", "We cannot tell."),
    ],
)
def test_the_newest_version_answers(newest: str, answer: str) -> None:
    found = across(verdicts(tf2_21=newest, tf1_15="reproduced", tf2_3="contradicted"), ENGLISH)
    assert found.question == "Does it hold in TensorFlow 2.21 (CPU)?"
    assert (found.word, found.answer) == (newest, answer)


def test_versions_are_grouped_by_their_verdict() -> None:
    found = across(verdicts(tf1_15="reproduced", tf2_0="contradicted", tf2_21="reproduced"), ENGLISH)
    assert found.versions == "reproduced in 1.15, 2.21; contradicted in 2.0"
    found = across(verdicts(tf1_15="reproduced", tf2_21="contradicted"), Messages("ja"))
    assert found.versions == "1.15: 再現; 2.21: 反証"


def test_a_version_in_which_it_was_not_run_says_nothing() -> None:
    found = across(verdicts(tf1_15="contradicted", tf2_21="not run"), ENGLISH)
    assert (found.question, found.answer) == ("Does it hold in TensorFlow 1.15 (CPU)?", "No.")
    assert across(verdicts(tf2_21="not run"), ENGLISH).answer == "It was not run."
