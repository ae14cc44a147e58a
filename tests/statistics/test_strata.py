"""Blocks from several types of machine: by hand, and from observations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from scipy import stats

from tf_claims.bench.made_up import Change, study_files
from tf_claims.cells.measurements import read_measurements
from tf_claims.cells.tidy import tidy
from tf_claims.model.study import plan_study
from tf_claims.statistics.intervals import mean_and_spread, mean_over_blocks
from tf_claims.statistics.ratio import ratio
from tf_claims.verdicts.judge import judge

VALUES = np.array([1.0, 3.0, 11.0, 12.0, 13.0])
TYPES = ["a", "a", "b", "b", "b"]


def test_by_hand() -> None:
    # Means 2 and 12; squared residuals 1 + 1 and 1 + 0 + 1: s² = 4 / (5 - 2), and the mean of all is 8.
    found = mean_over_blocks(VALUES, strata=TYPES)
    half = stats.t.ppf(0.975, 3) * np.sqrt(4 / 3) / np.sqrt(5)
    assert found.value == 8
    assert found.interval == pytest.approx((8 - half, 8 + half))
    plain = mean_over_blocks(VALUES)
    assert plain.value == 8 and plain.high - plain.low > 3 * (found.high - found.low)


def test_agrees_with_one_way_analysis_of_variance() -> None:
    values = np.random.default_rng(5).normal(0, 1, 9)
    types = list("xyzxyzxyz")
    groups = [values[np.array(types) == each] for each in "xyz"]
    between = sum(3 * (group.mean() - values.mean()) ** 2 for group in groups) / 2
    f = stats.f_oneway(*groups).statistic
    assert mean_and_spread(values, types).spread ** 2 == pytest.approx(between / f)


@pytest.mark.parametrize("strata", [[], ["a"] * 5])
def test_one_type_changes_no_bit(strata: list[str]) -> None:
    values = np.random.default_rng(2).lognormal(0, 0.1, 5)
    assert mean_over_blocks(values, strata=strata) == mean_over_blocks(values)
    assert ratio(values, np.ones(5), strata=strata) == ratio(values, np.ones(5))


def test_a_block_of_each_type_gives_no_interval() -> None:
    assert mean_over_blocks(np.array([1.0, 2.0]), strata=["a", "b"]) == (1.5, None, None, 2)


STUDY = plan_study("quick", lambda stack: None, ["tf1.15-cpu"], ["linear_regression"])


def c1(tmp_path: Path, change: Change, blocks: int) -> Any:
    path = tmp_path / "observations.parquet"
    pq.write_table(tidy(study_files(tmp_path, ["tf1.15-cpu"], blocks, change=change)), path)
    return next(each.verdict for each in judge(STUDY, read_measurements(path, STUDY)) if each.verdict.claim == "C1")


def other_machine_from(first: int) -> Change:
    """From block ``first`` on another CPU, on which session_feed takes twice as long and NumPy as long as before."""

    def change(record: dict[str, Any], _: Any) -> None:
        if record["block"] >= first:
            record["conditions"]["host"] = record["conditions"]["host"] | {"cpu_model": "Another CPU"}
            if record["levels"]["implementation"] == "session_feed":
                record["phases"]["run"]["wall_s"] *= 2

    return change


def test_the_verdict_says_how_many_types_of_machine(tmp_path: Path) -> None:
    one = c1(tmp_path / "one", lambda *_: None, 6)
    two = c1(tmp_path / "two", other_machine_from(3), 6)
    assert one.node_types == 1 and "type" not in one.reason
    assert two.node_types == 2
    assert two.reason.endswith("; the blocks come from 2 types of machine, and the spread is the one inside each")
    assert two.estimate == pytest.approx(one.estimate * 2**0.5)
    assert two.ci_high / two.ci_low < 1.5  # the factor of 2 between the machines is not noise


def test_a_block_on_each_of_two_machines_decides_nothing(tmp_path: Path) -> None:
    found = c1(tmp_path, other_machine_from(1), 2)
    assert found.verdict == "inconclusive"
    assert found.reason == "2 usable blocks, each on another type of machine (2), and an interval needs two"
