"""One of the results: what a comparison needs of a results folder or of a reference."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, NamedTuple, cast

import msgspec
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from tf_claims.compare.movement import RatioEstimate
from tf_claims.estimands.kind import Kind
from tf_claims.model.errors import InputError
from tf_claims.model.estimand import kinds
from tf_claims.model.verdict import VerdictWord

FILES = ("verdicts.json", "estimates.csv", "observations.parquet")
TOO_FEW_BLOCKS = {"few_blocks", "few_blocks_each_elsewhere"}
"""The reasons of a verdict for want of usable blocks."""
_FIX = "make the result again with `make reproduce`"

Key = tuple[str, str, str]  # scenario, claim, environment


class Judged(msgspec.Struct, frozen=True):
    """Of a verdict what is compared; a verdict of another version of the pipeline may have more."""

    claim: str
    scenario: str
    environment: str
    says: str
    verdict: VerdictWord
    reason: str
    estimate: float | None
    ci_low: float | None
    ci_high: float | None
    blocks: int
    because: list[dict[str, Any]] = []
    node_types: int | None = None
    details: dict[str, Any] = {}

    @property
    def lost(self) -> bool:
        """Whether it was measured, and too few blocks were usable for an interval; earlier versions wrote no keys."""
        return any(each["key"] in TOO_FEW_BLOCKS for each in self.because)

    @property
    def machines(self) -> int:
        """The types of machine that its blocks come from; earlier versions wrote that among the details."""
        return self.node_types or int(self.details.get("node_types", 1))


class Run(NamedTuple):
    """A result; ``ratios`` are by claim and then by quantity."""

    folder: Path
    verdicts: dict[Key, Judged]
    ratios: dict[tuple[Key, str], RatioEstimate]
    observations: pd.DataFrame


def read_run(folder: Path) -> Run:
    """:raises InputError: naming file and field, where one is missing, cut short or foreign."""
    for name in FILES:
        if not (folder / name).exists():
            raise InputError(
                f"{folder / name}: no such file; a result to compare has {', '.join(FILES)}: name such folders with "
                "RUNS='... ...', or make one with `make reproduce`"
            )
    verdicts = _verdicts(folder / "verdicts.json")
    ratios = _ratios(folder / "estimates.csv", verdicts)
    return Run(folder, verdicts, ratios, read_observation_table(folder / "observations.parquet"))


def read_observation_table(path: Path) -> pd.DataFrame:
    """:raises InputError: where the file is not a table of observations."""
    try:
        table = pq.read_table(path)
    except (FileNotFoundError, pa.ArrowInvalid) as error:
        raise InputError(f"{path}: not a table of observations: {error}; {_FIX}") from None
    for name in ("scenario", "environment", "preset", "block"):
        if name not in table.column_names:
            raise InputError(f"{path}: field {name}: missing in this table of observations; {_FIX}")
    frame: pd.DataFrame = table.to_pandas()
    return frame


def _verdicts(path: Path) -> dict[Key, Judged]:
    try:
        verdicts = msgspec.json.decode(path.read_bytes(), type=list[Judged])
    except msgspec.MsgspecError as error:
        raise InputError(f"{path}: not the verdicts of a run: {error}; {_FIX}") from None
    return {(each.scenario, each.claim, each.environment): each for each in verdicts}


def _ratios(path: Path, verdicts: dict[Key, Judged]) -> dict[tuple[Key, str], RatioEstimate]:
    ratios = {}
    comparable = {quantity for kind in kinds().values() for quantity in cast(type[Kind], kind).comparable}
    with path.open(newline="") as lines:
        for number, row in enumerate(csv.DictReader(lines), start=2):
            try:
                key = row["scenario"], row["claim"], row["environment"]
                if row["quantity"] in comparable and row["ci_low"]:
                    value, low, high = (float(row[name]) for name in ("estimate", "ci_low", "ci_high"))
                    node_types = verdicts[key].machines if key in verdicts else 1
                    ratios[key, row["quantity"]] = RatioEstimate(value, low, high, int(row["blocks"]), node_types)
            except (KeyError, ValueError, TypeError) as error:
                raise InputError(f"{path}: line {number} is not an estimate: {error}; {_FIX}") from None
    return ratios
