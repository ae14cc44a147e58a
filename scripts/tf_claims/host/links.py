"""Folders that came from elsewhere: nothing in them may lead out of them."""

from __future__ import annotations

from pathlib import Path

from tf_claims.host.cache import cache_root
from tf_claims.model.errors import InputError


def stays_inside(path: Path, root: Path) -> Path:
    """The path, where all its links followed it lies below ``root`` or in the cache, where large files are kept.

    :raises InputError: where it leads elsewhere.
    """
    roots = (root.resolve(), cache_root().resolve())
    if not any(path.resolve().is_relative_to(each) for each in roots):
        raise InputError(f"{path}: leads to {path.resolve()}, out of {root.resolve()}; delete it")
    return path


def refuse_links_out(folder: Path, root: Path) -> None:
    """That no link below ``folder`` leads out of ``root`` and the cache.

    :raises InputError: naming the first one that does.
    """
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            stays_inside(path, root)
