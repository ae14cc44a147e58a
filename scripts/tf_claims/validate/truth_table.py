"""The truth table of the verdict rules: what is given, and the word that must follow. Tests assert every row."""

from __future__ import annotations

import math
from typing import NamedTuple

from tf_claims.estimands import attribution, cost_model, equivalence, ratio, value
from tf_claims.model.estimand import Side, Size, VerdictWord

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
_COST_MODEL: list[tuple[Interval | None, Interval | None, Interval | None, VerdictWord]] = [
    # ratio of the fixed costs, fall of the ratio with size, ratio of the costs per point
    (ABOVE, ABOVE, BELOW, "reproduced"),
    (ABOVE, ABOVE, ACROSS, "direction only"),
    (ABOVE, ABOVE, ABOVE, "direction only"),
    (ABOVE, ACROSS, BELOW, "inconclusive"),
    (ABOVE, BELOW, ABOVE, "contradicted"),
    (ACROSS, ABOVE, BELOW, "inconclusive"),
    (ACROSS, ACROSS, ACROSS, "inconclusive"),
    (ACROSS, BELOW, ABOVE, "contradicted"),
    (BELOW, ABOVE, BELOW, "contradicted"),
    (BELOW, ACROSS, BELOW, "contradicted"),
    (BELOW, BELOW, ABOVE, "contradicted"),
    (None, ABOVE, BELOW, "inconclusive"),
    (ABOVE, None, BELOW, "inconclusive"),
    (ABOVE, ABOVE, None, "inconclusive"),
]
_ATTRIBUTION: list[tuple[Interval | None, Interval | None, VerdictWord]] = [
    # the whole effect, the share of the cause
    (ABOVE, (0.6, 0.9), "reproduced"),
    (BELOW, (0.6, 0.9), "reproduced"),
    (ABOVE, (0.1, 0.4), "contradicted"),
    (ABOVE, (0.4, 0.6), "inconclusive"),
    (ABOVE, (0.5, 0.9), "inconclusive"),  # "more than" is not "as much as"
    (ACROSS, (0.6, 0.9), "inconclusive"),  # no effect, nothing to attribute
    (ACROSS, (0.1, 0.4), "inconclusive"),
    (None, (0.6, 0.9), "inconclusive"),
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
            "cost model",
            f"ratio of fixed costs {_text(fixed)}, fall with size {_text(fall)}, ratio per point {_text(per_point)}",
            cost_model.judge(fixed, fall, per_point),
            word,
        )
        for fixed, fall, per_point, word in _COST_MODEL
    ]
    table += [
        RuleCase(
            "attribution",
            f"effect {_text(total)}, share of the cause {_text(share)}; claimed: more than 0.5",
            attribution.judge(total, share, 0.5),
            word,
        )
        for total, share, word in _ATTRIBUTION
    ]
    return table


def _text(interval: Interval | None) -> str:
    return "none" if interval is None else f"{interval[0]:.3g} to {interval[1]:.3g}"


def _of_ratio(interval: Interval | None, published: float, only_side: bool) -> ratio.Ruling:
    ends = None if interval is None else sorted(math.log(end) / math.log(published) for end in interval)
    share = None if ends is None else (ends[0], ends[1])
    return ratio.judge_side(share) if only_side else ratio.judge(share, published)


def _parts(side: Side, size: Size) -> str:
    return f"side {side}, size {size}"
