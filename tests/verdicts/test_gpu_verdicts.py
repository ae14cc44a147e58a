"""A made-up run on a host with an H100: the claims about the GPU, and the GPU column of the others."""

import random
from typing import Any

import pyarrow.parquet as pq
import pytest

from tf_claims.bench.made_up import study_files
from tf_claims.cells.measurements import read_measurements
from tf_claims.cells.tidy import tidy
from tf_claims.figures.draw import draw_figures
from tf_claims.host.gpu import STATED, why_not
from tf_claims.model.study import plan_study
from tf_claims.tables.write import verdict_table
from tf_claims.verdicts.judge import judge
from tf_claims.words.messages import ENGLISH

ENVIRONMENTS = ["tf1.15-gpu", "tf2.15-cpu", "tf2.15-gpu"]
CARD = {
    "name": "NVIDIA H100 80GB HBM3",
    "driver": "550.54.15",
    "memory_mb": 81559.0,
    "memory_used_mb": 4.0,
    "compute_mode": "Exclusive_Process",
    "sm_mhz": 1980.0,
    "max_sm_mhz": 1980.0,
    "memory_mhz": None,
    "other_processes": 0,
}


def on_the_gpu(record: dict[str, Any], _: random.Random) -> None:
    """The device takes twice as long as the CPU."""
    if record["environment"] == "tf2.15-gpu":
        record["conditions"]["gpu"] = CARD
    if record["levels"].get("device") == "gpu":
        record["phases"]["run"]["wall_s"] *= 2


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv(STATED, "NVIDIA H100 80GB HBM3, 9.0, 550.54.15, 81559, Exclusive_Process")
    study = plan_study("quick", why_not, ENVIRONMENTS, ["linear_regression"])
    table = tidy(study_files(tmp_path / "observations", ENVIRONMENTS[1:], 4, change=on_the_gpu))
    pq.write_table(table, tmp_path / "observations.parquet")
    cells = read_measurements(tmp_path / "observations.parquet", study)
    return study, table, cells, judge(study, cells)


def test_the_claims_about_the_gpu_are_judged_where_it_runs(run):
    study, table, _, judgements = run
    found = {(each.verdict.claim, each.verdict.environment): each.verdict for each in judgements}
    # 243.5 and 27 microseconds an iteration, the first twice on the GPU
    assert found["C2", "tf2.15-gpu"].estimate == pytest.approx(2 * 243.5 / 27, rel=0.1)
    assert found["C3", "tf2.15-gpu"].estimate == pytest.approx(2, rel=0.1)
    assert {found[claim, "tf2.15-gpu"].verdict for claim in ("C2", "C3")} == {"reproduced"}
    assert found["C2", "tf1.15-gpu"].reason.startswith("GPU too new: NVIDIA H100 80GB HBM3 has compute capability 9.0")
    assert found["C1", "tf2.15-gpu"].estimate == pytest.approx(243.5 / 27, rel=0.1)  # placed on the CPU
    assert {environment for claim, environment in found if claim == "C1"} == {"tf2.15-cpu", "tf2.15-gpu"}
    assert study.stacks["tf2.15-gpu"].gpu is not None
    assert "gpu.memory_used_mb" in table.column_names and "gpu.name" in table.column_names


def test_tables_and_figures_take_gpu_variants(run, tmp_path):
    study, _, cells, judgements = run
    verdicts = [each.verdict for each in judgements]
    assert any("tf2.15-gpu" in str(row) for row in verdict_table(verdicts).rows)
    draw_figures(study, cells, judgements, tmp_path / "figures", ENGLISH)
    assert list((tmp_path / "figures").glob("*.svg"))
