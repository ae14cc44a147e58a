"""Numbers and variants in the words of a reason."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fnmatch import fnmatchcase

from tf_claims.model.selectors import Level, label
from tf_claims.statistics.intervals import Estimate

# First match wins: the metric, and what a ratio of it says between the two names.
_RATIOS = (
    ("*.wall_s", "{of} took {times} times as long as {to}"),
    ("*.cpu_s", "{of} used {times} times the processor time of {to}"),
    ("iterations*", "{of} needed {times} times as many iterations as {to}"),
    ("peak_rss_mb", "{of} used {times} times the memory of {to}"),
    ("*", "{metric} of {of} was {times} times that of {to}"),
)


def number(value: float) -> str:
    """Three significant digits, with thousands set apart: ``12.6``, ``0.00123``, ``189,000``."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    rounded = float(f"{value:.2e}")
    digits = math.floor(math.log10(abs(rounded)))
    return f"{rounded:,.{max(0, 2 - digits)}f}" if -4 <= digits < 9 else f"{value:.2e}"


def interval(estimate: Estimate, digits: str = "") -> str:
    """``95 % interval 12.1 to 13.2``; empty where there is none."""
    if estimate.low is None or estimate.high is None:
        return "no interval"
    low, high = (format(end, digits) if digits else number(end) for end in (estimate.low, estimate.high))
    return f"95 % interval {low} to {high}"


def names(of: Mapping[str, Level], to: Mapping[str, Level]) -> tuple[str, str]:
    """What tells two variants apart: ``session_feed`` and ``numpy``; their whole names where nothing does."""
    differing = [factor for factor in of if of[factor] != to.get(factor)]
    if not differing:
        return label(of), label(to)
    return label({factor: of[factor] for factor in differing}), label({factor: to[factor] for factor in differing})


def ratio_phrase(metric: str, of: str, to: str, times: float | str) -> str:
    """A ratio in words: ``session_feed took 12.6 times as long as numpy``."""
    phrase = next(phrase for pattern, phrase in _RATIOS if fnmatchcase(metric, pattern))
    return phrase.format(metric=metric, of=of, to=to, times=times if isinstance(times, str) else number(times))
