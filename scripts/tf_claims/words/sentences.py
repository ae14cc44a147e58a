"""One plain sentence a verdict, for a reader who knows no statistics."""

from __future__ import annotations

from collections.abc import Sequence

from tf_claims.estimands.kind import kind_of
from tf_claims.model.claim import Claim
from tf_claims.model.estimand import Facts
from tf_claims.model.reason import because
from tf_claims.model.verdict import Verdict
from tf_claims.words.joined import TOGETHER
from tf_claims.words.messages import ENGLISH, Messages, Range
from tf_claims.words.numbers import environment_name, number, published_number

STATES = ("states", "states.epochs", "states.undecided")
"""The reasons that tell of times in several places, which no reader is to miss."""


def sentence(verdict: Verdict, claim: Claim, messages: Messages = ENGLISH) -> str:
    """What a verdict says, in a sentence."""
    return _say([verdict], claim, messages)


def sentences(verdicts: Sequence[Verdict], claim: Claim, messages: Messages = ENGLISH) -> list[str]:
    """What the verdicts on one claim say: environments of which the same is said, but for numbers, share a sentence."""
    alike: dict[tuple[str, str], list[Verdict]] = {}
    for verdict in verdicts:
        _, _, device = verdict.environment.split(TOGETHER)[0].partition("-")
        numbers = {name: 1.0 for name in _NUMBERS if getattr(verdict, name) is not None}
        said = sentence(verdict.model_copy(update=numbers | {"environment": ""}), claim, messages)
        alike.setdefault((said, device), []).append(verdict)
    return [_say(group, claim, messages) for group in alike.values()]


_NUMBERS = ("estimate", "ci_low", "ci_high")


def _say(verdicts: Sequence[Verdict], claim: Claim, messages: Messages) -> str:
    """One sentence for verdicts that differ in their environments and numbers alone; the latter become ranges."""
    verdict = verdicts[0]
    first, second, _ = _sides(claim, messages)
    kind = kind_of(claim)
    estimates, lows, highs = ([getattr(each, name) for each in verdicts] for name in _NUMBERS)
    unknown = messages.text("unknown.number")
    estimate = unknown if None in estimates else Range(min(estimates), max(estimates))
    published = messages.text("published.nothing") if verdict.published is None else published_number(verdict.published)
    measured = "measured.difference" if kind.together == "difference" else "measured"
    told = fields_of(claim, verdict.facts) | kind.spoken(verdict.facts)
    values = told | {
        "where": environment_name(TOGETHER.join(each.environment for each in verdicts)),
        "reason": messages.reasons(verdict.because).rstrip("."),
        "measured": messages.text(measured, metric=kind.metrics_used[0], times=estimate),
        "estimate": estimate,
        "low": unknown if None in lows else min(lows),
        "high": unknown if None in highs else max(highs),
        "published": published,
        "first": first,
        "second": second,
    }
    said = messages.text(_message(verdict, claim, messages), **values)
    states = [each for each in verdict.because if each.key in STATES]
    return messages.text("sentence.states", sentence=said, states=messages.reasons(states)) if states else said


def _message(verdict: Verdict, claim: Claim, messages: Messages) -> str:
    """The most special message that there is about an estimand and a word, with an estimate or without."""
    special = f"sentence.{kind_of(claim).rule}.{verdict.verdict}"
    for part in (verdict.side, verdict.size):
        if f"{special}.{part}" in messages:
            return f"{special}.{part}"
    if verdict.estimate is not None and f"{special}.estimate" in messages:
        return f"{special}.estimate"
    return special if special in messages else f"sentence.{verdict.verdict}"


def fields_of(claim: Claim, facts: Facts | None = None) -> dict[str, object]:
    """The fields of an estimand, such as the size or the cause, and of its facts, which may stand in its messages."""
    fields = claim.estimand.model_dump() | (facts.model_dump() if facts else {})
    return {name: value for name, value in fields.items() if isinstance(value, str | int | float) and name != "metric"}


def decision(claim: Claim, messages: Messages = ENGLISH) -> str:
    """When a claim counts as reproduced."""
    kind = kind_of(claim)
    fields = fields_of(claim) | {"metric": kind.metrics_used[0]}
    if known := getattr(kind, "metrics", None):
        fields["metrics"] = [
            because("known", metric=metric, equals=each.equals, within=each.within) for metric, each in known.items()
        ]
    return messages.text(messages.special("decision", kind.rule, kind.together), **fields)


def comparison(claim: Claim, messages: Messages = ENGLISH) -> str:
    """What was compared: ``elapsed time of session_feed against numpy, both with n = 1,000, inputs = raw``."""
    first, second, shared = _sides(claim, messages)
    if not first:
        return ""
    subject = messages.text("metric", metric=claim.estimand.metrics_used[0])
    compared = messages.text("comparison", subject=subject, first=first, second=second)
    return messages.text("comparison.shared", comparison=compared, shared=", ".join(shared)) if shared else compared


def _sides(claim: Claim, messages: Messages) -> tuple[str, str, list[str]]:
    """The two sides of a comparison by the levels in which they differ, and those that they share."""
    selectors = claim.estimand.selectors
    if "of" not in selectors or "to" not in selectors:
        return "", "", []
    of, to = selectors["of"], selectors["to"]
    both = [factor for factor in of if factor in to]
    differing = [factor for factor in both if of[factor] != to[factor]]
    first, second = (" ".join(_level(side[factor], messages) for factor in differing) for side in (of, to))
    shared = [f"{factor} = {_level(of[factor], messages)}" for factor in both if factor not in differing]
    return first, second, shared


def _level(level: object, messages: Messages) -> str:
    if isinstance(level, list):
        return messages.text("levels.or").join(_level(each, messages) for each in level)
    return number(level) if isinstance(level, int) and not isinstance(level, bool) else str(level)
