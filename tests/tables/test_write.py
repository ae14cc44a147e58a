"""The tables of a run: what they say of blocks, of the reference and of all tests together, in which files."""

from __future__ import annotations

import argparse
import csv
from typing import Any

import pyarrow.parquet as pq
import pytest

from tf_claims.bench.made_up import study_files
from tf_claims.cells.measurements import read_measurements
from tf_claims.cells.tidy import tidy
from tf_claims.model.results import Results
from tf_claims.model.study import plan_study, write_study
from tf_claims.tables.write import execute
from tf_claims.verdicts.judge import write_verdicts

NAMES = ["environments", "family_wise", "gates", "phases", "quality", "sensitivity", "remedies", "verdicts"]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Four made-up blocks, of which others disturbed the last."""

    def disturb(record: dict[str, Any], _: Any) -> None:
        if record["block"] == 3:
            record["conditions"]["disturbance"] |= {"wall_s": 100.0, "other_cpu_s": 50.0}

    made = Results(tmp_path_factory.mktemp("run"))
    study = plan_study("quick", lambda stack: None, ["tf1.15-cpu"], ["linear_regression"])
    write_study(study, made.study)
    pq.write_table(tidy(study_files(made.blocks, ["tf1.15-cpu"], 4, change=disturb)), made.observations)
    write_verdicts(study, read_measurements(made.observations, study), made)
    execute(argparse.Namespace(results=made.folder))
    return made


def rows(results: Results, name: str) -> list[dict[str, str]]:
    with (results.tables / f"{name}.csv").open(newline="") as lines:
        return list(csv.DictReader(lines))


def test_every_table_comes_in_each_form_with_its_caption(results: Results) -> None:
    files = sorted(path.name for path in results.tables.iterdir())
    assert files == sorted(f"{name}.{form}" for name in NAMES for form in ("csv", "md", "tex", "txt"))
    assert (results.tables / "gates.txt").read_text().startswith("Known answers.")


def test_a_disturbed_block_has_its_reason_in_words(results: Results) -> None:
    found = [(row["disturbed"], row["replaced"], row["reason"]) for row in rows(results, "quality")]
    assert found[:3] == [("0", "0", "")] * 3
    many = rows(results, "quality")[3]["processes"]
    assert found[3] == (many, "0", "other programs used 50.0 s of CPU time in 100 s")


def test_remedies_are_at_the_published_size_and_beside_the_reference(results: Results) -> None:
    """Seconds of the cost that the blocks were made with, for the published 100,000 instead of 10,000 iterations."""
    found = {row["variant"]: row for row in rows(results, "remedies")}
    assert {row["reference"] for row in found.values()} == {"numpy n=1000 raw cpu"}
    reference, feed = found["numpy n=1000 raw cpu"], found["session_feed n=1000 raw cpu"]
    assert float(reference["ratio"]) == 1 and reference["blocks"] == "3"
    costs = {"numpy": 18e-6 + 9e-6, "session_feed": 240e-6 + 3.5e-6}
    assert float(feed["ratio"]) == pytest.approx(costs["session_feed"] / costs["numpy"], rel=0.15)
    scaled = float(feed["median_s"]) / costs["session_feed"]
    assert scaled == pytest.approx(100_000, rel=0.3)


def test_only_what_is_tested_stands_among_all_tests(results: Results) -> None:
    assert {row["estimand"] for row in rows(results, "family_wise")} <= {
        "ratio",
        "equivalence",
        "cost_model",
        "attribution",
    }
    verdicts = {(row["claim"], row["environment"]): row["verdict"] for row in rows(results, "verdicts")}
    assert all(row["verdict"] == verdicts[row["claim"], row["environment"]] for row in rows(results, "family_wise"))
