"""What the observations of a scenario in an environment tell about the host: process by process, block by block."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any, NamedTuple

import pandas as pd

from tf_claims.cells.quality import Measures, why_disturbed
from tf_claims.model.reason import Reason

# Of the host while a process ran (in observations kept from earlier: while its block ran), and around its block.
MEASURES = {
    "disturbance.wall_s": "wall_s",
    "disturbance.other_cpu_s": "other_cpu_s",
    "disturbance.steal_s": "steal_s",
    "disturbance.throttled_s": "throttled_s",
    "disturbance.mhz_before": "mhz_before",
    "disturbance.mhz_after": "mhz_after",
    "calibration.drift": "drift",
    "gpu.other_processes": "gpu_others",
    "host.cpus": "cpus",
}
CALIBRATION = ["calibration.before_s", "calibration.after_s"]
HOST = ["host.cpu_model", "host.cpus", "host.gpu"]
COLUMNS = list(dict.fromkeys([*MEASURES, *CALIBRATION, *HOST]))


class BlockConditions(NamedTuple):
    """By block: the type of machine, and the calibration (seconds).

    The calibration is the faster of the two, since what slows one of them for a moment is not the machine; NaN where
    it is not known.
    """

    node_types: dict[int, str]
    calibration: dict[int, float]


def block_conditions(rows: pd.DataFrame) -> BlockConditions:
    """The conditions of the blocks of one cell, in the order of their numbers; a missing column is not known."""
    told = rows.reindex(columns=["block", *CALIBRATION, *HOST]).drop_duplicates("block").set_index("block").sort_index()
    found = {int(str(block)): values for block, values in told.to_dict("index").items()}
    return BlockConditions(
        {block: _node_type(values) for block, values in found.items()},
        {block: min(_or_nan(values[name]) for name in CALIBRATION) for block, values in found.items()},
    )


def disturbed_rows(rows: pd.DataFrame) -> dict[Hashable, list[Reason]]:
    """The rows whose process something disturbed, by their label, each with the reasons; a missing column is unknown.

    Where nothing tells how long the host was watched, it was as long as the processes of the block took together.
    """
    told = rows.reindex(columns=list(MEASURES)).rename(columns=MEASURES).astype(float)
    if "process.wall_s" in rows:
        told["wall_s"] = told["wall_s"].fillna(rows.groupby("block")["process.wall_s"].transform("sum"))
    found = {}
    for label, values in zip(rows.index, told.to_numpy().tolist(), strict=True):
        known = {name: value for name, value in zip(told.columns, values, strict=True) if not math.isnan(value)}
        reasons = why_disturbed(Measures(**{"wall_s": None, **known, "cpus": int(known.get("cpus", 1))}))
        if reasons:
            found[label] = reasons
    return found


def _node_type(values: dict[Any, Any]) -> str:
    model, cpus, gpu = (values[name] for name in HOST)
    return f"{model}, {cpus} CPUs" + ("" if pd.isna(gpu) else f", {gpu}")


def _or_nan(value: Any) -> float:
    return math.nan if pd.isna(value) else float(value)
