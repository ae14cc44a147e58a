"""The observations of a study, read from their table and checked: one :class:`Cell` a scenario and environment."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from tf_claims.cells.cell import Cell
from tf_claims.cells.conditions import COLUMNS, block_conditions, disturbed_rows
from tf_claims.cells.gates import apply_gates
from tf_claims.cells.pooling import FIELDS, refuse_unlike
from tf_claims.model.errors import InputError
from tf_claims.model.metrics import EPOCHS, PHASES, base_of
from tf_claims.model.scenario import Curves, Scenario
from tf_claims.model.selectors import Level, label
from tf_claims.model.study import Study

IDENTITY = ["scenario", "environment", "preset", "variant", "block", "attempt", "engine", "status", "reason"]


def read_measurements(path: Path, study: Study) -> dict[tuple[str, str], Cell]:
    """What was measured of a study, by scenario and environment, from the table that ``tf_claims.cells.tidy`` writes.

    :raises InputError: where the table holds what the study does not know, what cannot be pooled, or the same
        observation twice.
    """
    try:
        names = pq.read_schema(path).names
    except (FileNotFoundError, pa.ArrowInvalid) as error:
        raise InputError(f"{path}: not a table of observations: {error}; delete it and run again") from None
    return arrange(path, pq.read_table(path, columns=_needed(names, study)), set(names), study)


def arrange(path: Path, table: pa.Table, recorded: set[str], study: Study) -> dict[tuple[str, str], Cell]:
    """Likewise, from such a ``table``, which came from ``path``; ``recorded`` are all metrics that were recorded."""
    frame = table.to_pandas()
    if "attempt" not in frame:  # kept from before a disturbed process was measured again
        frame["attempt"] = 1
    for metric in _metrics(study) & set(frame.columns):
        frame[metric] = pd.to_numeric(frame[metric], errors="coerce").astype(float)
    _check(path, frame, study)
    cells = {}
    for key, rows in frame.groupby(["scenario", "environment"], observed=True):
        name, environment = map(str, key)
        if name not in study.scenarios or environment not in study.stacks:
            continue  # measured in an earlier run with a wider choice
        scenario = study.scenarios[name]
        levels = _known_levels(path, rows, name, scenario)
        judged, gates = apply_gates(rows, scenario, name, environment, levels)
        cells[name, environment] = Cell(
            judged,
            disturbed_rows(rows),
            levels,
            gates,
            recorded,
            block_conditions(rows),
            study.blocks(name, environment).least,
        )
    return cells


def _needed(names: Iterable[str], study: Study) -> list[str]:
    known = {*IDENTITY, *COLUMNS, *FIELDS, *_metrics(study)}
    return [name for name in names if name in known or name.startswith("size.") or base_of(name) in EPOCHS]


def _metrics(study: Study) -> set[str]:
    return set().union(*(metrics_of(scenario) for scenario in study.scenarios.values()))


def metrics_of(scenario: Scenario) -> set[str]:
    """The metrics that the claims and gates of a scenario, and its tables, are about."""
    metrics = {gate.metric for gate in scenario.gates}
    for claim in scenario.claims.values():
        metrics |= set(claim.estimand.metrics_used)
    if scenario.curves is not None:
        metrics |= {column for pair in curve_columns(scenario.curves) for column in pair}
    return metrics | {f"{part}.{clock}" for part in (*PHASES, "process") for clock in ("wall_s", "cpu_s")}


def curve_columns(curves: Curves) -> list[tuple[str, str]]:
    """The columns of each step of a series: what was told, and what was checked."""
    steps = range(1, max(len(line.published) for line in curves.lines) + 1)
    return [(f"{curves.metric}[{step}]", f"{curves.checked}[{step}]") for step in steps]


def _check(path: Path, frame: pd.DataFrame, study: Study) -> None:
    presets = sorted(map(str, frame["preset"].unique()))
    if presets != [study.name]:
        raise InputError(
            f"{path}: field preset: holds observations of the preset {' and '.join(presets)}, not of {study.name} "
            "alone; keep each preset's observations in its own folder"
        )
    refuse_unlike(path, frame)
    key = ["scenario", "environment", "block", "variant", "attempt"]
    twice = frame[frame.duplicated(key)]
    if len(twice):
        first = ", ".join(f"{name} {twice.iloc[0][name]}" for name in key)
        raise InputError(f"{path}: the observation of {first} is there twice; delete the copied observation file")


def _known_levels(path: Path, rows: pd.DataFrame, name: str, scenario: Scenario) -> dict[str, dict[str, Level]]:
    known = {label(levels): levels for levels in scenario.all_combinations()}
    for variant in rows["variant"].unique():
        if variant not in known:
            raise InputError(
                f"{path}: field levels: {variant!r} is no variant of scenario {name}; "
                "delete the observation files that an earlier version of the scenario left"
            )
    return known
