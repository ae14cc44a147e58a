import hashlib
import zipfile
from pathlib import Path

import pytest

from tf_claims.images import wheels
from tf_claims.images.locks import Locked
from tf_claims.model.errors import InputError


@pytest.fixture
def index(tmp_path, monkeypatch):
    """A package index of files: one package, one wheel."""
    monkeypatch.setenv("TF_CLAIMS_CACHE", str(tmp_path / "cache"))
    page = tmp_path / "simple" / "tiny"
    page.mkdir(parents=True)
    wheel = page / "tiny-1.0-cp37-cp37m-manylinux2014_x86_64.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("tiny.py", "raise SystemExit('must not run')")
    (page / "index.html").write_text(f'<a href="{wheel.name}">{wheel.name}</a>')
    monkeypatch.setenv("UV_DEFAULT_INDEX", (tmp_path / "simple").as_uri())
    return wheel


def _locked(wheel: Path) -> Locked:
    return Locked("tiny", "1.0", (hashlib.sha256(wheel.read_bytes()).hexdigest(),))


def test_a_wheel_is_fetched_once_and_kept_by_its_hash(index):
    locked = _locked(index)
    (first,) = wheels.fetch_wheels("env", "3.7", [locked])
    assert first.path.read_bytes() == index.read_bytes()
    assert first.path.parent.name == locked.hashes[0]
    index.unlink()
    (again,) = wheels.fetch_wheels("env", "3.7", [locked])
    assert again == first


def test_a_file_that_changed_in_the_cache_is_fetched_again(index):
    locked = _locked(index)
    (first,) = wheels.fetch_wheels("env", "3.7", [locked])
    first.path.write_bytes(b"changed")
    (again,) = wheels.fetch_wheels("env", "3.7", [locked])
    assert again.path.read_bytes() == index.read_bytes()


def test_a_file_with_another_hash_is_not_taken(index):
    with pytest.raises(InputError, match=r"tiny==1.0: the package index has no file .* hash that the lock names"):
        wheels.fetch_wheels("env", "3.7", [Locked("tiny", "1.0", ("0" * 64,))])


def test_a_wheel_for_another_python_is_not_taken(index):
    with pytest.raises(InputError, match="no file for this Python"):
        wheels.fetch_wheels("env", "3.11", [_locked(index)])


def test_a_wrong_hash_after_the_download_is_refused():
    with pytest.raises(InputError, match=r"tiny.whl: its sha256 is 1+, which the lock does not name for tiny==1.0"):
        wheels.check_hash(Locked("tiny", "1.0", ("0" * 64,)), "tiny.whl", "1" * 64)
