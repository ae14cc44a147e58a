from pathlib import Path

import pytest

from tf_claims.host.cpython import cpython_version, find_cpython
from tf_claims.model.errors import InputError


def _cpython(prefix: Path, python: str, full: str) -> Path:
    (prefix / "bin").mkdir(parents=True)
    (prefix / f"lib/python{python}").mkdir(parents=True)
    (prefix / f"lib/python{python}/os.py").touch()
    program = prefix / f"bin/python{python}"
    program.write_text(f"#!/bin/sh\necho Python {full}\n")
    program.chmod(0o755)
    return prefix


@pytest.fixture(autouse=True)
def empty(tmp_path, monkeypatch):
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    monkeypatch.setenv("UV_PYTHON_INSTALL_DIR", str(tmp_path / "uv"))
    monkeypatch.setenv("PATH", "/nowhere/bin")
    return tmp_path


def test_each_place_is_looked_at_and_the_newest_patch_wins(empty, monkeypatch):
    in_uv = _cpython(empty / "uv/cpython-3.4.10-linux-x86_64-gnu", "3.4", "3.4.10")
    assert find_cpython("3.4") == in_uv
    _cpython(empty / "pyenv/versions/3.4.9", "3.4", "3.4.9")
    newest = _cpython(empty / "pyenv/versions/3.4.11", "3.4", "3.4.11")
    assert find_cpython("3.4") == newest
    assert cpython_version(newest, "3.4") == "3.4.11"
    in_path = _cpython(empty / "own", "3.4", "3.4.2")
    monkeypatch.setenv("PATH", f"{in_path}/bin")
    assert find_cpython("3.4") == in_path
    assert find_cpython("3.4", besides=in_path) == newest


def test_a_shim_is_not_enough(empty, monkeypatch):
    shims = empty / "shims/bin"
    shims.mkdir(parents=True)
    (shims / "python3.4").touch()
    monkeypatch.setenv("PATH", str(shims))
    with pytest.raises(
        InputError, match=r"no CPython 3\.4 in PATH, in /usr/local, in pyenv .* or in uv .*uv python install 3\.4"
    ):
        find_cpython("3.4")
