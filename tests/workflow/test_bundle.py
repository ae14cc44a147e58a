"""`make bundle`: unpacked elsewhere, with the network cut off, it gives the same verdicts and measures again."""

from __future__ import annotations

import os
import subprocess
import tarfile
from pathlib import Path

import pytest
from tests.support.make import make_command, make_in

pytestmark = pytest.mark.container
RESULTS = Path("results/smoke")
ARCHIVE = Path("results/smoke.tar.gz")


@pytest.fixture
def checkout(spoilt: Path) -> Path:
    """A checkout with the results of the smoke preset, in git."""
    for words in (["init", "--quiet"], ["add", "--all"]):
        subprocess.run(["git", *words], cwd=spoilt, check=True)
    return spoilt


def bundle(checkout: Path, **variables: str) -> Path:
    done = make_in(checkout)("bundle", PRESET="smoke", **variables)
    assert done.returncode == 0, done.stderr[-3000:]
    return checkout / ARCHIVE


def unpack(archive: Path, folder: Path) -> Path:
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / "tf-claims"


def make_without_network(folder: Path, *arguments: str, **variables: str) -> str:
    """Run `make` as on another machine: no network, no cache, and only the system's programs."""
    kept = {name: value for name, value in os.environ.items() if name not in ("TF_CLAIMS_CACHE", "VIRTUAL_ENV")}
    this = str(Path(".venv/bin").absolute())
    kept["PATH"] = os.pathsep.join(part for part in kept["PATH"].split(os.pathsep) if part != this)
    home = folder.parent / "home"
    home.mkdir(exist_ok=True)
    done = subprocess.run(
        ["unshare", "--net", *make_command(*arguments, **variables)],
        cwd=folder,
        env=kept | {"HOME": str(home), "XDG_CACHE_HOME": str(home / ".cache")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-5000:]
    return done.stderr


def test_the_verdicts_are_the_same_elsewhere_without_network(checkout, tmp_path):
    first = bundle(checkout).rename(tmp_path / "first.tar.gz")
    assert bundle(checkout).read_bytes() == first.read_bytes()
    elsewhere = unpack(first, tmp_path / "elsewhere")
    for name in ("verdicts.json", "estimates.csv", "observations.parquet"):
        (elsewhere / RESULTS / name).unlink()
    make_without_network(elsewhere, "report", PRESET="smoke")
    for name in ("verdicts.json", "estimates.csv", "paper.pdf"):
        assert (elsewhere / RESULTS / name).read_bytes() == (checkout / RESULTS / name).read_bytes()


def test_with_its_images_a_block_is_measured_again_without_network(checkout, tmp_path):
    elsewhere = unpack(bundle(checkout, IMAGES="1"), tmp_path / "elsewhere")
    (elsewhere / ".venv").symlink_to(Path(".venv").absolute())
    blocks = elsewhere / RESULTS / "observations/linear_regression/tf2.21-cpu"
    before = {file.name: file.stat().st_mtime_ns for file in blocks.iterdir()}
    (blocks / "1.jsonl").unlink()
    said = make_without_network(
        # The .venv has the other checkout's package installed: the bundle's own code comes first.
        *(elsewhere, "reproduce"),
        PYTHONPATH="scripts",
        PRESET="smoke",
        ENVS="tf2.21-cpu",
        SCENARIOS="linear_regression",
    )
    assert "engine: container" in said
    assert said.count("] measuring") == 1
    after = {file.name: file.stat().st_mtime_ns for file in blocks.iterdir()}
    assert after.keys() == before.keys()
    assert {name for name in before if after[name] != before[name]} == {"1.jsonl"}
    assert (elsewhere / RESULTS / "paper.pdf").exists()
