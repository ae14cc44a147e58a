"""The real workflow at the size of the smoke preset, once for all tests that need it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.make import make_in

from tf_claims.bench.checkout import copied_checkout


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
