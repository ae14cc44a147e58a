"""A CPython of a given minor version on this host."""

from __future__ import annotations

import os
from pathlib import Path

from tf_claims.host.commands import run
from tf_claims.model.errors import InputError


def find_cpython(python: str, besides: Path | None = None) -> Path:
    """The prefix of a CPython of minor version ``python``, e.g. ``3.7``: in PATH, /usr/local, from pyenv or from uv.

    :param besides: a prefix that will not do.
    :raises InputError: naming the places looked at.
    """
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    managed = Path(os.environ.get("UV_PYTHON_INSTALL_DIR") or Path.home() / ".local/share/uv/python")
    in_path = [Path(folder).resolve().parent for folder in os.environ.get("PATH", "").split(":") if folder]
    places = [
        *in_path,
        Path("/usr/local"),
        *sorted(pyenv.glob(f"versions/{python}.*"), key=_patch, reverse=True),
        *sorted(managed.glob(f"cpython-{python}.*-linux-x86_64-gnu"), key=_patch, reverse=True),
    ]
    for prefix in places:
        # A shim, or a virtual environment, is no interpreter of its own: the library must be there as well.
        complete = (prefix / f"bin/python{python}").exists() and (prefix / f"lib/python{python}/os.py").exists()
        if complete and prefix != besides:
            return prefix
    raise InputError(
        f"no CPython {python} in PATH, in /usr/local, in pyenv ({pyenv}) or in uv ({managed}); "
        f"install one, e.g. `uv python install {python}` or `pyenv install {python}`"
    )


def cpython_version(prefix: Path, python: str) -> str:
    """The full version, e.g. ``3.7.16``.

    :raises InputError: where it does not start.
    """
    return run([prefix / f"bin/python{python}", "-I", "--version"], f"starting CPython {python}").split()[-1]


def _patch(prefix: Path) -> int:
    digits = prefix.name.split("-linux")[0].rpartition(".")[2]
    return int(digits) if digits.isdigit() else -1
