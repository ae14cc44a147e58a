"""One plain sentence a verdict, for a reader who knows no statistics."""

from __future__ import annotations

from fnmatch import fnmatchcase

from tf_claims.model.scenario import Attribution, Claim, CostModel, Equivalence, Ratio
from tf_claims.model.verdict import Verdict
from tf_claims.words.messages import ENGLISH, Messages
from tf_claims.words.names import environment_name, number, published_number

# First match wins: the metric, and its messages `metric.…` (what it is) and `measured.…` (what a ratio of it says).
_METRICS = (
    ("*.wall_s", "time"),
    ("*.cpu_s", "cpu"),
    ("iterations*", "iterations"),
    ("*loss*", "loss"),
    ("*_s", "time"),
    ("*accuracy", "accuracy"),
    ("peak_rss_mb", "memory"),
    ("*", "other"),
)


def sentence(verdict: Verdict, claim: Claim, messages: Messages = ENGLISH) -> str:
    """What a verdict says, in a sentence."""
    estimand = claim.estimand
    first, second, _ = _sides(claim, messages)
    estimate, low, high = (
        messages.text("unknown.number") if value is None else number(value)
        for value in (verdict.estimate, verdict.ci_low, verdict.ci_high)
    )
    published = verdict.published
    reason = verdict.reason.rstrip(".")
    return messages.text(
        _message(verdict, claim, messages),
        where=environment_name(verdict.environment),
        reason=messages.find(reason, "why") or reason,
        measured=_measured(claim, estimate, messages),
        share="" if verdict.estimate is None else f"{100 * verdict.estimate:.0f}\u00a0%".replace("-", "−"),
        cause=estimand.cause if isinstance(estimand, Attribution) else "",
        factor=number(estimand.within_factor, 2).removesuffix(".0") if isinstance(estimand, Ratio) else "",
        estimate=estimate,
        low=low,
        high=high,
        published=messages.text("published.nothing") if published is None else published_number(published),
        size=estimand.size if isinstance(estimand, CostModel) else "",
        first=first,
        second=second,
    )


def _message(verdict: Verdict, claim: Claim, messages: Messages) -> str:
    """The most special message that there is about an estimand and a word, with an estimate or without."""
    special = f"sentence.{claim.kind}.{verdict.verdict}"
    if verdict.estimate is not None and f"{special}.estimate" in messages:
        return f"{special}.estimate"
    return special if special in messages else f"sentence.{verdict.verdict}"


def _measured(claim: Claim, estimate: str, messages: Messages) -> str:
    if isinstance(claim.estimand, Equivalence) and claim.estimand.scale == "absolute":
        return messages.text("measured.difference", times=estimate)
    return messages.text(f"measured.{_kind(claim)}", times=estimate)


def _kind(claim: Claim) -> str:
    metric = getattr(claim.estimand, "metric", "")
    return next(kind for pattern, kind in _METRICS if fnmatchcase(metric, pattern))


def comparison(claim: Claim, messages: Messages = ENGLISH) -> str:
    """What was compared: ``elapsed time of session_feed against numpy, both with n = 1,000, inputs = raw``."""
    first, second, shared = _sides(claim, messages)
    if not first:
        return ""
    subject = messages.text(f"metric.{_kind(claim)}", metric=getattr(claim.estimand, "metric", ""))
    compared = messages.text("comparison", subject=subject, first=first, second=second)
    return messages.text("comparison.shared", comparison=compared, shared=", ".join(shared)) if shared else compared


def _sides(claim: Claim, messages: Messages) -> tuple[str, str, list[str]]:
    """The two sides of a comparison by the levels in which they differ, and those that they share."""
    estimand = claim.estimand
    if not isinstance(estimand, Ratio | Equivalence | CostModel):
        return "", "", []
    of, to = estimand.of, estimand.to
    both = [factor for factor in of if factor in to]
    differing = [factor for factor in both if of[factor] != to[factor]]
    first, second = (" ".join(_level(side[factor], messages) for factor in differing) for side in (of, to))
    shared = [f"{factor} = {_level(of[factor], messages)}" for factor in both if factor not in differing]
    return first, second, shared


def _level(level: object, messages: Messages) -> str:
    if isinstance(level, list):
        return messages.text("levels.or").join(_level(each, messages) for each in level)
    return number(level) if isinstance(level, int) and not isinstance(level, bool) else str(level)
