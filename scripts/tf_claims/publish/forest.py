"""One plot for a claim over its environments: where each mark lies on a line that all its rows share.

The rows of the plot are rows of the page, so that they are read, broken on a narrow screen and printed as text; here
are only the places of what is drawn beside it, in per cent of the line's width.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from matplotlib.ticker import LogLocator, MaxNLocator

from tf_claims.estimands.kind import kind_of
from tf_claims.model.claim import Claim
from tf_claims.model.verdict import Verdict
from tf_claims.words.messages import Messages

# Per cent of the width left free at both ends, so that no mark is cut off.
_MARGIN = 4.0
_MOST_TICKS = 5


class Marks(NamedTuple):
    """An estimate and its 95 % interval, infinite at an open end."""

    estimate: float
    low: float
    high: float


class Tick(NamedTuple):
    """A number on the axis."""

    place: float
    text: str


class Forest(NamedTuple):
    """What all rows share, and the marks of each, None where a row has no estimate.

    ``zone`` are the ends of what counts as the text's statement, ``reference`` is the published or known value, and
    ``equal`` is no difference at all; each is None where the claim has none.
    """

    rows: list[Marks | None]
    zone: tuple[float, float] | None
    reference: float | None
    equal: float | None
    ticks: list[Tick]


def forest(verdicts: Sequence[Verdict], claim: Claim, messages: Messages) -> Forest | None:
    """The plot of a claim's verdicts; None where none has an interval, or where they are of different metrics."""
    kind = kind_of(claim)
    measured = [each for each in map(_numbers, verdicts) if each is not None]
    zones = {kind.zone(each.published, each.facts) for each in verdicts if _numbers(each) is not None}
    if not measured or len(zones) > 1:
        return None
    (zone,) = zones
    positive = kind.on_log_scale
    numbers = [number for each in measured for number in each if math.isfinite(number)]
    if positive and min(numbers) <= 0:
        return None
    equal = kind.no_difference
    expected = next((getattr(each.facts, "expected", None) for each in verdicts if _numbers(each)), None)
    reference = verdicts[0].published if kind.together == "ratio" else expected
    ends = [end for end in zone or () if math.isfinite(end) and (end > 0 or not positive)]
    shown = [*numbers, *ends, *(x for x in (equal, reference) if x is not None)]
    line = _Line(min(shown), max(shown), positive)
    return Forest(
        rows=[marks and Marks(*map(line.place, marks)) for marks in map(_numbers, verdicts)],
        zone=zone and (line.place(zone[0]), line.place(zone[1])),
        reference=None if reference is None else line.place(reference),
        equal=None if equal is None else line.place(equal),
        ticks=list(_ticks(line, lambda value: messages.text("axis", value=value))),
    )


class _Line(NamedTuple):
    low: float
    high: float
    logarithmic: bool

    def place(self, value: float) -> float:
        """Per cent of the width; what lies beyond an end lies at the edge."""
        if value < self.low:
            return 0.0
        if value > self.high:
            return 100.0
        low, high, at = (math.log(each) if self.logarithmic else each for each in (self.low, self.high, value))
        share = (at - low) / (high - low) if high > low else 0.5
        return round(_MARGIN + (100 - 2 * _MARGIN) * share, 2)


def _ticks(line: _Line, write: Callable[[float], str]) -> Iterator[Tick]:
    wide = line.logarithmic and line.high / line.low >= 5
    locator = (
        LogLocator(subs=(1.0, 2.0, 5.0), numticks=99)
        if wide
        else MaxNLocator(_MOST_TICKS - 1, steps=[1, 2, 2.5, 5, 10])
    )
    inside = [float(value) for value in locator.tick_values(line.low, line.high) if line.low <= value <= line.high]
    if len(inside) > _MOST_TICKS:  # the powers of ten alone
        inside = [value for value in inside if math.log10(value) == round(math.log10(value))]
    inside = inside[:: -(-len(inside) // _MOST_TICKS) or 1]
    for value in inside:
        yield Tick(line.place(value), write(value))


def _numbers(verdict: Verdict) -> Marks | None:
    estimate, low, high = verdict.estimate, verdict.ci_low, verdict.ci_high
    if estimate is None or (low is None and high is None):
        return None
    return Marks(estimate, -math.inf if low is None else low, math.inf if high is None else high)
