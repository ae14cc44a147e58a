"""A claim put to one environment: which columns of which blocks its statistic takes."""

from __future__ import annotations

from typing import NamedTuple

from tf_claims.cells.measurements import Blocks, Cell, Column
from tf_claims.model.scenario import Claim, CostModel, Ratio, Scenario, Value, Variant
from tf_claims.model.selectors import label
from tf_claims.model.study import Study
from tf_claims.verdicts.scaling import paper_factor
from tf_claims.verdicts.selection import Selection, select


class Question(NamedTuple):
    """A claim in one environment, with what was measured there. ``place`` names the claim in its file."""

    claim: Claim
    scenario: Scenario
    environment: str
    selection: Selection
    cell: Cell
    place: str

    def blocks(self) -> Blocks:
        """The usable blocks, with the columns that the claim's statistic takes."""
        kind = self.claim.kind
        positive = kind != "value" and getattr(self.claim.estimand, "scale", "relative") == "relative"
        return self.cell.complete(self.columns(), positive)

    def columns(self) -> list[Column]:
        """What the claim's statistic takes of each block."""
        estimand, variants = self.claim.estimand, self.selection.variants
        if isinstance(estimand, Value):
            return [Column(label(variants[0].levels), metric) for metric in estimand.metrics]
        return [Column(label(each.levels), estimand.metric, self._factor(each)) for each in variants]

    def _factor(self, variant: Variant) -> float:
        estimand = self.claim.estimand
        run = self.cell.sizes(label(variant.levels))
        if isinstance(estimand, Ratio) and estimand.at_paper_size is not None:
            size, place = estimand.at_paper_size, f"{self.place}.at_paper_size"
            return paper_factor(size, self.scenario, variant.levels, run, self.environment, place)
        if isinstance(estimand, CostModel):
            return 1 / float(run[estimand.per])
        return 1.0


def ask(study: Study, name: str, claim_name: str, environment: str, cell: Cell) -> Question:
    """The question that a claim of the scenario ``name`` puts to an environment.

    :raises InputError: where the claim's selectors do not fit the scenario.
    """
    scenario = study.scenarios[name]
    claim = scenario.claims[claim_name]
    selection = select(name, scenario, claim_name, study.name, environment)
    place = f"scenarios/{name}/scenario.yaml: field claims.{claim_name}.{claim.kind}"
    return Question(claim, scenario, environment, selection, cell, place)
