"""The variants that a claim is about in a preset and environment, in the order in which its statistic takes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tf_claims.model.estimand import Pick
from tf_claims.model.preset import PUBLISHED
from tf_claims.model.reason import Reason, because
from tf_claims.model.scenario import Scenario, Variant
from tf_claims.model.selectors import Level, Selector, matches


class Offered:
    """What a scenario runs in one preset and environment (:class:`tf_claims.model.estimand.Offer`)."""

    def __init__(self, scenario: Scenario, preset: str, environment: str) -> None:
        self._scenario, self._preset, self._environment = scenario, preset, environment

    def levels(self, factor: str) -> list[Level]:
        """The levels that the preset keeps, in the order of the scenario."""
        return (self._scenario.factors | self._scenario.preset(self._preset).levels)[factor]

    def why_excluded(self, selector: Selector) -> Reason | None:
        """Why none of the variants that a selector names is run; None where one is, or where it names none at all."""
        scenario = self._scenario
        selected = [levels for levels in scenario.combinations(self._preset) if matches(selector, levels)]
        if not selected and any(matches(selector, levels) for levels in scenario.all_combinations()):
            return because("not_part_of_preset", preset=self._preset)
        reasons = [scenario.why_excluded(levels, self._environment, self._preset) for levels in selected]
        return because("as_told", text=reasons[0]) if reasons and reasons[0] and all(reasons) else None


class Selection(NamedTuple):
    """The variants of a claim; ``why_not`` says why there are none."""

    variants: list[Variant]
    why_not: Reason | None = None


def select(name: str, scenario: Scenario, claim_name: str, preset: str, environment: str) -> Selection:
    """The variants of a claim in an environment.

    :raises InputError: where one of the claim's selectors names no variant, without a reason, or several.
    """
    claim = scenario.claims[claim_name]
    offer = Offered(scenario, preset, environment)
    picks = claim.estimand.picks(offer)
    if isinstance(picks, Reason):
        return Selection([], picks)
    for pick in picks:
        if (why_not := offer.why_excluded(pick.selector)) is not None:
            return Selection([], why_not)
    place = f"scenarios/{name}/scenario.yaml: field claims.{claim_name}.{claim.kind}"
    return Selection([_one(scenario, pick, preset, environment, place) for pick in picks])


def _one(scenario: Scenario, pick: Pick, preset: str, environment: str, place: str) -> Variant:
    return scenario.select_one(pick.selector, preset, environment, f"{place}.{pick.field}")


def scaled_down(
    scenario: Scenario, claim_name: str, variants: list[Variant], preset: str, environment: str
) -> list[Reason]:
    """What is smaller than published, e.g. 10,000 of 100,000 iterations; nothing where nothing is."""
    if PUBLISHED not in scenario.presets:
        return []  # nothing was published
    notes = list(_sizes(scenario, variants, environment))
    estimand = scenario.claims[claim_name].estimand
    notes += estimand.scaled(Offered(scenario, preset, environment), Offered(scenario, PUBLISHED, environment))
    return [note for index, note in enumerate(notes) if note not in notes[:index]]


def _sizes(scenario: Scenario, variants: list[Variant], environment: str) -> Iterator[Reason]:
    for variant in variants:
        published = scenario.sizes(PUBLISHED, variant.levels, environment)
        for name, size in variant.sizes.items():
            wanted = published.get(name)
            if size == wanted:
                continue
            if isinstance(size, int | float) and isinstance(wanted, int | float):
                yield because("scaled.size", name=name, run=size, published=wanted)
            else:
                yield because("scaled.other", name=name, run=str(size), published=str(wanted))
