"""Every way of doing the published job against the text's own reference, at the published size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from tf_claims.cells.measurements import Cell, Column
from tf_claims.model.scenario import CostModel, Ratio, Scenario, Variant
from tf_claims.model.selectors import label
from tf_claims.model.study import covers, why_excluded
from tf_claims.statistics.intervals import Estimate
from tf_claims.statistics.ratio import ratio
from tf_claims.verdicts.scaling import paper_factor

METRIC = "run.wall_s"


class Remedy(NamedTuple):
    """``seconds`` is the median time for the published amount of work, ``ratio`` how many times the reference's."""

    environment: str
    variant: str
    reference: str
    seconds: float
    ratio: Estimate


def remedies(name: str, scenario: Scenario, preset: str, environment: str, cell: Cell) -> Iterator[Remedy]:
    """The variants of the reference's problem size, fastest first, the reference among them.

    The reference is what the scenario's first ratio of times compares with. Where a cost model says which size counts
    repetitions, times are scaled to the published number of them.
    """
    reference = _reference(scenario, preset, environment)
    if reference is None:
        return
    models = [claim.estimand for claim in scenario.claims.values() if isinstance(claim.estimand, CostModel)]
    held = {model.size for model in models}
    per = models[0].per if models else None

    def column(variant: Variant) -> Column:
        variant_name = label(variant.levels)
        if per is None:
            return Column(variant_name, METRIC)
        place = f"scenarios/{name}/scenario.yaml: field claims.cost_model.per"
        factor = paper_factor(per, scenario, variant.levels, cell.sizes(variant_name), environment, place)
        return Column(variant_name, METRIC, factor)

    found = []
    for variant in scenario.variants(preset, environment):
        names = [label(variant.levels), label(reference.levels)]
        if any(variant.levels[factor] != reference.levels[factor] for factor in held):
            continue
        if any(each not in cell.variants for each in names):
            continue
        blocks = cell.complete([column(variant), column(reference)], positive=True)
        if blocks.blocks:
            seconds = float(np.median(blocks.values[:, 0]))
            estimate = ratio(blocks.values[:, 0], blocks.values[:, 1], strata=blocks.strata)
            found.append(Remedy(environment, names[0], names[1], seconds, estimate))
    yield from sorted(found, key=lambda remedy: remedy.ratio.value or 0.0)


def _reference(scenario: Scenario, preset: str, environment: str) -> Variant | None:
    for name, claim in scenario.claims.items():
        estimand = claim.estimand
        if not isinstance(estimand, Ratio) or estimand.metric != METRIC or not covers(claim.environments, environment):
            continue
        if why_excluded(scenario, estimand.to, preset, environment) is None:
            return scenario.select_one(estimand.to, preset, environment, f"field claims.{name}.ratio.to")
    return None
