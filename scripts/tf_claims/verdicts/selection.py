"""The variants that a claim is about, in the order in which its statistics take them."""

from __future__ import annotations

from typing import NamedTuple

from tf_claims.model.scenario import Attribution, CostModel, Scenario, Variant
from tf_claims.model.selectors import Level, Selector
from tf_claims.model.study import why_excluded
from tf_claims.statistics.attribution import corners
from tf_claims.statistics.cost_model import FEWEST_SIZES


class Selection(NamedTuple):
    """``variants`` of a claim; for a cost model first those of one side, then of the other, by ``sizes``.

    ``why_not`` says why there are none in an environment.
    """

    variants: list[Variant]
    sizes: list[Level]
    why_not: str | None = None


def select(name: str, scenario: Scenario, claim_name: str, preset: str, environment: str) -> Selection:
    """The variants of a claim in an environment.

    :raises InputError: where one of the claim's selectors names no variant, without a reason, or several.
    """
    claim = scenario.claims[claim_name]
    place = f"scenarios/{name}/scenario.yaml: field claims.{claim_name}.{claim.kind}"
    selectors, sizes = _selectors(scenario, claim.estimand, preset, environment)
    if not selectors:
        return Selection([], [], f"fewer than {FEWEST_SIZES} sizes are part of the preset {preset}")
    for _, selector in selectors:
        reason = why_excluded(scenario, selector, preset, environment)
        if reason is not None:
            return Selection([], [], reason)
    variants = [scenario.select_one(selector, preset, environment, f"{place}.{field}") for field, selector in selectors]
    return Selection(variants, sizes)


def _selectors(
    scenario: Scenario, estimand: object, preset: str, environment: str
) -> tuple[list[tuple[str, Selector]], list[Level]]:
    if isinstance(estimand, CostModel):
        levels = (scenario.factors | scenario.preset(preset).levels)[estimand.size]
        sides = {field: dict(getattr(estimand, field)) for field in ("of", "to")}
        sizes = [
            level
            for level in levels
            if all(
                why_excluded(scenario, side | {estimand.size: level}, preset, environment) is None
                for side in sides.values()
            )
        ]
        if 0 < len(sizes) < FEWEST_SIZES:
            return [], []
        # Where no size is left, those excluded tell why.
        return [
            (field, side | {estimand.size: level}) for field, side in sides.items() for level in sizes or levels
        ], sizes
    if isinstance(estimand, Attribution):
        return [
            (
                "factors",
                estimand.where
                | {
                    factor: ends[at_end]
                    for (factor, ends), at_end in zip(estimand.factors.items(), corner, strict=True)
                },
            )
            for corner in corners(len(estimand.factors))
        ], []
    return [(field, getattr(estimand, field)) for field in ("of", "to") if hasattr(estimand, field)], []
