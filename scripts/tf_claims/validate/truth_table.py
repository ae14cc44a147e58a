"""The truth table of the verdict rules: what is given, and the word that must follow. Tests assert every row."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from tf_claims.estimands import attribution, cost_model, equivalence, ratio, value
from tf_claims.model.estimand import Side, Size, VerdictWord
from tf_claims.statistics.attribution import attribute

Interval = tuple[float, float]
ABOVE, BELOW, ACROSS = (1.2, 1.5), (0.5, 0.8), (0.9, 1.1)


class RuleCase(NamedTuple):
    """A rule, the ``given`` in words, what the rule ``said`` and what is ``expected``: a word, or one with parts."""

    rule: str
    given: str
    said: VerdictWord
    expected: VerdictWord
    said_parts: str = ""
    expected_parts: str = ""


_RATIO: list[tuple[Interval | None, float, VerdictWord, Side, Size]] = [
    # interval of the ratio, published; of a published 10 the band is 5 to 20, and a third of the effect 2.15
    ((11.0, 13.0), 10, "reproduced", "holds", "inside"),
    ((5.01, 19.9), 10, "reproduced", "holds", "inside"),
    ((19.0, 21.0), 10, "direction only", "holds", "undecided"),
    ((1.01, 360.0), 10, "direction only", "holds", "undecided"),
    ((20.5, 22.0), 10, "direction only", "holds", "outside"),
    ((2.5, 4.5), 10, "direction only", "holds", "outside"),
    ((1.5, 2.5), 10, "direction only", "holds", "outside"),
    ((1.5, 2.1), 10, "contradicted", "holds", "outside"),  # less than a third of the effect
    ((0.999, 1.001), 10, "contradicted", "open", "outside"),
    ((0.4, 0.6), 10, "contradicted", "opposite", "outside"),
    ((0.9, 2.5), 10, "inconclusive", "open", "outside"),
    ((1.0, 100.0), 10, "inconclusive", "open", "undecided"),  # an interval that ends at 1 includes it
    (None, 10, "inconclusive", "open", "undecided"),
    ((1.005, 1.015), 24.7, "contradicted", "holds", "outside"),
    ((1.10, 1.18), 1.14, "reproduced", "holds", "inside"),  # a small effect has a narrow band: 1.09 to 1.19
    ((1.05, 1.18), 1.14, "direction only", "holds", "undecided"),
    ((2.4, 2.8), 1.53, "direction only", "holds", "outside"),
    ((1.1, 1.25), 2.11, "contradicted", "holds", "outside"),
    ((0.3, 0.5), 0.4, "reproduced", "holds", "inside"),
    ((0.09, 0.11), 0.4, "direction only", "holds", "outside"),
    ((0.85, 0.95), 0.4, "contradicted", "holds", "outside"),
    ((1.4, 1.6), 0.4, "contradicted", "opposite", "outside"),
    ((0.2, 1.0), 0.4, "inconclusive", "open", "undecided"),
]
_SIDE: list[tuple[Interval | None, float, VerdictWord, Side, Size]] = [
    # interval of the ratio, published: only its side counts
    ((1.01, 1.02), 10, "reproduced", "holds", "none"),
    ((50.0, 60.0), 1.5, "reproduced", "holds", "none"),
    ((0.9, 1.1), 10, "inconclusive", "open", "none"),
    ((1.0, 1.1), 10, "inconclusive", "open", "none"),
    ((0.8, 0.9), 10, "contradicted", "opposite", "none"),
    ((0.8, 0.9), 0.1, "reproduced", "holds", "none"),
    (None, 10, "inconclusive", "open", "none"),
]
_MARGIN = (1 / 1.1, 1.1)
_EQUIVALENCE: list[tuple[Interval | None, VerdictWord]] = [
    # 90 % interval
    ((0.98, 1.04), "reproduced"),
    ((1.03, 1.04), "reproduced"),  # a difference, but a small one
    ((0.92, 1.09), "reproduced"),
    ((0.85, 1.25), "inconclusive"),  # too wide to conclude anything
    ((1.06, 1.19), "inconclusive"),
    ((0.81, 0.94), "inconclusive"),
    ((1.11, 1.19), "contradicted"),
    ((0.72, 0.83), "contradicted"),
    ((0.91, 1.10), "inconclusive"),  # at the margin is not inside it
    ((1.10, 1.19), "inconclusive"),  # nor outside
    (None, "inconclusive"),
]
_VALUE: list[tuple[int, int, VerdictWord]] = [
    # blocks, those of them outside the tolerance
    (2, 0, "reproduced"),
    (9, 0, "reproduced"),
    (2, 2, "contradicted"),
    (9, 1, "contradicted"),  # a known value holds in every block
    (1, 0, "inconclusive"),
    (0, 0, "inconclusive"),
]
_FIXED: list[tuple[Interval | None, float, VerdictWord]] = [
    # size at which half of the cost is fixed, by the size claimed; by how much the lines miss a typical time
    (ABOVE, 0.0, "reproduced"),
    (ABOVE, 0.1, "reproduced"),
    (ABOVE, 0.2, "inconclusive"),  # the miss could turn it
    ((20.0, 30.0), 0.25, "reproduced"),
    ((20.0, 30.0), 0.26, "inconclusive"),  # a poor fit
    (ACROSS, 0.0, "inconclusive"),
    (BELOW, 0.0, "contradicted"),
    (BELOW, 0.25, "inconclusive"),
    ((0.02, 0.03), 0.26, "inconclusive"),
    (None, 0.0, "inconclusive"),
]
_CROSSING: list[tuple[Interval | None, float, VerdictWord]] = [
    # ratio of the costs per point; by how much the lines miss a typical time
    (BELOW, 0.0, "reproduced"),
    (BELOW, 0.2, "reproduced"),
    ((0.5, 0.95), 0.1, "inconclusive"),  # the miss could turn it
    (BELOW, 0.3, "inconclusive"),  # a poor fit
    (ACROSS, 0.0, "inconclusive"),
    (ABOVE, 0.1, "contradicted"),
    (ABOVE, 0.2, "inconclusive"),
    ((2.0, 3.0), 0.3, "inconclusive"),
    (None, 0.0, "inconclusive"),
]
_ATTRIBUTION: list[tuple[str, tuple[float, float, float, float], VerdictWord]] = [
    # what the factors do; a time for each corner: before, second factor changed, cause changed, both; the word
    ("cause x10, other x1", (1, 1, 10, 10), "reproduced"),
    ("cause /10, other x1", (1, 1, 0.1, 0.1), "reproduced"),
    ("cause x10, other x2", (1, 2, 10, 20), "reproduced"),
    ("cause x10, other /2", (1, 0.5, 10, 5), "reproduced"),  # 0.77 of all that is done
    ("cause x10, other /9", (1, 1 / 9, 10, 10 / 9), "direction only"),  # x1.11 is left
    ("cause /9, other x10", (1, 10, 1 / 9, 10 / 9), "contradicted"),  # it works against the change
    ("cause x10, other /10", (1, 0.1, 10, 1), "inconclusive"),  # no change is left
    ("cause x2, other x2", (1, 2, 2, 4), "direction only"),
    ("cause x2, other x10", (1, 10, 2, 20), "contradicted"),
    ("cause x1, other x10", (1, 10, 1, 10), "contradicted"),
    ("cause x1, other x1", (1, 1, 1, 1), "inconclusive"),
    ("x10 only together", (1, 1, 1, 10), "direction only"),  # halved between them: each needs the other
    ("cause x10, x30 together", (1, 1, 10, 30), "reproduced"),
    ("cause x2, x20 together", (1, 1, 2, 20), "direction only"),
    ("cause x1, other x2, x8 together", (1, 2, 1, 8), "inconclusive"),
]
_WEIGHT: list[tuple[Interval | None, Interval | None, VerdictWord]] = [
    # the whole change, the weight of the cause
    (ABOVE, (0.7, 0.9), "reproduced"),
    (BELOW, (0.7, 0.9), "reproduced"),
    (ABOVE, (0.6, 0.9), "direction only"),
    (ABOVE, (0.4, 0.6), "direction only"),
    (ABOVE, (0.3, 0.6), "inconclusive"),
    (ABOVE, (0.1, 0.9), "inconclusive"),
    (ABOVE, (0.1, 0.3), "contradicted"),
    (ABOVE, (-0.9, -0.2), "contradicted"),
    (ACROSS, (0.7, 0.9), "inconclusive"),  # no change is shown, there is nothing to have a cause
    (ACROSS, (0.1, 0.3), "inconclusive"),
    (None, (0.7, 0.9), "inconclusive"),
    (ABOVE, None, "inconclusive"),
]


def rows() -> list[RuleCase]:
    """The whole table, judged now."""
    table = [
        RuleCase(
            rule,
            f"interval {_text(interval)}; published {published:g}",
            ruling.word,
            word,
            _parts(ruling.side, ruling.size),
            _parts(side, size),
        )
        for rule, only_side, cases in (("ratio", False, _RATIO), ("ratio, a side only", True, _SIDE))
        for interval, published, word, side, size in cases
        for ruling in [_of_ratio(interval, published, only_side)]
    ]
    table += [
        RuleCase(
            "equivalence",
            f"90 % interval {_text(tests)}; margin {_text(_MARGIN)}",
            equivalence.judge(tests, _MARGIN),
            word,
        )
        for tests, word in _EQUIVALENCE
    ]
    table += [
        RuleCase("value", f"outside the tolerance in {missed} of {blocks} blocks", value.judge(blocks, missed), word)
        for blocks, missed, word in _VALUE
    ]
    table += [
        RuleCase(
            rule,
            f"{given} {_text(interval)}; the lines miss by {100 * misfit:.0f} %",
            cost_model.judge(interval, 1.0, above_it, misfit),
            word,
        )
        for rule, given, above_it, cases in (
            ("cost model, fixed", "size at which half is fixed / size claimed", True, _FIXED),
            ("cost model, crossing", "ratio per point", False, _CROSSING),
        )
        for interval, misfit, word in cases
    ]
    table += [RuleCase("attribution", given, _of_corners(times), word) for given, times, word in _ATTRIBUTION]
    table += [
        RuleCase(
            "attribution",
            f"change {_text(total)}, weight of the cause {_text(weight)}",
            attribution.judge(total, weight)[0],
            word,
        )
        for total, weight, word in _WEIGHT
    ]
    return table


def _text(interval: Interval | None) -> str:
    return "none" if interval is None else f"{interval[0]:.3g} to {interval[1]:.3g}"


def _of_ratio(interval: Interval | None, published: float, only_side: bool) -> ratio.Ruling:
    ends = None if interval is None else sorted(math.log(end) / math.log(published) for end in interval)
    share = None if ends is None else (ends[0], ends[1])
    return ratio.judge_side(share) if only_side else ratio.judge(share, published)


def _of_corners(times: tuple[float, ...]) -> VerdictWord:
    """Of four blocks that differ by a per cent, each corner by itself."""
    noise = np.random.default_rng(1).lognormal(0, 0.01, (4, len(times)))
    found = attribute(np.array(times) * noise, 2)
    return attribution.judge(found.total.interval, found.weights[0].interval)[0]


def _parts(side: Side, size: Size) -> str:
    return f"side {side}, size {size}"
