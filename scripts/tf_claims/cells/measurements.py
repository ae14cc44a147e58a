"""The observations of a study, arranged for questions about variants: one :class:`Cell` a scenario and environment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from tf_claims.cells.conditions import COLUMNS, BlockConditions, block_conditions, disturbed_rows
from tf_claims.cells.gates import GateRow, apply_gates
from tf_claims.cells.pooling import FIELDS, refuse_unlike
from tf_claims.model.errors import InputError
from tf_claims.model.estimand import Column
from tf_claims.model.metrics import PHASES, is_time
from tf_claims.model.reason import Reason, because, decode, encode
from tf_claims.model.scenario import Curves, Scenario
from tf_claims.model.selectors import Level, label
from tf_claims.model.study import Study

IDENTITY = ["scenario", "environment", "preset", "variant", "block", "attempt", "engine", "status", "reason"]
Which = Literal["enough", "good", "all"]


class BlockQuality(NamedTuple):
    """How many processes a block was to have, how many of them were disturbed, and how many were then measured well.

    ``reasons`` are those of its first disturbed process.
    """

    block: int
    processes: int
    disturbed: int
    replaced: int
    reasons: list[Reason]


class Blocks(NamedTuple):
    """What the blocks gave for some columns, and what became of them: those in which all of their variants were run.

    ``measured``: (blocks, columns) in the order of ``numbers``, NaN where not finite. ``bounds``: likewise, whether the
    value is a lower bound, since the process was stopped when its time was over. By number: ``why_unused`` has the
    blocks that decide nothing, ``disturbed`` those in which something disturbed a process whose time is asked for, used
    or not, and ``node_types`` the type of machine.
    """

    numbers: list[int]
    measured: NDArray[np.float64]
    bounds: NDArray[np.bool_]
    why_unused: dict[int, Reason]
    disturbed: dict[int, list[Reason]]
    node_types: dict[int, str]

    @property
    def used(self) -> list[int]:
        """The blocks that decide."""
        return [number for number in self.numbers if number not in self.why_unused]

    @property
    def values(self) -> NDArray[np.float64]:
        """Of the blocks that decide, (blocks, columns)."""
        return self.measured[self._used]

    @property
    def bounded(self) -> list[bool]:
        """For each column, whether a value of a block that decides is a lower bound."""
        return [bool(column[self._used].any()) for column in self.bounds.T]

    @property
    def strata(self) -> list[str]:
        """The type of machine of each block that decides."""
        return [self.node_types[number] for number in self.used]

    @property
    def used_disturbed(self) -> list[int]:
        """The disturbed ones of the blocks that decide."""
        return [number for number in self.used if number in self.disturbed]

    @property
    def why_dropped(self) -> Reason | None:
        """The most common reason why a block decides nothing; None where all do."""
        common = Counter(map(encode, self.why_unused.values())).most_common(1)
        return decode(common[0][0]) if common else None

    @property
    def _used(self) -> NDArray[np.bool_]:
        return np.array([number not in self.why_unused for number in self.numbers], bool)


class Cell:
    """One scenario's observations in one environment: of each variant one a block, the good one of several attempts."""

    def __init__(
        self,
        frame: pd.DataFrame,
        disturbed: dict[Hashable, list[Reason]],
        order: Iterable[str],
        gates: list[GateRow],
        metrics: set[str],
        conditions: BlockConditions,
        least: int,
    ) -> None:
        self.gates = gates
        self.metrics = metrics
        self.engine = str(frame["engine"].iloc[0])
        self.seconds = float(frame["process.wall_s"].sum())  # that its processes took, all together
        self.blocks: list[int] = sorted(frame["block"].unique().tolist())
        self.node_types = conditions.node_types
        self.calibration = conditions.calibration
        self.quality = list(_quality(frame, disturbed))
        self._least = least
        chosen = _chosen(frame, disturbed)
        # By variant and block, the reasons why its process was disturbed.
        self.disturbed = {
            (str(variant), int(block)): disturbed[label]
            for label, variant, block in zip(chosen.index, chosen["variant"], chosen["block"], strict=True)
            if label in disturbed
        }
        found = {str(name): rows.set_index("block") for name, rows in chosen.groupby("variant", observed=True)}
        self._frames = {variant: found[variant] for variant in order if variant in found}

    @property
    def variants(self) -> list[str]:
        """Those that were run, in the order of the scenario."""
        return list(self._frames)

    def seconds_of(self, variant: str) -> float:
        """What a process of a variant took, on average."""
        return float(self._frames[variant]["process.wall_s"].mean())

    def rows(self, variant: str) -> pd.DataFrame:
        """A variant's observations by block; ``unusable`` says why one failed or missed a gate, "" where it did not."""
        return self._frames[variant]

    def sizes(self, variant: str) -> dict[str, Level]:
        """The sizes that a variant was run at; empty where it was not run."""
        return sizes_of(self._frames[variant]) if variant in self._frames else {}

    def why_never_ran(self, columns: Iterable[Column], bounds: bool = False) -> Reason | None:
        """The most common reason where a variant ran to its end in no block; None where each did in some.

        :param bounds: whether a bound of a time is of use, where the process was stopped when its time was over
        """
        for variant, metric in dict.fromkeys((column.variant, column.metric) for column in columns):
            if variant not in self._frames:
                return because("no_observation", variant=variant)
            rows = self._frames[variant]
            if (rows["status"] != "ok").all() and not (bounds and _lower_bound(rows, metric).notna().any()):
                why = decode(str(rows["unusable"].value_counts().index[0]))
                return because("failed_in_all", variant=variant, blocks=len(rows), why=why)
        return None

    def complete(
        self, columns: Sequence[Column], positive: bool, bounds: bool = False, which: Which = "enough"
    ) -> Blocks:
        """The blocks in which all variants of ``columns`` were run, and which of them decide.

        That is where every column is usable and finite, and positive where that is asked for. Of times the blocks
        without a disturbed process decide, and all where fewer of these are left than the least number; ``which`` takes
        the good ones or all of them whatever their number.

        :param bounds: whether a lower bound is of use, where a process was stopped when its time was over
        """
        frames = [self._frames[column.variant] for column in columns]
        numbers = [block for block in self.blocks if all(block in rows.index for rows in frames)]
        values, bound = (np.full((len(numbers), len(columns)), empty) for empty in (np.nan, False))
        why: dict[int, Reason] = {}
        disturbed: dict[int, list[Reason]] = {}
        for index, (column, rows) in enumerate(zip(columns, frames, strict=True)):
            rows = rows.loc[numbers]
            found, unusable = self._column(rows, column.metric, positive)
            if bounds:
                lower = _lower_bound(rows, column.metric).to_numpy(float)
                bound[:, index] = np.isfinite(lower)
                found = np.where(bound[:, index], lower, found)
                unusable = np.where(bound[:, index], "", unusable)
            values[:, index] = np.where(np.isfinite(found), found * column.factor, np.nan)
            for block, reason in zip(numbers, unusable, strict=True):
                if reason:
                    why.setdefault(block, decode(reason))
                if is_time(column.metric) and (column.variant, block) in self.disturbed:
                    disturbed.setdefault(block, self.disturbed[column.variant, block])
        good = [block for block in numbers if block not in why and block not in disturbed]
        if which == "good" or (which == "enough" and len(good) >= self._least):
            for block, reasons in disturbed.items():
                # A reason of the observation's own comes first.
                why.setdefault(block, because("disturbed", reasons=[*reasons]))
        types = {block: self.node_types[block] for block in numbers}
        return Blocks(numbers, values, bound, why, disturbed, types)

    @staticmethod
    def _column(rows: pd.DataFrame, metric: str, positive: bool) -> tuple[NDArray[np.float64], NDArray[np.object_]]:
        """A metric in every row, and why it is not usable (encoded)."""
        found = rows[metric].to_numpy(float) if metric in rows else np.full(len(rows), np.nan)
        why = rows["unusable"].to_numpy(object, copy=True)
        why[(why == "") & ~np.isfinite(found)] = encode(because("not_finite", metric=metric))
        if positive:
            why[(why == "") & (found <= 0)] = encode(because("not_positive", metric=metric))
        return found, why


def _chosen(frame: pd.DataFrame, disturbed: dict[Hashable, list[Reason]]) -> pd.DataFrame:
    """Of each variant in each block the first attempt that nothing disturbed; the first where all were."""
    good = ~frame.index.isin(list(disturbed))
    ordered = frame.assign(_bad=~good).sort_values(["_bad", "attempt"], kind="stable")
    return ordered.drop_duplicates(["variant", "block"]).drop(columns="_bad").sort_index()


def _quality(frame: pd.DataFrame, disturbed: dict[Hashable, list[Reason]]) -> Iterator[BlockQuality]:
    for number, rows in frame.groupby("block"):
        first = rows[rows["attempt"] == 1]
        reasons = [disturbed[label] for label in first.index if label in disturbed]
        again = rows[rows["attempt"] > 1]
        replaced = sum(label not in disturbed for label in again.index)
        yield BlockQuality(int(str(number)), len(first), len(reasons), replaced, reasons[0] if reasons else [])


def _lower_bound(rows: pd.DataFrame, metric: str) -> pd.Series:
    """What the run of a process had taken when it was stopped since its time was over; NaN where it was not.

    Its whole time less that of the phases that it ended, for a process that had come to its run. It has the start of
    Python in it, some hundredths of a second.
    """
    phase, _, clock = metric.partition(".")
    stopped = (rows["status"].astype(str) == "timeout").to_numpy()
    earlier = [f"{each}.{clock}" for each in PHASES if each != "run"]
    if phase != "run" or f"process.{clock}" not in rows or not set(earlier) <= set(rows.columns):
        return pd.Series(np.nan, rows.index)
    left = rows[f"process.{clock}"].astype(float) - rows[earlier].astype(float).sum(axis=1, min_count=len(earlier))
    return left.where(stopped & (left > 0))


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
    return [name for name in names if name in known or name.startswith("size.")]


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
