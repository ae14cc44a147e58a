"""The observations of a study, arranged for questions about variants: one :class:`Cell` a scenario and environment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from tf_claims.cells.block_conditions import COLUMNS, BlockConditions, block_conditions
from tf_claims.cells.gates import GateRow, apply_gates
from tf_claims.cells.pooling import FIELDS, refuse_unlike
from tf_claims.model.errors import InputError
from tf_claims.model.estimand import Column
from tf_claims.model.metrics import PHASES, is_time
from tf_claims.model.reason import Reason, because, decode, encode
from tf_claims.model.scenario import Curves, Scenario
from tf_claims.model.selectors import Level, label
from tf_claims.model.study import Study

IDENTITY = ["scenario", "environment", "preset", "variant", "block", "engine", "status", "reason"]


class Blocks(NamedTuple):
    """Values of the blocks in which all of them are usable, (blocks, columns), and what became of the others.

    ``strata`` has the type of machine of each block.
    """

    blocks: list[int]
    values: NDArray[np.float64]
    dropped: int
    why_dropped: Reason | None
    strata: list[str]


class Cell:
    """One scenario's observations in one environment."""

    def __init__(
        self,
        frame: pd.DataFrame,
        order: Iterable[str],
        gates: list[GateRow],
        metrics: set[str],
        conditions: BlockConditions,
        least: int,
    ) -> None:
        self.gates = gates
        self.metrics = metrics
        self.engine = str(frame["engine"].iloc[0])
        self.blocks: list[int] = sorted(frame["block"].unique().tolist())
        # Blocks that something from outside disturbed, each with the measured reasons.
        self.disturbed = conditions.disturbed
        # Their times are used only where fewer good blocks than that are left: then all are.
        self.uses_disturbed = len(self.blocks) - len(self.disturbed) < least
        self.node_types = conditions.node_types
        self.calibration = conditions.calibration
        found = {str(name): rows.set_index("block") for name, rows in frame.groupby("variant", observed=True)}
        self._frames = {variant: found[variant] for variant in order if variant in found}

    @property
    def seconds(self) -> float:
        """What its processes took, all blocks together."""
        return float(sum(rows["process.wall_s"].sum() for rows in self._frames.values()))

    @property
    def variants(self) -> list[str]:
        """Those that were run, in the order of the scenario."""
        return list(self._frames)

    def rows(self, variant: str) -> pd.DataFrame:
        """A variant's observations by block; ``unusable`` says why one failed or missed a gate, "" where it did not."""
        return self._frames[variant]

    def sizes(self, variant: str) -> dict[str, Level]:
        """The sizes that a variant was run at; empty where it was not run."""
        return sizes_of(self._frames[variant]) if variant in self._frames else {}

    def why_never_ran(self, variants: Iterable[str]) -> Reason | None:
        """The most common reason where a variant ran to its end in no block; None where each did in some."""
        for variant in variants:
            if variant not in self._frames:
                return because("no_observation", variant=variant)
            rows = self._frames[variant]
            if (rows["status"] != "ok").all():
                why = decode(str(rows["unusable"].value_counts().index[0]))
                return because("failed_in_all", variant=variant, blocks=len(rows), why=why)
        return None

    def unusable(self, variant: str, metric: str) -> pd.Series:
        """Why a block has no usable ``metric`` of a variant (encoded), "" where it has, for :attr:`blocks`."""
        missing = encode(because("no_observation", variant=variant))
        why = self._frames[variant]["unusable"].reindex(self.blocks).fillna(missing).astype(str)
        if is_time(metric) and not self.uses_disturbed:
            # A reason of the observation's own comes first.
            for block, reasons in self.disturbed.items():
                why[block] = why[block] or encode(because("disturbed", reasons=[*reasons]))
        return why

    def disturbed_among(self, columns: Sequence[Column], blocks: Sequence[int]) -> list[int]:
        """Those of ``blocks`` that were disturbed, where a time is among the columns."""
        return [each for each in blocks if each in self.disturbed and any(is_time(column.metric) for column in columns)]

    def complete(self, columns: Sequence[Column], positive: bool) -> Blocks:
        """The blocks in which every column is usable and finite, and positive where that is asked for."""
        values, unusable = self.values(columns, positive)
        lost = np.array([bool(why) for why in unusable], bool)
        common = Counter(why for why in unusable if why).most_common(1)
        kept = [block for block, gone in zip(self.blocks, lost, strict=True) if not gone]
        return Blocks(
            kept,
            values[~lost],
            int(lost.sum()),
            decode(common[0][0]) if common else None,
            [self.node_types[block] for block in kept],
        )

    def values(self, columns: Sequence[Column], positive: bool) -> tuple[NDArray[np.float64], list[str]]:
        """The columns of every block, (blocks, columns), NaN where not finite, and why one is not usable."""
        values = np.full((len(self.blocks), len(columns)), np.nan)
        unusable = np.full(len(self.blocks), "", object)
        for index, column in enumerate(columns):
            rows = self._frames[column.variant].reindex(self.blocks)
            found = rows[column.metric].to_numpy(float) if column.metric in rows else np.full(len(rows), np.nan)
            why = self.unusable(column.variant, column.metric).to_numpy(object, copy=True)
            why[(why == "") & ~np.isfinite(found)] = encode(because("not_finite", metric=column.metric))
            if positive:
                why[(why == "") & (found <= 0)] = encode(because("not_positive", metric=column.metric))
            unusable = np.where(unusable == "", why, unusable)
            values[:, index] = np.where(np.isfinite(found), found * column.factor, np.nan)
        return values, [str(each) for each in unusable]


def sizes_of(rows: pd.DataFrame) -> dict[str, Level]:
    """The sizes that the first of ``rows`` was run at."""
    first = rows.iloc[0]
    columns = [column for column in rows.columns if column.startswith("size.") and pd.notna(first[column])]
    sizes = {column.removeprefix("size."): first[column] for column in columns}
    return {name: size.item() if isinstance(size, np.generic) else size for name, size in sizes.items()}


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
    for metric in _metrics(study) & set(frame.columns):
        frame[metric] = pd.to_numeric(frame[metric], errors="coerce").astype(float)
    _check(path, frame, study)
    cells = {}
    least = {(planned.scenario, planned.environment): planned.blocks.least for planned in study.cells}
    for key, rows in frame.groupby(["scenario", "environment"], observed=True):
        name, environment = map(str, key)
        if name not in study.scenarios or environment not in study.stacks:
            continue  # measured in an earlier run with a wider choice
        scenario = study.scenarios[name]
        levels = _known_levels(path, rows, name, scenario)
        judged, gates = apply_gates(rows, scenario, name, environment, levels)
        conditions = block_conditions(rows)
        cells[name, environment] = Cell(judged, levels, gates, recorded, conditions, least[name, environment])
    return cells


def _needed(names: Iterable[str], study: Study) -> list[str]:
    known = {*IDENTITY, *COLUMNS, *FIELDS, *_metrics(study)}
    return [name for name in names if name in known or name.startswith("size.")]


def _metrics(study: Study) -> set[str]:
    return set().union(*(metrics_of(scenario) for scenario in study.scenarios.values()))


def metrics_of(scenario: Scenario) -> set[str]:
    """The metrics that the claims and gates of a scenario, and its tables, are about."""
    metrics = {gate.metric for gate in scenario.gates} | {"process.wall_s"}
    for claim in scenario.claims.values():
        metrics |= set(claim.estimand.metrics_used)
    if scenario.curves is not None:
        metrics |= {column for pair in curve_columns(scenario.curves) for column in pair}
    return metrics | {f"{phase}.wall_s" for phase in PHASES}


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
    key = ["scenario", "environment", "block", "variant"]
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
