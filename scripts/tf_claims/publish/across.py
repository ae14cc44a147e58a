"""Whether a claim still holds in the newest version of TensorFlow in which it was measured, from its verdicts alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from tf_claims.model.verdict import Verdict
from tf_claims.words.messages import Messages
from tf_claims.words.numbers import environment_name, short_environment_name


class Across(NamedTuple):
    """``word`` is the verdict in the newest version; ``versions`` says which have which verdict."""

    question: str
    word: str
    answer: str
    versions: str


def across(verdicts: Sequence[Verdict], messages: Messages) -> Across:
    """The answer for the verdicts on one claim, at least one."""
    measured = [verdict for verdict in verdicts if verdict.verdict != "not run"] or verdicts
    newest = max(measured, key=_version)
    by_word: dict[str, list[str]] = {}
    for verdict in measured:
        by_word.setdefault(verdict.verdict, []).append(short_environment_name(verdict.environment))
    comma = messages.text("list")
    groups = [
        messages.text("across.versions", word=messages.text(f"word.{word}"), versions=comma.join(versions))
        for word, versions in by_word.items()
    ]
    return Across(
        question=messages.text("across.question", newest=environment_name(newest.environment)),
        word=newest.verdict,
        answer=messages.text(f"across.{newest.verdict}"),
        versions="; ".join(groups),
    )


def _version(verdict: Verdict) -> tuple[int, ...]:
    """``(2, 21)`` for ``tf2.21-cpu``; the oldest of all for a name of another shape."""
    match = re.match(r"tf([\d.]+)-", verdict.environment)
    return tuple(int(part) for part in match[1].split(".")) if match else ()
