"""One scenario's observations in one environment: which of its blocks decide a question about variants, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tf_claims.cells.conditions import BlockConditions
from tf_claims.cells.gates import GateRow
from tf_claims.model.estimand import Column
from tf_claims.model.metrics import EPOCHS, PHASES, base_of, is_time
from tf_claims.model.reason import Reason, because, decode, encode
from tf_claims.model.selectors import Level

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

    def without(self, number: int) -> Blocks:
        """All but one block."""
        kept = np.array(self.numbers) != number
        numbers = [each for each in self.numbers if each != number]
        return self._replace(numbers=numbers, measured=self.measured[kept], bounds=self.bounds[kept])

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

    def epochs(self, variant: str, blocks: Sequence[int]) -> NDArray[np.float64] | None:
        """The time (s) of each epoch of a variant, (blocks, epochs); None where not all of them were recorded."""
        rows = self._frames[variant].reindex(list(blocks))
        recorded = [rows[column] for column in rows if base_of(str(column)) in EPOCHS]
        numbers = [pd.to_numeric(each, errors="coerce").to_numpy(float) for each in recorded]
        found = np.array([each for each in numbers if not np.isnan(each).all()], float).T
        return found if found.size and (found > 0).all() else None

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
        again = rows[(rows["attempt"] > 1) & rows["variant"].isin(first["variant"][first.index.isin(list(disturbed))])]
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
