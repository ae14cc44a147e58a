"""What the observations of a scenario in an environment tell about the host, block by block."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import pandas as pd

from tf_claims.cells.quality import Measures, why_disturbed
from tf_claims.model.reason import Reason

# Of a block's own processes, added up.
OWN = ["process.wall_s"]
# Of the host, the same in every row of a block.
DISTURBANCE = [
    "disturbance.wall_s",
    "disturbance.other_cpu_s",
    "disturbance.steal_s",
    "disturbance.cpu_pressure_s",
    "disturbance.mhz_before",
    "disturbance.mhz_after",
]
CALIBRATION = ["calibration.before_s", "calibration.after_s", "calibration.drift"]
HOST = ["host.cpu_model", "host.cpus", "host.gpu"]
COLUMNS = [*OWN, *DISTURBANCE, *CALIBRATION, *HOST]


class BlockConditions(NamedTuple):
    """By block: the reasons where something disturbed it, the type of machine, and the calibration (seconds).

    The calibration is the faster of the two, since what slows one of them for a moment is not the machine; NaN where
    it is not known.
    """

    disturbed: dict[int, list[Reason]]
    node_types: dict[int, str]
    calibration: dict[int, float]


def block_conditions(rows: pd.DataFrame) -> BlockConditions:
    """The conditions of the blocks of one cell, in the order of their numbers; a missing column is not known."""
    blocks = rows.reindex(columns=["block", *COLUMNS]).sort_values("block", kind="stable")
    told = blocks.drop_duplicates("block").set_index("block")
    own = blocks.set_index("block")[OWN].astype(float).groupby("block").sum(min_count=1)
    found = {int(str(block)): values for block, values in told.assign(**own).to_dict("index").items()}
    reasons = {block: why_disturbed(_measures(values)) for block, values in found.items()}
    return BlockConditions(
        {block: reason for block, reason in reasons.items() if reason},
        {block: _node_type(values) for block, values in found.items()},
        {
            block: min(_or_nan(values[f"calibration.{when}_s"]) for when in ("before", "after"))
            for block, values in found.items()
        },
    )


def _measures(values: dict[Any, Any]) -> Measures:
    """Of a block that did not record its length, that of its processes together, which is a little less."""
    wall, other, steal, pressure, before, after = (_known(values[name]) for name in DISTURBANCE)
    return Measures(
        wall_s=wall or _known(values["process.wall_s"]) or math.inf,
        cpus=int(_known(values["host.cpus"]) or 1),
        other_cpu_s=other,
        steal_s=steal,
        pressure_s=pressure,
        drift=_known(values["calibration.drift"]),
        mhz_before=before,
        mhz_after=after,
    )


def _node_type(values: dict[Any, Any]) -> str:
    model, cpus, gpu = (values[name] for name in HOST)
    return f"{model}, {cpus} CPUs" + ("" if pd.isna(gpu) else f", {gpu}")


def _known(value: Any) -> float | None:
    return None if pd.isna(value) else float(value)


def _or_nan(value: Any) -> float:
    return math.nan if pd.isna(value) else float(value)
