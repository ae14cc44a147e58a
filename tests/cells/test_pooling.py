"""Blocks that are not repetitions of one experiment are not judged as if they were."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tf_claims.bench.made_up import block_of, study_files, write_block
from tf_claims.cells.cell import Cell
from tf_claims.cells.measurements import arrange
from tf_claims.cells.tidy import tidy
from tf_claims.model.errors import InputError
from tf_claims.model.study import plan_study

ENVIRONMENT = "tf1.15-cpu"


def cells(files: list[Path]) -> dict[tuple[str, str], Cell]:
    table = tidy(files)
    study = plan_study("quick", lambda stack: None, [], ["linear_regression"])
    return arrange(Path("observations"), table, set(table.column_names), study)


def lock(record: dict[str, Any]) -> None:
    record["conditions"]["image"]["lock_sha256"] = "a" * 64


def engine(record: dict[str, Any]) -> None:
    record["engine"] = "venv"


def image(record: dict[str, Any]) -> None:
    record["conditions"]["image"]["oci_digest"] = "sha256:" + "b" * 64


@pytest.mark.parametrize(
    ("change", "field", "said"),
    [
        (lock, "image.lock_sha256", f"; {'a' * 12} in linear_regression/tf1.15-cpu/2.jsonl. Compare"),
        (image, "image.oci_digest", "sha256:bbbbb in linear_regression/tf1.15-cpu/2.jsonl. Compare"),
        (engine, "engine", "1.jsonl; venv in linear_regression/tf1.15-cpu/2.jsonl. Compare"),
    ],
)
def test_one_block_of_another_kind(tmp_path: Path, change: Any, field: str, said: str) -> None:
    files = study_files(tmp_path, [ENVIRONMENT, "tf2.0-cpu"], blocks=3)
    foreign = block_of(ENVIRONMENT, 2)
    for record in foreign:
        change(record)
    write_block(files[2], foreign)
    with pytest.raises(InputError) as refused:
        cells(files)
    message = str(refused.value)
    assert message.startswith(f"observations: field {field}: the observations of {ENVIRONMENT} ")
    assert said in message and "make compare" in message and "delete the observation files" in message
    assert "tf2.0-cpu" not in message and "\n" not in message


def test_environments_have_locks_of_their_own(tmp_path: Path) -> None:
    def of_second(record: dict[str, Any], _: object) -> None:
        if record["environment"] == "tf2.0-cpu":
            lock(record)

    found = cells(study_files(tmp_path, [ENVIRONMENT, "tf2.0-cpu"], blocks=2, change=of_second))
    assert [(environment, cell.engine) for (_, environment), cell in found.items()] == [
        (ENVIRONMENT, "container"),
        ("tf2.0-cpu", "container"),
    ]


def test_many_files_are_counted(tmp_path: Path) -> None:
    files = study_files(tmp_path, [ENVIRONMENT], blocks=7)
    foreign = block_of(ENVIRONMENT, 6)
    for record in foreign:
        engine(record)
    write_block(files[6], foreign)
    with pytest.raises(InputError, match=r"container in .*/0\.jsonl, .*/3\.jsonl and 2 more; venv in .*/6\.jsonl\."):
        cells(files)


def test_another_schema_is_refused_where_it_is_read(tmp_path: Path) -> None:
    newer = block_of(ENVIRONMENT, 1)
    newer[3]["schema"] = 2
    files = [write_block(tmp_path / "0.jsonl", block_of(ENVIRONMENT, 0)), write_block(tmp_path / "1.jsonl", newer)]
    with pytest.raises(InputError, match=r"1\.jsonl: line 4 is not an observation: .*\$\.schema.*; delete the file"):
        tidy(files)


def test_the_schema_stands_in_the_table(tmp_path: Path) -> None:
    table = tidy([write_block(tmp_path / "0.jsonl", block_of(ENVIRONMENT, 0))])
    assert set(table["schema"].to_pylist()) == {1}
