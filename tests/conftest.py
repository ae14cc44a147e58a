"""The real workflow at the size of the smoke preset, once for all tests that need it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bench.checkout import copied_checkout, environment

Make = Callable[..., subprocess.CompletedProcess[str]]


def make_command(*arguments: str, **variables: str) -> list[str]:
    return ["make", "--no-print-directory", *arguments, *(f"{name}={value}" for name, value in variables.items())]


def make_in(folder: Path) -> Make:
    """A function that runs `make` in a folder."""

    def make(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            make_command(*arguments, **variables), cwd=folder, env=environment(), capture_output=True, text=True
        )

    return make


@pytest.fixture(scope="session")
def smoke() -> Iterator[Path]:
    """A checkout in which `make reproduce PRESET=smoke` has run."""
    with copied_checkout() as folder:
        done = make_in(folder)("reproduce", PRESET="smoke")
        assert done.returncode == 0, done.stderr[-5000:]
        yield folder


@pytest.fixture
def spoilt(smoke: Path, tmp_path: Path) -> Path:
    """A copy of that checkout, in which a test may break what it likes."""
    return Path(shutil.copytree(smoke, tmp_path / "checkout", symlinks=True))
