"""A block's data are compared with the record that was written when they were made."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from tests.support.runner_blocks import FAIR, Bench

from runner import data
from runner.errors import WRONG_PLACE, Refusal


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """``set`` with a folder of its own, ``counted`` without."""
    for name, file in (("set", "set/images"), ("counted", "counted.npz")):
        path = tmp_path / file
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(file.encode())
        files = [{"name": path.name, "sha256": hashlib.sha256(file.encode()).hexdigest()}]
        (tmp_path / f"{name}.json").write_text(json.dumps({"name": name, "files": files}))
    return tmp_path


def test_the_recorded_content_passes(folder: Path) -> None:
    data.check(str(folder), ["set", "counted"])


@pytest.mark.parametrize("file", ["set/images", "counted.npz"])
def test_another_content_is_refused(folder: Path, file: str) -> None:
    (folder / file).write_bytes(b"another")
    with pytest.raises(Refusal, match=f"{file}: the data changed") as refused:
        data.check(str(folder), ["set", "counted"])
    assert refused.value.code == WRONG_PLACE


@pytest.mark.parametrize(
    ("missing", "message"), [("set/images", "cannot be read here"), ("set.json", "no readable record of the data")]
)
def test_a_missing_file_is_named(folder: Path, missing: str, message: str) -> None:
    (folder / missing).unlink()
    with pytest.raises(Refusal, match=f"{missing}.*{message}"):
        data.check(str(folder), ["set"])


def test_a_block_with_the_wrong_data_is_not_measured(folder: Path) -> None:
    (folder / "block").mkdir()
    bench = Bench(folder / "block", FAIR, ["fair"], data=["set"])
    (folder / "set/images").write_bytes(b"another")
    done = bench.run(data=folder)
    assert done.returncode == WRONG_PLACE
    assert "the data changed" in done.stderr
    assert not bench.output.exists()
