"""The verdict rules: pure functions of numbers, as the design states them. An interval is None where there is none."""

from __future__ import annotations

from collections.abc import Iterable

from tf_claims.model.verdict import VerdictWord

Interval = tuple[float, float]


def judge_ratio(estimate: float, interval: Interval | None, published: float, within_factor: float) -> VerdictWord:
    """Which side of 1, and how near to the published ratio, which is not 1 itself."""
    if interval is None:
        return "inconclusive"
    side = _side(interval, 1.0)
    if side == 0:
        return "inconclusive"
    if side != (1 if published > 1 else -1):
        return "contradicted"
    near = published / within_factor <= estimate <= published * within_factor
    return "reproduced" if near else "direction only"


def judge_equivalence(interval: Interval | None, tests: Interval | None, margin: Interval) -> VerdictWord:
    """``tests`` is the 90 % interval, whose inclusion in the margin is two one-sided tests at 5 %."""
    if interval is None or tests is None:
        return "inconclusive"
    if margin[0] < tests[0] and tests[1] < margin[1]:
        return "reproduced"
    return "contradicted" if interval[1] < margin[0] or interval[0] > margin[1] else "inconclusive"


def judge_value(found: Iterable[tuple[float, float, float]], blocks: int) -> VerdictWord:
    """``found`` holds measured, expected and tolerated deviation of each metric."""
    if blocks < 2:
        return "inconclusive"
    return "reproduced" if all(abs(value - expected) <= within for value, expected, within in found) else "contradicted"


def judge_cost_model(
    fixed_ratio: Interval | None, fall: Interval | None, per_point_ratio: Interval | None
) -> VerdictWord:
    """That a fixed cost dominates (``fixed_ratio`` > 1), the ratio ``fall``s with size, and the lines cross (< 1)."""
    if fixed_ratio is None or fall is None or per_point_ratio is None:
        return "inconclusive"
    if _side(fixed_ratio, 1.0) < 0 or _side(fall, 1.0) < 0:
        return "contradicted"
    if _side(fixed_ratio, 1.0) == 0 or _side(fall, 1.0) == 0:
        return "inconclusive"
    return "reproduced" if _side(per_point_ratio, 1.0) < 0 else "direction only"


def judge_attribution(total: Interval | None, share: Interval | None, at_least: float) -> VerdictWord:
    """Whether one cause's ``share`` of an effect exceeds ``at_least``; without an effect there is nothing to share."""
    if total is None or share is None or _side(total, 1.0) == 0:
        return "inconclusive"
    return {1: "reproduced", -1: "contradicted", 0: "inconclusive"}[_side(share, at_least)]  # type: ignore[return-value]


def _side(interval: Interval, of: float) -> int:
    """1 where the whole interval lies above, -1 where it lies below, 0 where it does neither."""
    low, high = interval
    return 1 if low > of else -1 if high < of else 0
