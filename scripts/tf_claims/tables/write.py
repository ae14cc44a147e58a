"""``tf-claims tables``: the tables of a study, each as CSV, Markdown and LaTeX."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

import numpy as np

from tf_claims.cells.cell import Cell
from tf_claims.cells.gates import GateRow
from tf_claims.cells.measurements import read_measurements
from tf_claims.model.metrics import PHASES
from tf_claims.model.results import Results
from tf_claims.model.study import Study, read_study
from tf_claims.model.verdict import Verdict
from tf_claims.options import add_results_option
from tf_claims.tables.across_environments import across_environments
from tf_claims.tables.files import Entry, Table, write_table
from tf_claims.tables.remedies import remedies
from tf_claims.verdicts.judgement import Judgement, read_judgements
from tf_claims.words.messages import ENGLISH

Cells = dict[tuple[str, str], Cell]


def verdict_table(verdicts: Sequence[Verdict]) -> Table:
    """Every claim in every environment."""
    heading = "claim environment verdict estimate ci_low ci_high published blocks scaled_down engine"
    rows = [
        [*_fields(each, "claim environment verdict estimate ci_low ci_high published blocks scaled_down_note engine")]
        for each in verdicts
    ]
    return _table("verdicts", heading, rows)


def _table(name: str, heading: str, rows: list[list[Entry]]) -> Table:
    return Table(name, ENGLISH.text(f"table.{name}.caption"), heading, rows)


def _fields(record: object, names: str) -> Iterator[Entry]:
    return (getattr(record, name) for name in names.split())


def gate_table(cells: Cells) -> Table:
    """Every known answer of every variant."""
    heading = "scenario environment variant metric expected within worst_deviation blocks passed"
    rows: list[list[Entry]] = [
        [
            *_fields(gate, "scenario environment variant metric"),
            "alike" if gate.expected is None else f"{gate.expected:.10g}",
            f"{gate.within:g}",
            *_outcome(gate),
        ]
        for cell in cells.values()
        for gate in cell.gates
    ]
    return _table("gates", heading, rows)


def _outcome(gate: GateRow) -> tuple[Entry, ...]:
    return _finite(gate.worst), gate.blocks, "yes" if gate.passed else f"no, {gate.missed} missed"


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def remedy_table(study: Study, cells: Cells) -> Table:
    """Every variant against the text's own reference."""
    heading = "scenario environment variant median_s ratio ci_low ci_high blocks reference"
    rows: list[list[Entry]] = [
        [
            name,
            *_fields(remedy, "environment variant seconds"),
            *_fields(remedy.ratio, "value low high blocks"),
            remedy.reference,
        ]
        for (name, environment), cell in cells.items()
        for remedy in remedies(name, study.scenarios[name], study.name, environment, cell)
    ]
    return _table("remedies", heading, rows)


def phase_table(cells: Cells) -> Table:
    """Where the time of every variant goes."""
    heading = "scenario environment variant import_s setup_s first_step_s run_s blocks"
    rows: list[list[Entry]] = []
    for (name, environment), cell in cells.items():
        for variant in cell.variants:
            observed = cell.rows(variant)
            disturbed = [block for of, block in cell.disturbed if of == variant]
            ended = observed[(observed["status"] == "ok") & ~observed.index.isin(disturbed)]
            columns = [f"{phase}.wall_s" for phase in PHASES]
            medians = (_finite(float(ended[each].median())) if each in ended else None for each in columns)
            rows.append([name, environment, variant, *medians, len(ended)])
    return _table("phases", heading, rows)


def family_wise_table(verdicts: Sequence[Verdict]) -> Table:
    """All tests of a run together."""
    heading = "scenario claim environment estimand verdict p_value adjusted_p_value holds"
    rows: list[list[Entry]] = [
        [
            *_fields(each, "scenario claim environment estimand verdict p_value p_value_adjusted"),
            "yes" if each.holds_family_wise else "no",
        ]
        for each in verdicts
        if each.holds_family_wise is not None
    ]
    return _table("family_wise", heading, rows)


def quality_table(cells: Cells) -> Table:
    """How many processes of each block were disturbed, how many of these were measured again well, and why."""
    heading = "scenario environment block processes disturbed replaced reason"
    rows: list[list[Entry]] = [
        [name, environment, *_fields(block, "block processes disturbed replaced"), ENGLISH.reasons(block.reasons)]
        for (name, environment), cell in cells.items()
        for block in cell.quality
    ]
    return _table("quality", heading, rows)


def environment_table(study: Study, cells: Cells) -> Table:
    """How long each variant takes in one environment against another."""
    heading = (
        "scenario variant environment against unpaired_ratio ci_low ci_high adjusted_ratio adjusted_low adjusted_high "
        "blocks blocks_against"
    )
    rows: list[list[Entry]] = [
        [
            *_fields(found, "scenario variant environment against"),
            *found.plain,
            *map(_finite, found.adjusted),
            *_fields(found, "blocks blocks_against"),
        ]
        for found in across_environments(study, cells)
    ]
    return _table("environments", heading, rows)


def sensitivity_table(judgements: Sequence[Judgement]) -> Table:
    """The word of each verdict beside those of other ways to judge it."""
    heading = (
        "scenario claim environment verdict good_blocks all_blocks medians narrower wider one_dropped_agreeing "
        "one_dropped agreeing ways robust"
    )
    rows: list[list[Entry]] = [
        [
            *_fields(each.verdict, "scenario claim environment verdict"),
            *_fields(others, "good_blocks all_blocks medians narrower wider"),
            list(others.one_dropped.values()).count(each.verdict.verdict),
            len(others.one_dropped),
            others.agreeing(each.verdict.verdict),
            len(others.words),
            "yes" if each.verdict.robust else "no",
        ]
        for each in judgements
        if (others := each.sensitivity) is not None
    ]
    return _table("sensitivity", heading, rows)


def all_tables(study: Study, cells: Cells, judgements: Sequence[Judgement]) -> list[Table]:
    """Every table of a run."""
    verdicts = [judgement.verdict for judgement in judgements]
    return [
        verdict_table(verdicts),
        family_wise_table(verdicts),
        sensitivity_table(judgements),
        gate_table(cells),
        remedy_table(study, cells),
        environment_table(study, cells),
        phase_table(cells),
        quality_table(cells),
    ]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Those of the command."""
    add_results_option(parser)


def execute(options: argparse.Namespace) -> None:
    """Write all tables into the results folder."""
    results = Results(options.results)
    study = read_study(results.study)
    cells = read_measurements(results.observations, study)
    for table in all_tables(study, cells, read_judgements(results.judgements)):
        write_table(table, results.tables)
