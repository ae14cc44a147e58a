"""From the usable blocks of a claim's variants to a verdict with its reason: one function an estimand."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tf_claims.cells.measurements import Blocks
from tf_claims.estimands.rules import judge_attribution, judge_cost_model, judge_equivalence, judge_ratio, judge_value
from tf_claims.model.scenario import Attribution, CostModel, Equivalence, Ratio, Value
from tf_claims.model.verdict import VerdictWord
from tf_claims.statistics.attribution import attribute
from tf_claims.statistics.cost_model import Comparison, compare
from tf_claims.statistics.equivalence import equivalence
from tf_claims.statistics.intervals import Estimate, Floats, mean_over_blocks
from tf_claims.statistics.p_values import equivalence_p_value, ratio_p_value
from tf_claims.statistics.ratio import ratio
from tf_claims.verdicts.questions import Question
from tf_claims.words.wording import interval, names, number, ratio_phrase

POOR_FIT = 0.25  # a cost model that misses typical times by more says so


class Row(NamedTuple):
    """A line of ``estimates.csv``."""

    quantity: str
    estimate: Estimate
    method: str


class Finding(NamedTuple):
    """A verdict with its sentence; ``headline`` is the estimate that stands beside the published number.

    ``half_width`` is that of the 95 % interval which decides: relative, for a share in parts of the effect, and None
    where no interval does. ``p_value`` is that of the test behind a ratio or an equivalence.
    """

    verdict: VerdictWord
    reason: str
    headline: Estimate | None
    rows: list[Row]
    details: dict[str, Any] = {}
    half_width: float | None = None
    p_value: float | None = None


def find(question: Question, blocks: Blocks) -> Finding:
    """The verdict on a claim from at least two usable blocks."""
    return _FIND[question.claim.kind](question, blocks)


def _ratio(question: Question, blocks: Blocks) -> Finding:
    claim = question.claim
    estimand, published = claim.estimand, claim.published.value
    assert isinstance(estimand, Ratio) and published is not None
    of_times, to_times = blocks.values.T
    found = ratio(of_times, to_times, strata=blocks.strata)
    assert found.value is not None
    word = judge_ratio(found.value, found.interval, published, estimand.within_factor)
    of, to = names(*(variant.levels for variant in question.selection.variants))
    reason = f"{ratio_phrase(estimand.metric, of, to, found.value)} ({interval(found)}); published: {published:,g}"
    if estimand.at_paper_size is not None:
        reason += f"; both scaled to the published {estimand.at_paper_size}"
    reason += {
        "direction only": f"; the size is not within a factor of {estimand.within_factor:g} of it",
        "contradicted": "; it lies on the other side of 1",
        "inconclusive": "; the interval includes 1",
    }.get(word, "")
    rows = [Row("ratio", found, "geometric mean of ratios within blocks, Student interval")]
    p_value = ratio_p_value(of_times, to_times, blocks.strata)
    return Finding(word, reason, found, rows, half_width=relative_half_width(found), p_value=p_value)


def _equivalence(question: Question, blocks: Blocks) -> Finding:
    estimand = question.claim.estimand
    assert isinstance(estimand, Equivalence)
    relative = estimand.scale == "relative"
    sides = blocks.values[:, 0], blocks.values[:, 1]
    result = equivalence(*sides, estimand.margin, relative, blocks.strata)
    found = result.estimate
    assert found.value is not None
    word = judge_equivalence(found.interval, result.tests.interval, result.margin)
    of, to = names(*(variant.levels for variant in question.selection.variants))
    margin = f"margin {number(result.margin[0])} to {number(result.margin[1])}"
    if relative:
        measured = ratio_phrase(estimand.metric, of, to, found.value)
    else:
        measured = f"{estimand.metric} of {of} less that of {to} is {number(found.value)}"
    tests = interval(result.tests).replace("95 %", "90 %")
    outcome = {
        "reproduced": "equivalent by two one-sided tests",
        "contradicted": "the difference exceeds the margin",
        "inconclusive": "neither equivalence nor a difference beyond the margin is shown",
    }[word]
    method = "two one-sided tests at 5 % (90 % interval inside the margin)"
    rows = [
        Row("ratio" if relative else "difference", found, "Student interval"),
        Row("90 % interval", result.tests, method),
    ]
    half_width = relative_half_width(found) if relative else _half_width(found) / abs(float(np.mean(sides[1])))
    reason = f"{measured} ({interval(found)}, {tests}; {margin}): {outcome}"
    p_value = equivalence_p_value(*sides, result.margin, relative, blocks.strata)
    return Finding(word, reason, found, rows, half_width=half_width, p_value=p_value)


def _value(question: Question, blocks: Blocks) -> Finding:
    estimand = question.claim.estimand
    assert isinstance(estimand, Value)
    means = [mean_over_blocks(column, strata=blocks.strata) for column in blocks.values.T]
    measured = [
        (float(mean.value or 0.0), each.equals, each.within)
        for mean, each in zip(means, estimand.metrics.values(), strict=True)
    ]
    word = judge_value(measured, len(blocks.blocks))
    parts = [
        f"{name} is {value:.7g} (expected {equals:.7g} ± {within:g})"
        for name, (value, equals, within) in zip(estimand.metrics, measured, strict=True)
    ]
    worst = int(np.argmax([abs(value - equals) / within for value, equals, within in measured]))
    rows = [
        Row(name, mean, "mean over blocks, Student interval")
        for name, mean in zip(estimand.metrics, means, strict=True)
    ]
    details = {"shown": list(estimand.metrics)[worst], "expected": measured[worst][1], "within": measured[worst][2]}
    return Finding(word, "; ".join(parts), means[worst], rows, details)


def _cost_model(question: Question, blocks: Blocks) -> Finding:
    estimand = question.claim.estimand
    assert isinstance(estimand, CostModel)
    sizes = np.array(question.selection.sizes, float)
    of_times, to_times = np.hsplit(blocks.values, 2)
    found = compare(sizes, of_times, to_times, blocks.strata)
    word = judge_cost_model(found.fixed_ratio.interval, found.fall.interval, found.per_point_ratio.interval)
    variants = question.selection.variants
    of, to = names(variants[0].levels, variants[len(sizes)].levels)
    method = "fit of a + b*size by relative error in each block, geometric mean over blocks, Student interval"
    rows = [
        Row(f"a of {of} (s)", found.of_fixed, method),
        Row(f"b of {of} (s per {estimand.size})", found.of_per_point, method),
        Row(f"a of {to} (s)", found.to_fixed, method),
        Row(f"b of {to} (s per {estimand.size})", found.to_per_point, method),
        Row("a ratio", found.fixed_ratio, method),
        Row("b ratio", found.per_point_ratio, method),
        Row("a ratio / b ratio", found.fall, method),
    ]
    if found.crossover is not None:
        rows.append(Row(f"crossover ({estimand.size})", found.crossover, method))
    reason = _cost_sentence(found, of, to, estimand, sizes, len(blocks.blocks))
    details = {"misfit": found.misfit, "blocks_with_crossover": found.crossing}
    return Finding(word, reason, found.crossover, rows, details, relative_half_width(found.fixed_ratio))


def _cost_sentence(found: Comparison, of: str, to: str, model: CostModel, sizes: Floats, blocks: int) -> str:
    ratios = (found.fixed_ratio, found.per_point_ratio, found.fall)
    if any(each.value is None for each in ratios):
        return f"the fit found no fixed cost, or none per {model.size}, in some of the {blocks} blocks"
    fixed, per_point, fall = (each.value or 0.0 for each in ratios)
    change = f"falls by a factor of {number(fall)}" if fall > 1 else f"rises by a factor of {number(1 / fall)}"
    text = (
        f"the fixed cost of {of} per {model.per.removesuffix('s')} is {number(fixed)} times that of {to} "
        f"({interval(found.fixed_ratio)}), its cost per {model.size} {number(per_point)} times "
        f"({interval(found.per_point_ratio)}), so the ratio {change} as {model.size} grows"
    )
    if found.misfit > POOR_FIT:
        text += f"; the straight line misses a typical time by up to {100 * found.misfit:.0f} %"
    if found.crossover is None or found.crossover.value is None:
        return f"{text}; the lines cross in {found.crossing} of {blocks} blocks"
    beyond = not sizes.min() <= found.crossover.value <= sizes.max()
    where = ", beyond the sizes measured" if beyond else ""
    return f"{text}; equal at {model.size} = {number(found.crossover.value)} ({interval(found.crossover)}{where})"


def _attribution(question: Question, blocks: Blocks) -> Finding:
    estimand = question.claim.estimand
    assert isinstance(estimand, Attribution)
    factors = list(estimand.factors)
    found = attribute(blocks.values, len(factors), blocks.strata)
    cause = factors.index(estimand.cause)
    share = found.shares[cause]
    word = judge_attribution(found.total.interval, share.interval, estimand.at_least)
    rows = [Row("after / before", found.total, "geometric mean of ratios within blocks, Student interval")]
    for factor, each, effect in zip(factors, found.shares, found.effects, strict=True):
        rows.append(Row(f"share of {factor}", each, "mean over blocks of its part of log(after / before)"))
        rows.append(Row(f"effect of {factor}", effect, "factor of after / before, averaged over the orders"))
    for chosen, effect in found.interactions.items():
        combined = " x ".join(factors[factor] for factor in chosen)
        rows.append(Row(f"interaction {combined}", effect, "contrast of the factorial, as a factor"))
    if share.value is None or found.total.value is None:
        return Finding("inconclusive", "there is no change to explain in some blocks", None, rows)
    percent = ", ".join(
        f"{factor} {100 * (each.value or 0.0):.0f} %" for factor, each in zip(factors, found.shares, strict=True)
    )
    reason = (
        f"{estimand.metric} changes by a factor of {number(found.total.value)} ({interval(found.total)}), of which "
        f"{percent}; the share of {estimand.cause} is {number(share.value)} ({interval(share)}), "
        f"claimed: at least {estimand.at_least:g}"
    )
    return Finding(word, reason, share, rows, half_width=_half_width(share))


def relative_half_width(estimate: Estimate) -> float | None:
    """Of an interval made on the log scale: 0.05 where its ends are the estimate times and divided by 1.05."""
    if estimate.low is None or estimate.high is None or not estimate.low > 0:
        return None
    return math.sqrt(estimate.high / estimate.low) - 1


def _half_width(estimate: Estimate) -> float:
    low, high = estimate.interval or (0.0, math.inf)
    return (high - low) / 2


_FIND: dict[str, Callable[[Question, Blocks], Finding]] = {
    "ratio": _ratio,
    "equivalence": _equivalence,
    "value": _value,
    "cost_model": _cost_model,
    "attribution": _attribution,
}
