"""Unpaired ratios between environments: against scipy, and from observations with a known answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from scipy import stats

from tf_claims.bench.made_up import study_files
from tf_claims.cells.measurements import read_measurements
from tf_claims.cells.tidy import tidy
from tf_claims.model.study import plan_study
from tf_claims.tables.across_environments import across_environments, unpaired_ratio
from tf_claims.tables.write import environment_table

ENVIRONMENTS = ["tf1.15-cpu", "tf2.21-cpu"]
STUDY = plan_study("quick", lambda stack: None, ENVIRONMENTS, ["linear_regression"])


def test_agrees_with_scipy() -> None:
    of, to = np.array([3.1, 2.8, 3.4, 2.9]), np.array([1.0, 1.3, 0.8])
    expected = stats.ttest_ind(np.log(of), np.log(to), equal_var=False)
    low, high = expected.confidence_interval(0.95)
    found = unpaired_ratio(of, to)
    assert found.value == pytest.approx(stats.gmean(of) / stats.gmean(to))
    assert (found.low, found.high) == pytest.approx((np.exp(low), np.exp(high)))


def test_no_variance_gives_a_point() -> None:
    assert unpaired_ratio(np.full(3, 6.0), np.full(2, 2.0)) == pytest.approx((3, 3, 3))


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """In tf2.21-cpu everything takes 1.5 times as long, the calibration too, and NumPy 3 times."""

    def change(record: dict[str, Any], _: Any) -> None:
        if record["environment"] == "tf2.21-cpu":
            record["phases"]["run"]["wall_s"] *= 3 if record["levels"]["implementation"] == "numpy" else 1.5
            calibration = record["conditions"]["calibration"]
            record["conditions"]["calibration"] = {
                name: value * (1 if name == "drift" else 1.5) for name, value in calibration.items()
            }

    root = tmp_path_factory.mktemp("run")
    pq.write_table(tidy(study_files(root, ENVIRONMENTS, 6, change=change)), root / "observations.parquet")
    return read_measurements(root / "observations.parquet", STUDY)


def test_the_machine_is_adjusted_for(cells: Any) -> None:
    found = {each.variant: each for each in across_environments(STUDY, cells)}
    feed, numpy = found["session_feed n=1000 raw cpu"], found["numpy n=1000 raw cpu"]
    assert (feed.environment, feed.against, feed.blocks, feed.blocks_against) == ("tf2.21-cpu", "tf1.15-cpu", 6, 6)
    assert feed.plain.value == pytest.approx(1.5, rel=0.2)
    assert feed.plain.low < 1.5 < feed.plain.high
    assert feed.adjusted.value == pytest.approx(feed.plain.value / 1.5)
    assert numpy.adjusted.value == pytest.approx(numpy.plain.value / 1.5)
    assert numpy.plain.low < 3 < numpy.plain.high
    assert "eager n=1000 raw cpu" not in found  # one environment alone ran it


def test_the_table_says_what_it_is(cells: Any) -> None:
    table = environment_table(STUDY, cells)
    assert "unpaired_ratio" in table.columns and "adjusted_ratio" in table.columns
    assert "unpaired" in table.caption and "None of these decides a verdict." in table.caption
    assert all(len(row) == len(table.columns) for row in table.rows)


def test_other_sizes_are_not_compared(tmp_path: Path) -> None:
    def shrink(record: dict[str, Any], _: Any) -> None:
        if record["environment"] == "tf2.21-cpu" and record["levels"]["implementation"] == "numpy":
            record["sizes"]["iterations"] = 7

    path = tmp_path / "observations.parquet"
    pq.write_table(tidy(study_files(tmp_path, ENVIRONMENTS, 3, change=shrink)), path)
    found = {each.variant for each in across_environments(STUDY, read_measurements(path, STUDY))}
    assert "session_feed n=1000 raw cpu" in found and "numpy n=1000 raw cpu" not in found
