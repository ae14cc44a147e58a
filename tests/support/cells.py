"""Cells of made-up blocks, some of which others disturbed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from tf_claims.bench.made_up import Change, study_files
from tf_claims.cells.measurements import read_measurements
from tf_claims.cells.tidy import tidy
from tf_claims.model.preset import BlockRule
from tf_claims.model.study import plan_study

PLANNED = plan_study("quick", lambda stack: None, ["tf1.15-cpu"], ["linear_regression"])
STUDY = PLANNED._replace(
    cells=[each.model_copy(update={"blocks": BlockRule(least=3, most=9)}) for each in PLANNED.cells]
)
CELL = ("linear_regression", "tf1.15-cpu")


def cells_of(tmp_path: Path, change: Change, blocks: int = 4) -> Any:
    path = tmp_path / "observations.parquet"
    pq.write_table(tidy(study_files(tmp_path, ["tf1.15-cpu"], blocks, change=change)), path)
    return read_measurements(path, STUDY)


def busy_loop_in(*blocks: int) -> Change:
    def change(record: dict[str, Any], _: Any) -> None:
        busy = record["block"] in blocks
        told = {"wall_s": 50.0, "other_cpu_s": 47.0 if busy else 0.5}
        record["conditions"]["disturbance"] = record["conditions"]["disturbance"] | told

    return change
