"""How a run was measured and judged, from its preset, its scenarios and the constants of the analysis."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence

from tf_claims.cells import quality
from tf_claims.model.scenario import Attribution, Claim, CostModel, Equivalence, Ratio, Scenario, Value
from tf_claims.model.study import read_preset
from tf_claims.model.verdict import Verdict
from tf_claims.publish.conditions import Conditions
from tf_claims.publish.paper_model import Design, Method
from tf_claims.statistics import family, intervals, precision
from tf_claims.words.numbers import count, number, percent_of, published_number


def method(
    preset: str, scenarios: Mapping[str, Scenario], verdicts: Sequence[Verdict], conditions: Conditions
) -> Method:
    """:raises InputError: for an unknown preset, and for a scenario that does not have it."""
    of_preset = read_preset(preset)
    return Method(
        preset=preset,
        description=of_preset.description,
        seed=str(of_preset.seed),
        threads=count(of_preset.threads, "CPU"),
        processes=count(conditions.processes, "process", "processes"),
        blocks=count(conditions.blocks, "block"),
        environments=count(len({each.environment for each in verdicts if each.blocks}), "environment"),
        containers=conditions.engines == ["container"],
        designs=[
            _design(name, scenario, preset, [each for each in verdicts if each.scenario == name])
            for name, scenario in scenarios.items()
        ],
        confidence=percent_of(inspect.signature(intervals.geometric_mean_over_blocks).parameters["confidence"].default),
        level=percent_of(family.LEVEL),
        resamples=number(intervals.RESAMPLES),
        further=number(precision.FURTHER),
        growth=number(precision.MOST_GROWTH),
        precision=percent_of(Claim.model_fields["precision"].default),
        disturbed=_limits(),
    )


def decision(claim: Claim) -> str:
    """When a claim counts as reproduced."""
    match claim.estimand:
        case Ratio(within_factor=factor):
            return f"ratio, within a factor of {published_number(factor)} of the published one"
        case Equivalence(margin=margin, scale="relative"):
            return f"equivalence, margin {percent_of(margin)}"
        case Equivalence(margin=margin, metric=metric):
            return f"equivalence, margin {number(margin)} in {metric}"
        case Value(metrics=metrics):
            known = (f"{name} = {each.equals:.10g} ± {number(each.within)}" for name, each in metrics.items())
            return f"known value: {'; '.join(known)}"
        case CostModel(size=size):
            return f"cost model: a larger fixed cost, a smaller cost by {size}"
        case Attribution(cause=cause, at_least=share):
            return f"attribution: {cause} explains more than {percent_of(share)}"


def _design(name: str, scenario: Scenario, preset: str, verdicts: Sequence[Verdict]) -> Design:
    measured = {each.environment for each in verdicts if each.blocks}
    rule = scenario.preset(preset).blocks
    factors = (f"{factor} ({len(levels)})" for factor, levels in scenario.factors.items())
    return Design(
        scenario=name,
        factors=", ".join(factors),
        variants=_span([len(scenario.variants(preset, environment)) for environment in measured]),
        least=number(rule.least),
        most=number(rule.most),
        minutes="none" if rule.minutes is None else f"{rule.minutes:g} min",
        measured=_span([each.blocks for each in verdicts if each.blocks]),
    )


def _limits() -> list[str]:
    return [
        f"other programs used more than {number(quality.OTHERS_MOST)} s of CPU time a second "
        f"and more than {percent_of(quality.OTHERS_SHARE_MOST)} of all CPUs",
        f"other virtual machines took more than {number(quality.STEAL_MOST)} s of CPU time a second",
        f"some task waited for a CPU in more than {percent_of(quality.PRESSURE_MOST)} of the block",
        f"the block’s processes were interrupted more than {number(quality.SWITCHES_MOST)} times a second",
        f"the calibration changed by more than a factor of {number(1 + quality.DRIFT_MOST, 2)} from before to after",
        f"the CPU frequency under load changed by more than {percent_of(quality.FREQUENCY_CHANGE_MOST)}",
    ]


def _span(values: Sequence[int]) -> str:
    if not values:
        return "none"
    low, high = min(values), max(values)
    return number(low) if low == high else f"{number(low)}–{number(high)}"
