"""A small result that is kept in git: anybody can compare with it, and derive it again from its observations.

``tf-claims reference --results results/quick --references reference`` makes ``reference/quick``.

It keeps the observations, without the name of the machine, and derives everything else from them. So it is refreshed
without measuring, after a change of the statistics, by being made from itself: ``--results reference/quick``.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq

from tf_claims.cells.measurements import read_measurements
from tf_claims.compare.conditions import conditions
from tf_claims.compare.runs import read_observation_table
from tf_claims.model.errors import InputError
from tf_claims.model.files import replaced, write_whole
from tf_claims.model.study import Study, plan_study
from tf_claims.tables.files import Table, as_csv, as_markdown
from tf_claims.tables.write import all_tables, read_verdicts
from tf_claims.verdicts.judge import write_judgements
from tf_claims.words.numbers import count

PRIVATE = ["host.node"]
README = """# Reference result: preset {preset}

A whole run of `make reproduce PRESET={preset}` that is kept small: {blocks}, {processes}. `make compare` sets your own
result beside it.

| file | what it is |
| --- | --- |
| `observations.parquet` | every observation, as measured; only the name of the machine is left out |
| `verdicts.json`, `estimates.csv`, `tables/` | what the code makes of them, byte for byte on any machine |

After a change of the statistics or of a claim, `make reference FROM=reference/{preset}` derives these files again
without measuring; `make reference FROM=results/{preset}` replaces the whole by your own result.

## Where it was measured

{conditions}"""


def keep(results: Path, references: Path) -> Path:
    """The reference ``references/<preset>``, made from the observations of ``results``.

    :raises InputError: where these are missing, of several presets, or do not fit today's scenarios.
    """
    source = results / "observations.parquet"
    frame = read_observation_table(source)
    study = _study(source, frame)
    output = references / study.name
    observations = output / source.name
    if source.resolve() != observations.resolve():
        recorded = pq.read_table(source)
        with replaced(observations) as draft:
            pq.write_table(recorded.drop_columns([name for name in PRIVATE if name in recorded.column_names]), draft)
    cells = read_measurements(observations, study)
    verdicts = output / "verdicts.json"
    write_judgements(study, cells, verdicts, output / "estimates.csv")
    for table in all_tables(study, cells, read_verdicts(verdicts)):
        write_whole(output / "tables" / f"{table.name}.csv", as_csv(table))
    write_whole(output / "README.md", _readme(study.name, frame))
    return output


def _study(path: Path, frame: pd.DataFrame) -> Study:
    """What was measured and nothing else, so that neither this host nor a new scenario changes what is derived."""
    presets, environments, scenarios = (frame[name].unique().tolist() for name in ("preset", "environment", "scenario"))
    if len(presets) != 1:
        raise InputError(f"{path}: field preset: a reference is of one preset, found {', '.join(presets)}")
    return plan_study(presets[0], lambda stack: None, environments, scenarios)


def _readme(preset: str, frame: pd.DataFrame) -> str:
    rows = [[condition, about, value] for (condition, about), value in conditions(frame).items()]
    return README.format(
        preset=preset,
        blocks=count(len(frame[["scenario", "environment", "block"]].drop_duplicates()), "block"),
        processes=count(len(frame), "process", "processes"),
        conditions=as_markdown(Table("conditions", "", "condition about value", rows)),
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--results", type=Path, required=True, help="a results folder, or the reference itself")
    parser.add_argument("--references", type=Path, required=True, help="the folder of all references")


def execute(options: argparse.Namespace) -> None:
    """Make or refresh a reference and say where it is.

    :raises InputError: as :func:`keep`.
    """
    print(keep(options.results, options.references))
