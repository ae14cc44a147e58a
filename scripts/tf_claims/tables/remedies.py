"""Every way of doing the published job against the text's own reference, at the published size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from tf_claims.cells.cell import Cell
from tf_claims.estimands.kind import Chosen, kind_of
from tf_claims.model.estimand import Column
from tf_claims.model.preset import PUBLISHED
from tf_claims.model.scenario import Scenario, Variant
from tf_claims.model.selection import Offered
from tf_claims.model.selectors import label
from tf_claims.model.study import covers
from tf_claims.statistics.intervals import Estimate
from tf_claims.statistics.ratio import ratio

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

    The reference is what the scenario's first ratio of times compares with. Where a claim is about costs as the problem
    grows, its ``per`` counts repetitions, and times are scaled to the published number of them.

    :raises InputError: where a variant has no such size.
    """
    reference = _reference(scenario, preset, environment)
    if reference is None:
        return
    about_growth = [kind for kind in map(kind_of, scenario.claims.values()) if "per" in kind.sizes_used]
    held = {factor for kind in about_growth for factor in kind.selectors["size"]}
    per = about_growth[0].sizes_used["per"] if about_growth else None

    def column(variant: Variant) -> Column:
        levels = variant.levels
        if per is None:
            return Column(label(levels), METRIC)
        published = scenario.sizes(PUBLISHED, levels, environment) if PUBLISHED in scenario.presets else {}
        chosen = Chosen(levels, cell.sizes(label(levels)), published)
        place = f"scenarios/{name}/scenario.yaml: field claims.cost_model.per"
        return Column(chosen.name, METRIC, chosen.paper_factor(per, place))

    found = []
    for variant in scenario.variants(preset, environment):
        names = [label(variant.levels), label(reference.levels)]
        if any(variant.levels[factor] != reference.levels[factor] for factor in held):
            continue
        if any(each not in cell.variants for each in names):
            continue
        blocks = cell.complete([column(variant), column(reference)], positive=True)
        if blocks.used:
            seconds = float(np.median(blocks.values[:, 0]))
            estimate = ratio(blocks.values[:, 0], blocks.values[:, 1], strata=blocks.strata)
            found.append(Remedy(environment, names[0], names[1], seconds, estimate))
    yield from sorted(found, key=lambda remedy: remedy.ratio.value or 0.0)


def _reference(scenario: Scenario, preset: str, environment: str) -> Variant | None:
    offer = Offered(scenario, preset, environment)
    for name, claim in scenario.claims.items():
        kind = kind_of(claim)
        if not kind.published_ratio or kind.metrics_used != [METRIC] or not covers(claim.environments, environment):
            continue
        to = kind.selectors["to"]
        if offer.why_excluded(to) is None:
            return scenario.select_one(to, preset, environment, f"field claims.{name}.{claim.kind}.to")
    return None
