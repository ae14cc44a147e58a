"""The cache outside the checkout: everything in it is whole, keyed by its content and safe to delete."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tf_claims.model.errors import InputError


class DiskFull(InputError):
    """Too little space: never a reason to do something else instead."""


def cache_root() -> Path:
    """``$TF_CLAIMS_CACHE``, else ``$XDG_CACHE_HOME/tf-claims``, else ``~/.cache/tf-claims``; not created."""
    if own := os.environ.get("TF_CLAIMS_CACHE"):
        return Path(own).absolute()
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base).absolute() / "tf-claims"


@contextmanager
def scratch(name: str) -> Iterator[Path]:
    """A folder in the cache for work under way; it vanishes at the end, whatever happens.

    What a killed process left behind goes at the next call.

    :raises InputError: where the disk fills up on the way, or the cache cannot be written.
    """
    with clear_when_full(cache_root()):
        parent = cache_root() / "tmp"
        parent.mkdir(parents=True, exist_ok=True)
        with _locked(parent):
            for left in parent.iterdir():
                _remove_unless_in_use(left)
            folder = Path(tempfile.mkdtemp(dir=parent, prefix=f"{name}."))
            in_use = os.open(folder, os.O_RDONLY)
            fcntl.flock(in_use, fcntl.LOCK_EX)
        folder.chmod(0o755)
        try:
            yield folder
        finally:
            remove_tree(folder)
            os.close(in_use)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _remove_unless_in_use(folder: Path) -> None:
    """Delete a working folder whose process has ended: the lock on it went with the process."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except FileNotFoundError:  # its process has just ended and removed it
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove_tree(folder)
    except BlockingIOError:
        pass
    finally:
        os.close(handle)


def place(made: Path, final: Path) -> Path:
    """Move a finished file or folder to its final name in the cache, in one step; returns ``final``.

    Where another process placed the same folder first, its one stays and ours goes.
    """
    final.parent.mkdir(parents=True, exist_ok=True)
    try:
        made.replace(final)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
        remove_tree(made)
    return final


def remove_tree(folder: Path) -> None:
    """Delete a folder even where parts of it are read-only for their owner; a missing one is fine."""
    _unmount_below(folder)
    for parent, folders, _ in os.walk(folder):
        for name in folders:
            path = Path(parent, name)
            if not path.is_symlink() and not os.access(path, os.W_OK | os.X_OK):
                path.chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)


def _unmount_below(folder: Path) -> None:
    """A build that was killed may have left mounts; deleting through them would reach what is mounted."""
    mounts = [line.split()[1].replace("\\040", " ") for line in Path("/proc/self/mounts").read_text().splitlines()]
    for mount in sorted(mounts, reverse=True):
        if Path(mount).is_relative_to(folder):
            subprocess.run(["umount", "--lazy", mount], stderr=subprocess.DEVNULL)


def require_space(path: Path, needed: int, what: str) -> None:
    """Refuse to start what cannot end: ``needed`` bytes must be free where ``path`` is or will be.

    :raises DiskFull: naming the folder, what is free and what is needed.
    """
    existing = next(folder for folder in (path, *path.parents) if folder.exists())
    free = shutil.disk_usage(existing).free
    if free < needed:
        raise DiskFull(
            f"{path}: not enough disk space for {what}: {needed / 1e6:,.0f} MB needed, {free / 1e6:,.0f} MB free; "
            "free some, or set TF_CLAIMS_CACHE to a folder on a larger disk"
        )


def disk_full(path: Path) -> DiskFull:
    """The error for a disk that filled up during work under ``path``."""
    return DiskFull(
        f"{path}: the disk is full; nothing half-written was kept. "
        "Free some space, or set TF_CLAIMS_CACHE to a folder on a larger disk, and run again"
    )


@contextmanager
def clear_when_full(path: Path) -> Iterator[None]:
    """Turn a full disk, or one that may not be written, during work under ``path`` into one clear message."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise disk_full(path) from None
        if error.errno in (errno.EACCES, errno.EROFS, errno.EPERM) and error.filename:
            raise InputError(
                f"{error.filename}: cannot be written ({error.strerror}); set TF_CLAIMS_CACHE to a folder of your own"
            ) from None
        raise


def file_sha256(path: Path) -> str:
    """The sha256 of a file's content, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
