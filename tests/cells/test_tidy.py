"""From observation files to one table, and what broken files get."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from tf_claims.bench.made_up import observation, write_block
from tf_claims.cells import tidy as tidy_module
from tf_claims.cells.tidy import tidy
from tf_claims.cli import main
from tf_claims.model.errors import InputError

LEVELS = {"implementation": "numpy", "n": 1000, "inputs": "raw", "device": "cpu"}


def table_of(tmp_path: Path, *records: dict) -> pd.DataFrame:
    return tidy([write_block(tmp_path / "1.jsonl", records)]).to_pandas()


def test_a_row_has_everything_under_its_name(tmp_path: Path) -> None:
    row = table_of(
        tmp_path,
        observation(
            LEVELS, {"iterations": 10, "rate": 0.1}, run_s=2.5, results={"W": 1.5, "kept": True, "shape": "(2, 1)"}
        ),
    ).iloc[0]
    assert row["variant"] == "numpy n=1000 raw cpu"
    assert (row["level.n"], row["size.iterations"], row["size.rate"]) == (1000, 10, 0.1)
    assert (row["run.wall_s"], row["run.cpu_s"], row["import.wall_s"]) == (2.5, 3.25, 0.11)
    assert (row["W"], row["kept"], row["shape"]) == (1.5, True, "(2, 1)")
    assert (row["process.wall_s"], row["peak_rss_mb"], row["involuntary_switches"]) == (7.5, 61.25, 15)
    assert row["host.cpus"] == 2 and row["threads.affinity"] == "0 1" and row["versions.numpy"] == "1.18.5"
    assert row["calibration.drift"] == 0.02 and row["git.dirty"] == False  # noqa: E712


def test_lists_become_columns_counted_from_one(tmp_path: Path) -> None:
    frame = table_of(
        tmp_path,
        observation(LEVELS, results={"loss": [0.5, None, 0.25]}),
        observation(LEVELS, results={"loss": [0.75]}, position=1),
    )
    assert frame["loss[1]"].tolist() == [0.5, 0.75]
    assert frame["loss[2]"].isna().all()
    assert frame["loss[3]"][0] == 0.25 and pd.isna(frame["loss[3]"][1])


def test_what_a_process_did_not_reach_is_empty(tmp_path: Path) -> None:
    failed = observation(LEVELS, status="killed", reason="signal 9", phases={"import": {"wall_s": 1.0, "cpu_s": 1.0}})
    frame = table_of(tmp_path, failed, observation(LEVELS, results={"W": 1}, position=1))
    assert frame["run.wall_s"].isna().tolist() == [True, False]
    assert frame["status"].tolist() == ["killed", "ok"]
    assert frame["W"].isna().tolist() == [True, False]


def test_unlike_scenarios_share_a_table(tmp_path: Path) -> None:
    """A factor may be a number in one scenario and a text in another: then it is a text in the table."""
    frame = tidy(
        [
            write_block(tmp_path / "1.jsonl", [observation({"order": 1}, results={"a": 1})]),
            write_block(tmp_path / "2.jsonl", [observation({"order": "sorted"}, results={"a": 0.5})]),
        ]
    ).to_pandas()
    assert frame["level.order"].tolist() == ["1", "sorted"]
    assert frame["a"].tolist() == [1.0, 0.5]


def test_many_files_keep_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidy_module, "FILES_AT_ONCE", 2)
    paths = [
        write_block(
            tmp_path / f"{block}.jsonl",
            [observation(LEVELS, block=block, results={"even": block} if block % 2 == 0 else {})],
        )
        for block in range(7)
    ]
    frame = tidy(paths).to_pandas()
    assert frame["block"].tolist() == list(range(7))
    assert frame["even"].isna().tolist() == [False, True] * 3 + [False]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda text: text[:-20], r"1\.jsonl: line 2 is cut short; delete the file"),
        (lambda text: text.replace('"schema":1', '"schema":2', 1), r"line 1 is not an observation: .*\$\.schema"),
        (lambda text: text.replace('"block":0', '"block":"x"', 1), r"line 1 is not an observation: .*\$\.block"),
        (lambda text: text.replace('"cpus":2', '"cpus":"two"'), r"line 1 is not an observation: .*cpus"),
        (lambda text: text.replace('"n":1000', '"n":null'), r"line 1 is not an observation"),
        (lambda text: "hello\n" + text, r"line 1 is not an observation"),
        (lambda text: "", r"holds no observation; delete the file"),
    ],
)
def test_a_broken_file_is_named_with_line_and_field(tmp_path: Path, spoil, message: str) -> None:
    path = write_block(tmp_path / "1.jsonl", [observation(LEVELS), observation(LEVELS, position=1)])
    path.write_text(spoil(path.read_text()))
    with pytest.raises(InputError, match=message):
        tidy([path])


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no\.jsonl: no such observation file"):
        tidy([tmp_path / "no.jsonl"])


def test_no_file_at_all() -> None:
    with pytest.raises(InputError, match="nothing has been measured"):
        tidy([])


def test_a_result_cannot_hide_a_measured_column(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'peak_rss_mb' is recorded twice"):
        table_of(tmp_path, observation(LEVELS, results={"peak_rss_mb": 1}))


def test_command_writes_both_files(tmp_path: Path) -> None:
    path = write_block(tmp_path / "1.jsonl", [observation(LEVELS, results={"W": 0.1})])
    listed = tmp_path / "files.txt"
    listed.write_text(f"{path}\n")
    parquet, csv = tmp_path / "o.parquet", tmp_path / "o.csv"
    arguments = ["tabulate", "--output", str(parquet), "--csv", str(csv), "--files-from", str(listed)]
    main(arguments)
    assert pd.read_parquet(parquet)["W"].tolist() == pd.read_csv(csv)["W"].tolist() == [0.1]
    assert json.loads(path.read_text())["results"] == {"W": 0.1}
