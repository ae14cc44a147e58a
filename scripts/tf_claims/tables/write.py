"""The tables of a study, each as CSV, Markdown and LaTeX.

``python -m tf_claims.tables.write --preset quick --observations observations.parquet --verdicts verdicts.json
--output-dir tables``
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tf_claims.cells.gates import GateRow
from tf_claims.cells.measurements import Cell, read_measurements
from tf_claims.model.errors import exit_clearly
from tf_claims.model.files import check
from tf_claims.model.study import Study
from tf_claims.model.verdict import Verdict
from tf_claims.tables.across_environments import across_environments
from tf_claims.tables.files import Cell as TableCell
from tf_claims.tables.files import Table, write_table
from tf_claims.tables.remedies import remedies
from tf_claims.verdicts.options import add_study_options, study_of

Cells = dict[tuple[str, str], Cell]
PHASES = ("import", "setup", "first_step", "run")


def read_verdicts(path: Path) -> list[Verdict]:
    """:raises InputError: for an element that is no verdict."""
    return [check(path, Verdict, element) for element in json.loads(path.read_text())]


def verdict_table(verdicts: list[Verdict]) -> Table:
    caption = (
        "Every claim in every environment: our estimate with its 95 % interval beside the published number. "
        "Where a size is smaller than published, the column 'scaled_down' says which."
    )
    heading = "claim environment verdict estimate ci_low ci_high published blocks scaled_down engine"
    rows = [
        [*_fields(each, "claim environment verdict estimate ci_low ci_high published blocks scaled_down_note engine")]
        for each in verdicts
    ]
    return Table("verdicts", caption, heading, rows)


def _fields(record: object, names: str) -> Iterator[TableCell]:
    return (getattr(record, name) for name in names.split())


def gate_table(cells: Cells) -> Table:
    caption = "Known answers. An observation that misses one has no time; without a number, the metric was not finite."
    heading = "scenario environment variant metric expected within worst_deviation blocks passed"
    rows: list[list[TableCell]] = [
        [
            *_fields(gate, "scenario environment variant metric"),
            f"{gate.expected:.10g}",
            f"{gate.within:g}",
            *_outcome(gate),
        ]
        for cell in cells.values()
        for gate in cell.gates
    ]
    return Table("gates", caption, heading, rows)


def _outcome(gate: GateRow) -> tuple[TableCell, ...]:
    return _finite(gate.worst), gate.blocks, "yes" if gate.passed else f"no, {gate.missed} missed"


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def remedy_table(study: Study, cells: Cells) -> Table:
    caption = (
        "Every variant at the published size against the text's own reference, fastest first: median time of the run, "
        "scaled to the published number of repetitions, and the geometric mean of the ratios within blocks with its "
        "95 % interval."
    )
    heading = "scenario environment variant median_s ratio ci_low ci_high blocks reference"
    rows = [
        [
            name,
            *_fields(remedy, "environment variant seconds"),
            *_fields(remedy.ratio, "value low high blocks"),
            remedy.reference,
        ]
        for (name, environment), cell in cells.items()
        for remedy in remedies(name, study.scenarios[name], study.name, environment, cell)
    ]
    return Table("remedies", caption, heading, rows)


def phase_table(cells: Cells) -> Table:
    caption = (
        "Where the time goes: medians over undisturbed blocks, in seconds of elapsed time. Only 'run' is compared."
    )
    heading = "scenario environment variant import_s setup_s first_step_s run_s blocks"
    rows: list[list[TableCell]] = []
    for (name, environment), cell in cells.items():
        for variant in cell.variants:
            observed = cell.rows(variant)
            ended = observed[(observed["status"] == "ok") & ~observed.index.isin(list(cell.disturbed))]
            columns = [f"{phase}.wall_s" for phase in PHASES]
            medians = (_finite(float(ended[each].median())) if each in ended else None for each in columns)
            rows.append([name, environment, variant, *medians, len(ended)])
    return Table("phases", caption, heading, rows)


def family_wise_table(verdicts: list[Verdict]) -> Table:
    caption = (
        "All tests of this run together (Holm 1979). The verdict's word stands on its own test at 5 %; 'holds' says "
        "whether that test still holds when the chance of even one false one among all is to be at most 5 %. "
        "A ratio is tested for not being 1, an equivalence for lying inside its margin."
    )
    heading = "scenario claim environment estimand verdict p_value adjusted_p_value holds"
    rows: list[list[TableCell]] = [
        [
            *_fields(each, "scenario claim environment estimand verdict"),
            each.details["p_value"],
            each.details["p_value_adjusted"],
            "yes" if each.details["holds_family_wise"] else "no",
        ]
        for each in verdicts
        if "holds_family_wise" in each.details
    ]
    return Table("family_wise", caption, heading, rows)


def quality_table(cells: Cells) -> Table:
    caption = (
        "The quality of every block, by a rule on the conditions that was fixed beforehand. A disturbed block is kept "
        "among the observations, used by no estimate of a time, and replaced."
    )
    heading = "scenario environment block quality reason"
    rows: list[list[TableCell]] = [
        [name, environment, block, "disturbed" if block in cell.disturbed else "good", cell.disturbed.get(block, "")]
        for (name, environment), cell in cells.items()
        for block in cell.blocks
    ]
    return Table("quality", caption, heading, rows)


def environment_table(study: Study, cells: Cells) -> Table:
    caption = (
        "Time of the run in an environment over that in another: ratios of geometric means over blocks, unpaired, with "
        "Welch's 95 % intervals. The adjusted ratio is divided by that of the blocks' calibrations, which compares "
        "machines, but also the NumPy of the two environments: on one machine read the plain one. Variants run at "
        "different sizes are left out. None of these decides a verdict."
    )
    heading = (
        "scenario variant environment against unpaired_ratio ci_low ci_high adjusted_ratio adjusted_low adjusted_high "
        "blocks blocks_against"
    )
    rows: list[list[TableCell]] = [
        [
            *_fields(found, "scenario variant environment against"),
            *found.plain,
            *map(_finite, found.adjusted),
            *_fields(found, "blocks blocks_against"),
        ]
        for found in across_environments(study, cells)
    ]
    return Table("environments", caption, heading, rows)


def all_tables(study: Study, cells: Cells, verdicts: list[Verdict]) -> list[Table]:
    return [
        verdict_table(verdicts),
        family_wise_table(verdicts),
        gate_table(cells),
        remedy_table(study, cells),
        environment_table(study, cells),
        phase_table(cells),
        quality_table(cells),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="The tables of a study.")
    add_study_options(parser)
    parser.add_argument("--verdicts", type=Path, required=True, help="verdicts.json of tf_claims.verdicts.judge")
    parser.add_argument("--output-dir", type=Path, required=True)
    options = parser.parse_args()
    study = study_of(options)
    cells = read_measurements(options.observations, study)
    for table in all_tables(study, cells, read_verdicts(options.verdicts)):
        write_table(table, options.output_dir)


if __name__ == "__main__":
    exit_clearly(main)
