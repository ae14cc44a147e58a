"""A verdict on every claim in every environment, and the estimates under it.

``python -m analysis.judge --preset quick --observations observations.parquet --output verdicts.json
--estimates estimates.csv``
"""

from __future__ import annotations

import argparse
import csv
import io
import json
from pathlib import Path
from typing import NamedTuple

from analysis.findings import Finding, Row, find
from analysis.measurements import Cell, claim_metrics, read_measurements
from analysis.options import add_study_options, study_of
from analysis.questions import ask
from analysis.scaling import scaled_down
from analysis.selection import select
from model.errors import InputError, exit_clearly
from model.files import write_whole
from model.scenario import Claim
from model.selectors import label
from model.study import Cell as Planned
from model.study import Study, covers
from model.verdict import Verdict

COLUMNS = (
    "claim scenario environment estimand quantity estimate ci_low ci_high bootstrap_low bootstrap_high blocks method"
)


class Judgement(NamedTuple):
    """A verdict and the lines of ``estimates.csv`` under it."""

    verdict: Verdict
    rows: list[Row]


def judge(study: Study, cells: dict[tuple[str, str], Cell]) -> list[Judgement]:
    """Each claim, in the order of its scenario, in each environment of the study that it speaks about.

    :raises InputError: for a claim that does not fit its scenario or what was recorded.
    """
    return [
        _judge(study, planned, claim, cells.get((name, planned.environment)))
        for name, scenario in study.scenarios.items()
        for claim in scenario.claims
        for planned in study.cells
        if planned.scenario == name and covers(scenario.claims[claim].environments, planned.environment)
    ]


def _judge(study: Study, planned: Planned, claim_name: str, cell: Cell | None) -> Judgement:
    name, environment = planned.scenario, planned.environment
    scenario = study.scenarios[name]
    claim = scenario.claims[claim_name]
    place = f"scenarios/{name}/scenario.yaml: field claims.{claim_name}"
    if claim.ratio is not None and not (0 < (claim.published.value or 0) != 1):
        raise InputError(f"{place}.published.value: a ratio is positive and not 1; use equivalence for 'the same'")
    if planned.why_not is not None:
        return _not_run(claim_name, claim, planned, planned.why_not)
    if claim.decided_in is not None and study.name not in claim.decided_in:
        why = f"the preset {study.name} is too small to decide it; {' or '.join(claim.decided_in)} can"
        return _not_run(claim_name, claim, planned, why)
    selection = select(name, scenario, claim_name, study.name, environment)
    if selection.why_not is not None:
        return _not_run(claim_name, claim, planned, selection.why_not)
    if cell is None:
        return _not_run(claim_name, claim, planned, "no block has been measured")
    never = cell.why_never_ran(label(variant.levels) for variant in selection.variants)
    if never is not None:
        return _not_run(claim_name, claim, planned, never, cell.engine)
    for metric in sorted(claim_metrics(claim.estimand) - cell.metrics):
        raise InputError(f"{place}.{claim.kind}: no observation records the metric {metric!r}; correct its name")
    question = ask(study, name, claim_name, environment, cell)
    blocks = question.blocks()
    lost = (
        f"{blocks.dropped} of {len(cell.blocks)} blocks were dropped ({blocks.why_dropped})" if blocks.dropped else ""
    )
    if len(blocks.blocks) < 2:
        why = f"{len(blocks.blocks)} usable blocks, and an interval needs two" + (f"; {lost}" if lost else "")
        finding = Finding("inconclusive", why, None, [])
    else:
        finding = find(question, blocks)
    note = scaled_down(scenario, claim_name, selection.variants, environment)
    reason = f"{finding.reason}; {lost}" if lost and finding.rows else finding.reason
    headline = finding.headline
    verdict = Verdict(
        **_about(claim_name, claim, planned),
        verdict=finding.verdict,
        reason=reason,
        estimate=headline.value if headline else None,
        ci_low=headline.low if headline else None,
        ci_high=headline.high if headline else None,
        blocks=len(blocks.blocks),
        scaled_down=bool(note),
        scaled_down_note=note,
        engine=cell.engine,
        details={"dropped_blocks": blocks.dropped, **finding.details},
    )
    return Judgement(verdict, finding.rows)


def _about(name: str, claim: Claim, planned: Planned) -> dict[str, str | float | None]:
    return {
        "claim": name,
        "scenario": planned.scenario,
        "environment": planned.environment,
        "says": claim.says,
        "estimand": claim.kind,
        "published": claim.published.value,
        "published_figures": claim.published.figures,
    }


def _not_run(name: str, claim: Claim, planned: Planned, reason: str, engine: str = "") -> Judgement:
    verdict = Verdict.model_validate(
        {
            **_about(name, claim, planned),
            "verdict": "not run",
            "reason": reason,
            "estimate": None,
            "ci_low": None,
            "ci_high": None,
            "blocks": 0,
            "scaled_down": False,
            "scaled_down_note": "",
            "engine": engine,
        }
    )
    return Judgement(verdict, [])


def as_csv(judgements: list[Judgement]) -> str:
    """``estimates.csv``: a line a quantity."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS.split())
    for verdict, rows in judgements:
        for row in rows:
            subject = (verdict.claim, verdict.scenario, verdict.environment, verdict.estimand)
            writer.writerow([*subject, row.quantity, *row.estimate, row.method])
    return text.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description="A verdict on every claim in every environment.")
    add_study_options(parser)
    parser.add_argument("--output", type=Path, required=True, help="verdicts.json to write")
    parser.add_argument("--estimates", type=Path, required=True, help="estimates.csv to write")
    options = parser.parse_args()
    study = study_of(options)
    judgements = judge(study, read_measurements(options.observations, study))
    write_whole(options.estimates, as_csv(judgements))
    verdicts = [judgement.verdict.model_dump() for judgement in judgements]
    write_whole(options.output, json.dumps(verdicts, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    exit_clearly(main)
