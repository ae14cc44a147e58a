"""The options that all commands over a study's observations share."""

from __future__ import annotations

import argparse
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tf_claims.host.gpu import why_not
from tf_claims.model.study import Study, plan_study


def add_study_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--preset", required=True)
    parser.add_argument("--environments", default="", help="names or patterns, separated by blanks")
    parser.add_argument("--scenarios", default="", help="names or patterns, separated by blanks")
    parser.add_argument("--observations", type=Path, required=True, help="the table that tf_claims.cells.tidy writes")


def study_of(options: argparse.Namespace) -> Study:
    """The study chosen; what was measured counts even where this host could not run it.

    :raises InputError: for an unknown name.
    """
    study = plan_study(options.preset, lambda stack: None, options.environments.split(), options.scenarios.split())
    measured = _measured(options.observations)
    cells = [
        cell
        if cell.environment in measured
        else cell._replace(why_not=why_not(study.stacks[cell.environment]) or cell.why_not)
        for cell in study.cells
    ]
    return study._replace(cells=cells)


def _measured(table: Path) -> set[str]:
    """The environments in a table of observations; none where it cannot be read, which its own reader reports."""
    try:
        column = pq.read_table(table, columns=["environment"])["environment"]
    except (OSError, pa.ArrowInvalid):
        return set()
    return {str(name) for name in column.unique().to_pylist()}
