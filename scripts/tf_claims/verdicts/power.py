"""How likely each claim is to be decided by the blocks that are planned, seen from a result that is there already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tf_claims.estimands.kind import Asked, Chosen, kind_of
from tf_claims.model.claim import Claim
from tf_claims.model.selection import select
from tf_claims.model.study import Study
from tf_claims.statistics.intervals import Floats
from tf_claims.statistics.power import power
from tf_claims.verdicts.judge import Cells, judge_claim
from tf_claims.verdicts.judgement import Judgement

FAIR = 0.5  # a claim with a smaller chance is not worth its blocks


class Chance(NamedTuple):
    """That a claim's word in an environment will be another than inconclusive; None where nothing is recorded."""

    scenario: str
    claim: str
    environment: str
    power: float | None


def chances(study: Study, blocks: Mapping[tuple[str, str], int], recorded: Study, cells: Cells) -> Iterator[Chance]:
    """For each claim that is judged in each cell of ``study`` that runs.

    :param blocks: planned, by scenario and environment
    :param recorded: the study of the result, whose preset may be another; ``cells`` are what was measured of it
    :raises InputError: where the result does not fit the claims.
    """
    known = {(each.scenario, each.environment): each for each in recorded.cells}
    for planned in study.running:
        name, environment = key = planned.scenario, planned.environment
        scenario = study.scenarios[name]
        for claim_name, claim in scenario.claims.items():
            judged = planned in study.cells_of(name, claim_name) and study.name in (claim.decided_in or [study.name])
            if not judged or select(name, scenario, claim_name, study.name, environment).why_not:
                continue
            found = judge_claim(recorded, known[key], claim_name, cells[key]) if key in cells else None
            yield Chance(name, claim_name, environment, _power(claim, found, blocks[key]) if found else None)


def _power(claim: Claim, found: Judgement, blocks: int) -> float | None:
    """From the blocks that a judgement rests on, as if they came from one type of machine."""
    if found.evidence is None or len(found.evidence.used) < 2:
        return None
    kind, chosen = kind_of(claim), [Chosen(levels, {}, {}) for levels in found.variants]

    def decided(values: Floats) -> bool:
        asked = Asked(values, ["one type"] * blocks, chosen, claim.published.value)
        return kind.find(asked).verdict != "inconclusive"

    return power(found.evidence.used, blocks, decided, kind.positive)
