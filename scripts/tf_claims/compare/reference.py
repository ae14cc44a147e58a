"""A small result that is kept in git: anybody can compare with it, and derive it again from its observations.

``tf-claims reference --results results/quick --references reference`` makes ``reference/quick``.

It keeps the study and the observations, without the name of the machine, and derives everything else from them. So it
is refreshed without measuring, after a change of the statistics, by being made from itself: ``--results
reference/quick``.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import pyarrow.parquet as pq

from tf_claims.cells.measurements import read_measurements
from tf_claims.compare.conditions import conditions
from tf_claims.compare.runs import read_observation_table
from tf_claims.model.errors import InputError
from tf_claims.model.files import replaced, write_whole
from tf_claims.model.results import Results
from tf_claims.model.study import read_study, write_study
from tf_claims.tables.files import Table, as_csv, as_markdown
from tf_claims.tables.write import all_tables
from tf_claims.verdicts.judge import write_verdicts
from tf_claims.words.numbers import count

PRIVATE = ["host.node"]
README = """# Reference result: preset {preset}

A whole run of `make reproduce PRESET={preset}` that is kept small: {blocks}, {processes}. `make compare` sets your own
result beside it.

| file | what it is |
| --- | --- |
| `study.json` | what was planned and measured: the preset, the environments, the blocks |
| `observations.parquet` | every observation, as measured; only the name of the machine is left out |
| `verdicts.json`, `estimates.csv`, `tables/` | what the code makes of them, byte for byte on any machine |

After a change of the statistics or of a claim, `make reference FROM=reference/{preset}` derives these files again
without measuring; `make reference FROM=results/{preset}` replaces the whole by your own result.

## Where it was measured

{conditions}"""


def keep(results: Path, references: Path) -> Path:
    """The reference ``references/<preset>``, made from the study and the observations of ``results``.

    :raises InputError: where these are missing, of several presets, or do not fit today's scenarios.
    """
    source = Results(results)
    frame = read_observation_table(source.observations)
    if not source.study.exists():
        raise InputError(
            f"{source.study}: no such file; a result without it is of an earlier version: `make reproduce` writes it "
            "beside the observations that are there, and measures nothing twice"
        )
    # What was measured and nothing else: a reference does not say what another host could not run.
    measured = set(frame[["scenario", "environment"]].drop_duplicates().itertuples(index=False, name=None))
    study = read_study(source.study).only(measured)
    output = Results(references / study.name)
    if source.observations.resolve() != output.observations.resolve():
        recorded = pq.read_table(source.observations)
        with replaced(output.observations) as draft:
            pq.write_table(recorded.drop_columns([name for name in PRIVATE if name in recorded.column_names]), draft)
    write_study(study, output.study)
    cells = read_measurements(output.observations, study)
    with TemporaryDirectory() as folder:
        # The judgements themselves are large, and are not kept.
        derived = Results(Path(folder))
        judgements = write_verdicts(study, cells, derived)
        write_whole(output.verdicts, derived.verdicts.read_text())
        write_whole(output.estimates, derived.estimates.read_text())
    for table in all_tables(study, cells, judgements):
        write_whole(output.tables / f"{table.name}.csv", as_csv(table))
    write_whole(output.folder / "README.md", _readme(study.name, frame))
    return output.folder


def _readme(preset: str, frame: pd.DataFrame) -> str:
    rows = [[condition, about, value] for (condition, about), value in conditions(frame).items()]
    return README.format(
        preset=preset,
        blocks=count(len(frame[["scenario", "environment", "block"]].drop_duplicates()), "block"),
        processes=count(len(frame), "process", "processes"),
        conditions=as_markdown(Table("conditions", "", "condition about value", rows)),
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--results", type=Path, required=True, help="a results folder, or the reference itself")
    parser.add_argument("--references", type=Path, required=True, help="the folder of all references")


def execute(options: argparse.Namespace) -> None:
    """Make or refresh a reference and say where it is.

    :raises InputError: as :func:`keep`.
    """
    print(keep(options.results, options.references))
