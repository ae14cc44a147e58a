"""The truth table of the verdict rules: what is given, and the word that must follow. Tests assert every row."""

from __future__ import annotations

from typing import NamedTuple

from tf_claims.estimands import attribution, cost_model, equivalence, ratio, value
from tf_claims.model.estimand import VerdictWord

Interval = tuple[float, float]
ABOVE, BELOW, ACROSS = (1.2, 1.5), (0.5, 0.8), (0.9, 1.1)


class RuleCase(NamedTuple):
    """A rule, the ``given`` in words, what the rule ``said`` and the ``expected`` word."""

    rule: str
    given: str
    said: VerdictWord
    expected: VerdictWord


_RATIO: list[tuple[float, Interval | None, float, float, VerdictWord]] = [
    # estimate, interval, published, within a factor
    (12.0, (11.0, 13.0), 10, 2, "reproduced"),
    (20.0, (19.0, 21.0), 10, 2, "reproduced"),  # the factor itself is within it
    (5.0, (4.0, 6.0), 10, 2, "reproduced"),
    (21.0, (20.0, 22.0), 10, 2, "direction only"),
    (4.0, (3.0, 5.0), 10, 2, "direction only"),
    (4.0, (3.0, 5.0), 10, 3, "reproduced"),
    (0.5, (0.4, 0.6), 10, 2, "contradicted"),
    (1.1, (0.9, 1.3), 10, 2, "inconclusive"),
    (10.0, (1.0, 100.0), 10, 2, "inconclusive"),  # an interval that ends at 1 includes it
    (10.0, None, 10, 2, "inconclusive"),
    (1.2, (1.1, 1.3), 1.14, 2, "reproduced"),
    (0.9, (0.85, 0.95), 1.14, 2, "contradicted"),
    (0.5, (0.4, 0.6), 0.4, 2, "reproduced"),
    (0.2, (0.1, 0.3), 0.4, 2, "reproduced"),
    (0.1, (0.09, 0.11), 0.4, 2, "direction only"),
    (0.9, (0.85, 0.95), 0.4, 2, "direction only"),
    (1.5, (1.4, 1.6), 0.4, 2, "contradicted"),
    (0.8, (0.5, 1.2), 0.4, 2, "inconclusive"),
    (0.4, (0.2, 1.0), 0.4, 2, "inconclusive"),
    (0.4, None, 0.4, 2, "inconclusive"),
]
_MARGIN = (1 / 1.1, 1.1)
_EQUIVALENCE: list[tuple[Interval | None, Interval | None, VerdictWord]] = [
    # 95 % interval, 90 % interval
    ((0.97, 1.05), (0.98, 1.04), "reproduced"),
    ((1.02, 1.05), (1.03, 1.04), "reproduced"),  # a difference, but a small one
    ((0.90, 1.12), (0.92, 1.09), "reproduced"),  # the 90 % interval decides
    ((0.80, 1.30), (0.85, 1.25), "inconclusive"),  # too wide to conclude anything
    ((1.05, 1.20), (1.06, 1.19), "inconclusive"),
    ((0.80, 0.95), (0.81, 0.94), "inconclusive"),
    ((1.09, 1.20), (1.11, 1.19), "inconclusive"),  # the 95 % interval decides that it is contradicted
    ((1.11, 1.20), (1.12, 1.19), "contradicted"),
    ((0.70, 0.85), (0.72, 0.83), "contradicted"),
    ((0.90, 1.10), (0.91, 1.10), "inconclusive"),  # at the margin is not inside it
    ((1.10, 1.20), (1.12, 1.19), "inconclusive"),  # nor outside
    (None, None, "inconclusive"),
]
_VALUE: list[tuple[list[tuple[float, float, float]], int, VerdictWord]] = [
    # (measured, expected, tolerated) of each metric, blocks
    ([(1.0, 1.0, 0.1)], 2, "reproduced"),
    ([(1.125, 1.0, 0.125)], 2, "reproduced"),
    ([(0.875, 1.0, 0.125)], 2, "reproduced"),
    ([(1.2, 1.0, 0.1)], 2, "contradicted"),
    ([(0.8, 1.0, 0.1)], 2, "contradicted"),
    ([(1.0, 1.0, 0.1), (2.2, 2.0, 0.1)], 5, "contradicted"),
    ([(1.0, 1.0, 0.1)], 1, "inconclusive"),
    ([], 0, "inconclusive"),
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
            "ratio",
            f"estimate {estimate:g}, interval {_text(interval)}; published {published:g}, within a factor {factor:g}",
            ratio.judge(estimate, interval, published, factor),
            word,
        )
        for estimate, interval, published, factor, word in _RATIO
    ]
    table += [
        RuleCase(
            "equivalence",
            f"95 % interval {_text(interval)}, 90 % interval {_text(tests)}; margin {_text(_MARGIN)}",
            equivalence.judge(interval, tests, _MARGIN),
            word,
        )
        for interval, tests, word in _EQUIVALENCE
    ]
    table += [
        RuleCase("value", f"{_values(found)}; {blocks} blocks", value.judge(found, blocks), word)
        for found, blocks, word in _VALUE
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


def _values(found: list[tuple[float, float, float]]) -> str:
    texts = [f"{measured:g} for {expected:g} ± {within:g}" for measured, expected, within in found]
    return ", ".join(texts) or "no metric"
