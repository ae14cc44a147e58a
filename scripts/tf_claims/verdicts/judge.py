"""``tf-claims judge``: a verdict on every claim in every environment, and the estimates under it."""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from tf_claims.cells.cell import Blocks, Cell
from tf_claims.cells.measurements import read_measurements
from tf_claims.estimands.kind import FEWEST, Asked, Chosen, Finding, kind_of
from tf_claims.model.claim import Claim
from tf_claims.model.digits import settled
from tf_claims.model.estimand import Column, Side
from tf_claims.model.files import write_whole
from tf_claims.model.preset import PUBLISHED
from tf_claims.model.reason import Reason, because
from tf_claims.model.results import Results
from tf_claims.model.scenario import Scenario
from tf_claims.model.selection import scaled_down, select
from tf_claims.model.selectors import label
from tf_claims.model.study import Planned, Study, read_study
from tf_claims.model.verdict import Verdict
from tf_claims.options import add_results_option
from tf_claims.statistics.family import LEVEL, holm
from tf_claims.statistics.intervals import Estimate
from tf_claims.statistics.precision import Width, next_look
from tf_claims.verdicts.judgement import Evidence, Judgement, Line, finite, write_judgements
from tf_claims.verdicts.sensitivity import sensitivity
from tf_claims.verdicts.several_states import Seen, find
from tf_claims.words.messages import ENGLISH

SIDES: dict[str, Side] = {"reproduced": "holds", "contradicted": "opposite"}
Cells = dict[tuple[str, str], Cell]
COLUMNS = "claim scenario environment estimand quantity estimate ci_low ci_high blocks method p_value holds_family_wise"


def judge(study: Study, cells: Cells) -> list[Judgement]:
    """Each claim, in the order of its scenario, in each environment of the study that it speaks about.

    :raises InputError: for a claim that does not fit its scenario or what was recorded.
    """
    judgements = [
        judge_claim(study, planned, claim, cells.get((name, planned.environment)))
        for name, scenario in study.scenarios.items()
        for claim in scenario.claims
        for planned in study.cells_of(name, claim)
    ]
    judgements = list(_taken_together(study, judgements))
    why = {key: look.why for key, look in look_at(study, cells, judgements).items()}
    registered = study.rules.registered
    told = {"rules_sha256": registered.sha256} if registered else {}
    return [_changed(each, stopped=_why_stopped(study, each, why), **told) for each in judgements]


def _why_stopped(study: Study, judgement: Judgement, why: dict[tuple[str, str], Reason | None]) -> Reason | None:
    """Why there are no more blocks with the variants of a claim; None where it was not run, or where there will be."""
    key = judgement.verdict.scenario, judgement.verdict.environment
    if judgement.verdict.verdict == "not run":
        return None
    width = _width(study, judgement)
    if width is None:
        return because("stopped.no_interval")
    return why[key] if width.further(study.blocks(*key)) else because("stopped.precise")


def _taken_together(study: Study, judgements: list[Judgement]) -> Iterator[Judgement]:
    """The same, with what is left of each test when those of one claim in all its environments are taken together.

    Environments that were left out of this run count as tests that fail: a choice does not change what holds.
    """
    claims: dict[tuple[str, str], list[Verdict]] = defaultdict(list)
    for each in judgements:
        if each.verdict.p_value is not None:
            claims[each.verdict.scenario, each.verdict.claim].append(each.verdict)
    adjusted = {
        (*key, verdict.environment): p_value
        for key, tested in claims.items()
        for verdict, p_value in zip(
            tested,
            holm([each.p_value or 0.0 for each in tested], study.family(*key, {each.environment for each in tested})),
            strict=True,
        )
    }
    for each in judgements:
        p_value = adjusted.get((each.verdict.scenario, each.verdict.claim, each.verdict.environment))
        yield each if p_value is None else _changed(each, p_value_adjusted=p_value, holds_family_wise=p_value <= LEVEL)


def _changed(judgement: Judgement, **fields: object) -> Judgement:
    return judgement.model_copy(update={"verdict": judgement.verdict.model_copy(update=fields)})


class CellLook(NamedTuple):
    """How many blocks of a cell there are to be, why no more, and the ``variants`` of those that are still to come."""

    blocks: int
    why: Reason | None
    variants: list[str]


def look_at(study: Study, cells: Cells, judgements: list[Judgement]) -> dict[tuple[str, str], CellLook]:
    """For each measured cell: whether its blocks are enough for what is asked of its claims."""
    looks = {}
    for key, cell in cells.items():
        rule = study.blocks(*key)
        here = [each for each in judgements if (each.verdict.scenario, each.verdict.environment) == key]
        widths = [(each, width) for each in here if (width := _width(study, each)) is not None]
        asking = {label(levels) for each, width in widths if width.further(rule) for levels in each.variants}
        variants = [variant for variant in cell.variants if variant in asking]
        look = next_look(
            rule,
            len(cell.blocks),
            [width for _, width in widths],
            cell.seconds,
            sum(cell.seconds_of(each) for each in variants or cell.variants),
        )
        looks[key] = CellLook(look.blocks, look.why, variants if look.blocks > len(cell.blocks) else [])
    return looks


def _width(study: Study, judgement: Judgement) -> Width | None:
    """How wide a claim's interval is; None where no interval decides it."""
    verdict, evidence = judgement.verdict, judgement.evidence
    if evidence is None or (verdict.half_width is None and verdict.blocks >= FEWEST):
        return None
    run = len(evidence.numbers)
    # Where there is no interval yet, whatever was lost is measured again; else what others disturbed.
    lost = run - verdict.blocks if verdict.half_width is None else len(evidence.disturbed)
    precision = study.scenarios[verdict.scenario].claims[verdict.claim].precision
    return Width(verdict.half_width, precision, verdict.blocks, run, lost)


def judge_claim(study: Study, planned: Planned, claim_name: str, cell: Cell | None) -> Judgement:
    """One claim where it is planned, by itself: without its family, the rules registered and why measuring stopped.

    :raises InputError: as :func:`judge`.
    """
    name, environment = planned.scenario, planned.environment
    scenario = study.scenarios[name]
    claim = scenario.claims[claim_name]
    if planned.why_not is not None:
        return _not_run(claim_name, claim, planned, planned.why_not)
    if claim.decided_in is not None and study.name not in claim.decided_in:
        why = because("too_small", preset=study.name, others=[*claim.decided_in])
        return _not_run(claim_name, claim, planned, why)
    variants, why_not = select(name, scenario, claim_name, study.name, environment)
    if why_not is not None:
        return _not_run(claim_name, claim, planned, why_not)
    if cell is None:
        return _not_run(claim_name, claim, planned, because("no_block"))
    chosen = [Chosen(each.levels, {}, _published_sizes(scenario, each.levels, environment)) for each in variants]
    kind = kind_of(claim)
    metrics = kind.metrics_used
    never = cell.why_never_ran([Column(each.name, metric) for each in chosen for metric in metrics], kind.bounds)
    if never is not None:
        return _not_run(claim_name, claim, planned, never, cell.engine)
    chosen = [each._replace(run=cell.sizes(each.name)) for each in chosen]
    columns = kind.columns(chosen, f"scenarios/{name}/scenario.yaml: field claims.{claim_name}.{claim.kind}")
    blocks = cell.complete(columns, kind.positive, kind.bounds)
    used = len(blocks.used)
    node_types = len(set(blocks.strata))
    lost = list(_lost(blocks))
    seen: list[Seen] = []
    asked = Asked(blocks.values, blocks.strata, chosen, claim.published.value, blocks.bounded)
    if not asked.enough:
        few = because("few_blocks", blocks=used)
        if node_types > 1:
            few = because("few_blocks_each_elsewhere", blocks=used, types=node_types)
        finding = Finding("inconclusive", [few, *lost], None, [])
    else:
        finding, seen = find(kind, asked, cell, columns, blocks.used)
        elsewhere = [because("node_types", types=node_types)] if node_types > 1 else []
        finding = finding._replace(because=[*finding.because, *lost, *elsewhere])
    disturbed = blocks.used_disturbed
    if disturbed:
        reasons: list[str | Reason] = [*blocks.disturbed[disturbed[0]]]
        finding.because.append(because("on_disturbed_machine", disturbed=len(disturbed), blocks=used, reasons=reasons))
    evidence = Evidence(
        described=kind.described,
        columns=kind.headings(chosen),
        result=kind.together,
        numbers=blocks.numbers,
        values=[finite(row) for row in blocks.measured.tolist()],
        disturbed={block: because("disturbed", reasons=[*why]) for block, why in blocks.disturbed.items()},
        why_unused=blocks.why_unused,
    )
    scaled = scaled_down(scenario, claim_name, variants, study.name, environment)
    headline = finding.headline
    others = sensitivity(kind, asked, cell, columns, blocks)
    verdict = Verdict(
        **_about(claim_name, claim, planned),
        verdict=finding.verdict,
        side=finding.side or SIDES.get(finding.verdict, "open"),
        size=finding.size,
        **_named(finding.effect_share, "effect_share", "effect_share_low", "effect_share_high"),
        reason=ENGLISH.reasons(finding.because),
        because=finding.because,
        **_named(headline, "estimate", "ci_low", "ci_high"),
        blocks=used,
        dropped_blocks=len(blocks.why_unused),
        disturbed=bool(disturbed),
        states=max((len(each.states) for each in seen), default=1),
        robust=others.robust(finding.verdict),
        node_types=max(node_types, 1),
        half_width=finding.half_width,
        p_value=finding.p_value,
        scaled_down=bool(scaled),
        scaled_down_note=ENGLISH.reasons(scaled),
        scaled=scaled,
        engine=cell.engine,
        facts=finding.facts,
    )
    lines = [
        Line(
            quantity=name,
            **_named(each, "value", "low", "high"),
            blocks=each.blocks,
            method=method,
        )
        for name, each, method in finding.quantities
    ]
    return Judgement(
        verdict=verdict,
        variants=[each.levels for each in chosen],
        lines=lines,
        evidence=evidence,
        sensitivity=others,
    )


def _named(found: Estimate | None, *names: str) -> dict[str, float | None]:
    """The value and the two ends of its interval by names; None where there is none, or where it is open."""
    return dict(zip(names, [None] * 3 if found is None else finite(found[:3]), strict=True))


def _published_sizes(scenario: Scenario, levels: dict[str, Any], environment: str) -> dict[str, Any]:
    return scenario.sizes(PUBLISHED, levels, environment) if PUBLISHED in scenario.presets else {}


def _lost(blocks: Blocks) -> Iterator[Reason]:
    if blocks.why_dropped is not None:
        yield because("dropped", dropped=len(blocks.why_unused), blocks=len(blocks.numbers), why=blocks.why_dropped)


def _about(name: str, claim: Claim, planned: Planned) -> dict[str, Any]:
    return {
        "claim": name,
        "scenario": planned.scenario,
        "environment": planned.environment,
        "says": claim.says,
        "estimand": claim.kind,
        "published": claim.published.value,
        "published_figures": claim.published.figures,
    }


def _not_run(name: str, claim: Claim, planned: Planned, why: Reason, engine: str = "") -> Judgement:
    verdict = Verdict(
        **_about(name, claim, planned), verdict="not run", reason=ENGLISH.reasons([why]), because=[why], engine=engine
    )
    return Judgement(verdict=verdict)


def as_csv(judgements: list[Judgement]) -> str:
    """``estimates.csv``: a line a quantity."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS.split())
    for judgement in judgements:
        verdict = judgement.verdict
        for line in judgement.lines:
            subject = (verdict.claim, verdict.scenario, verdict.environment, verdict.estimand)
            test = (verdict.p_value, verdict.holds_family_wise) if line is judgement.lines[0] else (None, None)
            writer.writerow(settled([*subject, line.quantity, *line.estimate, line.method, *test]))
    return text.getvalue()


def write_verdicts(study: Study, cells: Cells, results: Results) -> list[Judgement]:
    """``judgements.json``, and of it ``verdicts.json`` and ``estimates.csv``."""
    judgements = judge(study, cells)
    write_whole(results.estimates, as_csv(judgements))
    write_judgements(judgements, results.judgements)
    verdicts = [settled(each.verdict.model_dump()) for each in judgements]
    write_whole(results.verdicts, json.dumps(verdicts, indent=1, ensure_ascii=False) + "\n")
    return judgements


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_results_option(parser)


def execute(options: argparse.Namespace) -> None:
    """Run the command."""
    results = Results(options.results)
    study = read_study(results.study)
    write_verdicts(study, read_measurements(results.observations, study), results)
