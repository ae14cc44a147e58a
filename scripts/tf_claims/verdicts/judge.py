"""A verdict on every claim in every environment, and the estimates under it.

``python -m tf_claims.verdicts.judge --preset quick --observations observations.parquet --output verdicts.json
--estimates estimates.csv``
"""

from __future__ import annotations

import argparse
import csv
import io
import json
from pathlib import Path
from typing import NamedTuple

from tf_claims.cells.measurements import Cell, claim_metrics, read_measurements
from tf_claims.estimands.findings import Finding, Row, find
from tf_claims.model.digits import settled
from tf_claims.model.errors import InputError, exit_clearly
from tf_claims.model.files import write_whole
from tf_claims.model.scenario import Claim
from tf_claims.model.selectors import label
from tf_claims.model.study import Cell as Planned
from tf_claims.model.study import Study
from tf_claims.model.verdict import Verdict
from tf_claims.statistics.family import LEVEL, holm
from tf_claims.statistics.precision import Look, Width, next_look
from tf_claims.verdicts.options import add_study_options, study_of
from tf_claims.verdicts.questions import ask
from tf_claims.verdicts.scaling import scaled_down
from tf_claims.verdicts.selection import select

COLUMNS = (
    "claim scenario environment estimand quantity estimate ci_low ci_high bootstrap_low bootstrap_high blocks method "
    "p_value holds_family_wise"
)


class Judgement(NamedTuple):
    """A verdict and the lines of ``estimates.csv`` under it."""

    verdict: Verdict
    rows: list[Row]


def judge(study: Study, cells: dict[tuple[str, str], Cell]) -> list[Judgement]:
    """Each claim, in the order of its scenario, in each environment of the study that it speaks about.

    :raises InputError: for a claim that does not fit its scenario or what was recorded.
    """
    judgements = [
        _judge(study, planned, claim, cells.get((name, planned.environment)))
        for name, scenario in study.scenarios.items()
        for claim in scenario.claims
        for planned in study.cells_of(name, claim)
    ]
    tested = [verdict for verdict, _ in judgements if verdict.details.get("p_value") is not None]
    for verdict, adjusted in zip(tested, holm([verdict.details["p_value"] for verdict in tested]), strict=True):
        verdict.details.update(p_value_adjusted=adjusted, holds_family_wise=adjusted <= LEVEL)
    return judgements


def look_at(
    study: Study, cells: dict[tuple[str, str], Cell], judgements: list[Judgement]
) -> dict[tuple[str, str], Look]:
    """For each measured cell: whether its blocks are enough for what is asked of its claims."""
    rules = {(planned.scenario, planned.environment): planned.blocks for planned in study.cells}
    looks = {}
    for key, cell in cells.items():
        widths = [
            Width(
                verdict.details["half_width"],
                study.scenarios[verdict.scenario].claims[verdict.claim].precision,
                verdict.blocks,
            )
            for verdict, _ in judgements
            if (verdict.scenario, verdict.environment) == key and verdict.details.get("half_width") is not None
        ]
        looks[key] = next_look(rules[key], len(cell.blocks), len(cell.disturbed), widths, cell.seconds)
    return looks


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
    node_types = len(set(blocks.strata))
    if len(blocks.blocks) < 2 or len(blocks.blocks) == node_types:
        each_other = f", each on another type of machine ({node_types})" if node_types > 1 else ""
        why = f"{len(blocks.blocks)} usable blocks{each_other}, and an interval needs two" + (
            f"; {lost}" if lost else ""
        )
        finding = Finding("inconclusive", why, None, [])
    else:
        finding = find(question, blocks)
    note = scaled_down(scenario, claim_name, selection.variants, environment)
    reason = f"{finding.reason}; {lost}" if lost and finding.rows else finding.reason
    if node_types > 1 and finding.rows:
        reason += f"; the blocks come from {node_types} types of machine, and the spread is the one inside each"
    headline = finding.headline
    details = {"dropped_blocks": blocks.dropped, "half_width": finding.half_width, **finding.details}
    if finding.p_value is not None:
        details["p_value"] = finding.p_value
    if node_types > 1:
        details["node_types"] = node_types
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
        details=details,
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
            test = [verdict.details.get(name) if row is rows[0] else None for name in ("p_value", "holds_family_wise")]
            writer.writerow(settled([*subject, row.quantity, *row.estimate, row.method, *test]))
    return text.getvalue()


def write_judgements(study: Study, cells: dict[tuple[str, str], Cell], output: Path, estimates: Path) -> None:
    """``verdicts.json`` at ``output`` and ``estimates.csv`` at ``estimates``."""
    judgements = judge(study, cells)
    write_whole(estimates, as_csv(judgements))
    looks = look_at(study, cells, judgements)
    verdicts = []
    for verdict, _ in judgements:
        look = looks.get((verdict.scenario, verdict.environment))
        stopped = {} if look is None or verdict.verdict == "not run" else {"stopped": look.why}
        verdicts.append(settled(verdict.model_copy(update={"details": verdict.details | stopped}).model_dump()))
    write_whole(output, json.dumps(verdicts, indent=1, ensure_ascii=False) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description="A verdict on every claim in every environment.")
    add_study_options(parser)
    parser.add_argument("--output", type=Path, required=True, help="verdicts.json to write")
    parser.add_argument("--estimates", type=Path, required=True, help="estimates.csv to write")
    options = parser.parse_args()
    study = study_of(options)
    write_judgements(study, read_measurements(options.observations, study), options.output, options.estimates)


if __name__ == "__main__":
    exit_clearly(main)
