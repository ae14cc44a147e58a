"""How the sizes that were run differ from the published ones."""

from __future__ import annotations

from collections.abc import Sequence

from tf_claims.model.errors import InputError
from tf_claims.model.scenario import CostModel, Scenario, Variant
from tf_claims.model.selectors import Level, matches


def scaled_down(scenario: Scenario, claim_name: str, variants: Sequence[Variant], environment: str) -> str:
    """What is smaller than published, e.g. ``10,000 of 100,000 iterations``; empty where nothing is."""
    if "paper" not in scenario.presets:
        return ""  # nothing was published
    notes = []
    for variant in variants:
        paper = scenario.sizes("paper", variant.levels, environment)
        notes += [
            _difference(name, size, paper.get(name)) for name, size in variant.sizes.items() if size != paper.get(name)
        ]
    estimand = scenario.claims[claim_name].estimand
    if isinstance(estimand, CostModel):
        name = estimand.size
        published = _levels_of(scenario, estimand, environment)
        run = {variant.levels[name] for variant in variants}
        if len(run) < len(published):
            notes.append(f"{len(run)} of {len(published)} values of {name}")
    return "; ".join(dict.fromkeys(notes))


def _difference(name: str, size: Level, published: Level | None) -> str:
    if isinstance(size, int | float) and isinstance(published, int | float):
        return f"{size:,} of {published:,} {name}"
    return f"{name} {size} instead of {published}"


def _levels_of(scenario: Scenario, estimand: CostModel, environment: str) -> set[Level]:
    return {
        levels[estimand.size]
        for levels in scenario.combinations("paper")
        if matches(estimand.of, levels) and scenario.why_excluded(levels, environment, "paper") is None
    }


def paper_factor(
    name: str, scenario: Scenario, levels: dict[str, Level], run: dict[str, Level], environment: str, place: str
) -> float:
    """By which a metric in proportion to the size ``name`` is multiplied to come to the published size.

    :raises InputError: naming ``place``, where the variant has no such number as a size.
    """
    published, here = scenario.sizes("paper", levels, environment).get(name), run.get(name)
    if not isinstance(published, int | float) or here is None or not float(here) > 0:
        raise InputError(f"{place}: {name!r} is no size (a positive number) of every variant compared; correct it")
    return float(published) / float(here)
