"""One plain sentence a verdict, for a reader who knows no statistics: the catalogue of the page's messages."""

from __future__ import annotations

from fnmatch import fnmatchcase

from model.scenario import Attribution, Claim, CostModel, Equivalence, Ratio
from model.verdict import Verdict
from publish.words import environment_name, number, published_number

# First match wins: the metric, what it is, and what a ratio of it says.
_METRICS = (
    ("*.wall_s", "elapsed time", "took {} times as long"),
    ("*.cpu_s", "processor time", "used {} times the processor time"),
    ("iterations*", "iterations", "needed {} times as many iterations"),
    ("*loss*", "loss", "ended with {} times the loss"),
    ("*_s", "elapsed time", "took {} times as long"),
    ("*accuracy", "accuracy", "came to {} times the accuracy"),
    ("peak_rss_mb", "memory", "used {} times the memory"),
    ("*", "", "came to {} times as much"),
)

# By estimand and verdict, where there is an estimate.
_WITH_ESTIMATE = {
    ("ratio", "reproduced"): "In {where} it {measured}; the text says {published}.",
    ("ratio", "direction only"): (
        "In {where} it {measured}; the text says {published}: the same direction, another size."
    ),
    ("ratio", "contradicted"): "In {where} it {measured}; the text says {published}: the other way round.",
    ("ratio", "inconclusive"): (
        "In {where} it {measured}, but anything from {low} to {high} would fit what we measured; "
        "the text says {published}. We cannot tell."
    ),
    ("equivalence", "reproduced"): "In {where} it {measured}: the same, within the margin set beforehand.",
    ("equivalence", "contradicted"): "In {where} it {measured}: not the same.",
    ("equivalence", "inconclusive"): (
        "In {where} it {measured}, but anything from {low} to {high} would fit what we measured. "
        "Whether that is the same we cannot tell."
    ),
    ("attribution", "reproduced"): "In {where} the {cause} explains {share} of the change: it is the cause.",
    ("attribution", "contradicted"): "In {where} the {cause} explains {share} of the change: it is not the cause.",
    ("attribution", "inconclusive"): (
        "In {where} the {cause} explains {share} of the change, but our measurements are too few to be sure."
    ),
    ("cost_model", "reproduced"): (
        "In {where} the fixed cost of a step weighs less as {size} grows: {first} overtakes {second} "
        "at about {size}\u00a0=\u00a0{estimate}."
    ),
}

# By estimand and verdict, with an estimate or without.
_IN_WORDS = {
    ("cost_model", "reproduced"): (
        "In {where} the fixed cost of a step weighs less as {size} grows, and {first} overtakes {second}."
    ),
    ("cost_model", "direction only"): (
        "In {where} the fixed cost of a step weighs less as {size} grows, but we did not see {first} overtake {second}."
    ),
    ("cost_model", "contradicted"): "In {where} we found no fixed cost of a step that weighs less as {size} grows.",
    ("cost_model", "inconclusive"): (
        "In {where} we cannot tell whether the fixed cost of a step weighs less as {size} grows."
    ),
    ("value", "reproduced"): "In {where} the numbers came out as the text says.",
    ("value", "contradicted"): "In {where} the numbers came out differently from what the text says.",
}

_OTHERWISE = {
    "reproduced": "In {where} we found what the text says.",
    "direction only": "In {where} we found the direction that the text gives, but not the size.",
    "contradicted": "In {where} we found the opposite of what the text says.",
    "inconclusive": "In {where} our measurements cannot tell.",
    "not run": "In {where} this was not run: {reason}.",
}


def sentence(verdict: Verdict, claim: Claim) -> str:
    """What a verdict says, in a sentence."""
    key = (claim.kind, verdict.verdict)
    template = _WITH_ESTIMATE.get(key) if verdict.estimate is not None else None
    first, second, _ = _sides(claim)
    estimate = _or_unknown(verdict.estimate)
    return (template or _IN_WORDS.get(key) or _OTHERWISE[verdict.verdict]).format(
        where=environment_name(verdict.environment),
        reason=verdict.reason.rstrip("."),
        measured=_measured(claim, estimate),
        share="" if verdict.estimate is None else f"{100 * verdict.estimate:.0f}\u00a0%",
        cause=claim.estimand.cause if isinstance(claim.estimand, Attribution) else "",
        estimate=estimate,
        low=_or_unknown(verdict.ci_low),
        high=_or_unknown(verdict.ci_high),
        published="nothing in numbers" if verdict.published is None else published_number(verdict.published),
        size=claim.estimand.size if isinstance(claim.estimand, CostModel) else "",
        first=first,
        second=second,
    )


def _or_unknown(value: float | None) -> str:
    return "an unknown number" if value is None else number(value)


def _measured(claim: Claim, estimate: str) -> str:
    if isinstance(claim.estimand, Equivalence) and claim.estimand.scale == "absolute":
        return f"differed by {estimate}"
    return _metric(claim)[2].format(estimate)


def _metric(claim: Claim) -> tuple[str, str, str]:
    metric = getattr(claim.estimand, "metric", "")
    return next(row for row in _METRICS if fnmatchcase(metric, row[0]))


def comparison(claim: Claim) -> str:
    """What was compared: ``elapsed time of session_feed against numpy, both with n = 1,000, inputs = raw``."""
    first, second, shared = _sides(claim)
    if not first:
        return ""
    subject = _metric(claim)[1] or getattr(claim.estimand, "metric", "")
    same = f", both with {', '.join(shared)}" if shared else ""
    return f"{subject} of {first} against {second}{same}"


def _sides(claim: Claim) -> tuple[str, str, list[str]]:
    """The two sides of a comparison by the levels in which they differ, and those that they share."""
    estimand = claim.estimand
    if not isinstance(estimand, Ratio | Equivalence | CostModel):
        return "", "", []
    of, to = estimand.of, estimand.to
    both = [factor for factor in of if factor in to]
    differing = [factor for factor in both if of[factor] != to[factor]]
    first, second = (" ".join(_level(side[factor]) for factor in differing) for side in (of, to))
    return first, second, [f"{factor} = {_level(of[factor])}" for factor in both if factor not in differing]


def _level(level: object) -> str:
    if isinstance(level, list):
        return " or ".join(_level(each) for each in level)
    return number(level) if isinstance(level, int) and not isinstance(level, bool) else str(level)
