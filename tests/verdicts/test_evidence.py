"""The observations behind an estimate."""

from __future__ import annotations

import csv
import io
import math
from itertools import product
from pathlib import Path
from urllib.parse import unquote

import pyarrow.parquet as pq
import pytest
from tests.support import synthetic_results as synthetic

from tf_claims.cells.tidy import tidy
from tf_claims.model.verdict import Verdict
from tf_claims.publish.evidence import Evidence, read_evidence

C1 = ("linear_regression", "C1", "tf1.15-cpu")


def verdict(claim: str, environment: str = "tf1.15-cpu", word: str = "reproduced") -> Verdict:
    return Verdict.model_validate(synthetic.verdict(claim, environment, word))


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return synthetic.write_results(tmp_path)


def behind(results: Path, claim: str, environment: str = "tf1.15-cpu") -> Evidence:
    return read_evidence(results, [verdict(claim, environment)])["linear_regression", claim, environment]


def test_every_block_has_its_values_and_what_they_come_to(results: Path) -> None:
    evidence = behind(results, "C1")
    assert (evidence.metric, evidence.columns, evidence.result) == ("run.wall_s", ["session_feed", "numpy"], "ratio")
    assert [(block.number, block.values, block.why_unused) for block in evidence.blocks] == [
        (0, [2.5, 0.2], ""),
        (1, [2.5, 0.2], ""),
    ]
    assert all(math.isclose(block.result or 0, 12.5) for block in evidence.blocks)
    assert not evidence.unused


def test_a_block_that_is_not_used_is_there_with_the_reason(results: Path) -> None:
    good, bad = behind(results, "C1", "tf2.21-cpu").blocks
    assert not good.why_unused
    assert "signal 9: out of memory?" in bad.why_unused


def test_the_download_has_every_digit_of_every_block(results: Path) -> None:
    evidence = behind(results, "C1")
    kind, _, content = evidence.as_link.partition(",")
    assert kind == "data:text/csv;charset=utf-8"
    assert unquote(content) == evidence.as_csv
    heading, first, _ = csv.reader(io.StringIO(evidence.as_csv))
    assert heading == ["block", "run.wall_s of session_feed", "run.wall_s of numpy", "ratio", "not_used_because"]
    assert first == ["0", "2.5", "0.2", "12.5", ""]


def test_what_was_not_run_or_not_measured_has_none(results: Path) -> None:
    asked = [verdict("C1", word="not run"), verdict("C4"), verdict("C1", "tf2.15-cpu")]
    assert read_evidence(results, asked) == {}
    (results / "observations.parquet").unlink()
    assert read_evidence(results, [verdict("C1")]) == {}


def test_times_are_those_of_one_repetition_where_the_claim_is_about_it(results: Path) -> None:
    lines = []
    for place, (name, n) in enumerate(product(("numpy", "session_feed"), (100, 1000, 100000, 1000000))):
        levels = {"implementation": name, "n": n, "inputs": "raw", "device": "cpu"}
        lines.append(synthetic.observation("tf1.15-cpu", 0, place, levels=levels, sizes={"iterations": 50}))
        phases = {"run": {"wall_s": 5.0, "cpu_s": 5.0}}
        lines[-1] |= {"phases": phases, "results": {"parameter_error": 0.0, "W": 1.0, "b": 1.0, "loss": 1.0}}
    synthetic.write_lines(results / "0.jsonl", lines)
    pq.write_table(tidy([results / "0.jsonl"]), results / "observations.parquet")
    evidence = behind(results, "C5")
    assert (evidence.scaled, evidence.size, evidence.result) == ("metric.per", "iterations", "")
    assert evidence.columns[0] == "session_feed, 100"
    assert evidence.blocks[0].values == [0.1] * 8
