"""How a run was measured and judged, from its preset, its scenarios and the constants of the analysis."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

from runner import disturbed
from tf_claims.cells import quality
from tf_claims.model.claim import Claim
from tf_claims.model.scenario import Scenario
from tf_claims.model.study import Study
from tf_claims.model.verdict import Verdict
from tf_claims.publish.conditions import Conditions
from tf_claims.publish.paper_model import Design, Method
from tf_claims.statistics import family, intervals, precision
from tf_claims.verdicts import sensitivity
from tf_claims.words.numbers import count, number, percent_of


def method(study: Study, verdicts: Sequence[Verdict], conditions: Conditions) -> Method:
    """How the study was measured and judged, of the scenarios that have verdicts."""
    judged = {each.scenario for each in verdicts}
    return Method(
        preset=study.name,
        description=study.preset.description,
        seed=str(study.seed),
        threads=count(study.preset.threads, "CPU"),
        processes=count(conditions.processes, "process", "processes"),
        blocks=count(conditions.blocks, "block"),
        environments=count(len({each.environment for each in verdicts if each.blocks}), "environment"),
        containers=conditions.engines == ["container"],
        designs=[
            _design(name, scenario, study.name, [each for each in verdicts if each.scenario == name])
            for name, scenario in study.scenarios.items()
            if name in judged
        ],
        confidence=percent_of(inspect.signature(intervals.geometric_mean_over_blocks).parameters["confidence"].default),
        level=percent_of(family.LEVEL),
        robust=percent_of(sensitivity.ROBUST),
        narrower=number(sensitivity.NARROWER, 2),
        wider=number(sensitivity.WIDER),
        further=number(precision.FURTHER),
        growth=number(precision.MOST_GROWTH),
        precision=percent_of(Claim.model_fields["precision"].default),
        disturbed=_limits(),
        rules=study.rules.registered.sha256 if study.rules.registered else "",
    )


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
        f"other programs used more than {number(disturbed.OTHERS_MOST)} s of CPU time a second "
        f"and more than {percent_of(disturbed.OTHERS_SHARE_MOST)} of all CPUs",
        f"other virtual machines took more than {number(disturbed.STEAL_MOST)} s of CPU time a second",
        f"a quota of CPU time stopped it for more than {percent_of(disturbed.THROTTLED_MOST)} of the time",
        "others used its GPU",
        f"the calibration changed by more than a factor of {number(1 + quality.DRIFT_MOST, 2)} over its block",
        f"the CPU frequency under load changed by more than {percent_of(quality.FREQUENCY_CHANGE_MOST)} over its block",
    ]


def _span(values: Sequence[int]) -> str:
    if not values:
        return "none"
    low, high = min(values), max(values)
    return number(low) if low == high else f"{number(low)}–{number(high)}"
