"""One measured job or image build at a time on a host: an exclusive lock on a file that all its users share.

The holder writes ``{"pid": …, "what": …}`` into the file, for those who wait. Folder and file have fixed names where
every user may write, so another may have laid something else there first: no link is followed, nothing but a regular
file is opened, and the rights of nothing are changed that was not made here.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tf_claims.host.commands import say
from tf_claims.model.errors import InputError

LOCK_FOLDER = Path("/tmp/tf-claims-lock")
"""The same for every user and every checkout."""
LOCK_FILE = "measure.lock"
LOOK_AGAIN_S = 0.5
OURS = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


@contextmanager
def measuring(what: str, folder: Path = LOCK_FOLDER) -> Iterator[int]:
    """Hold the host's measuring lock, as a file descriptor; while another holds it, say who, and wait.

    The kernel frees the lock when its holder ends, however it ends, and all processes that it handed the descriptor to.

    :param what: what is done under the lock, for those who wait.
    :raises InputError: where the lock cannot be opened.
    """
    handle = _open(folder)
    try:
        _wait(handle, what)
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps({"pid": os.getpid(), "what": what}).encode(), 0)
        try:
            yield handle
        finally:
            os.ftruncate(handle, 0)
    finally:
        os.close(handle)


def _open(folder: Path) -> int:
    path = folder / LOCK_FILE
    try:
        _make(folder)
        handle = _existing_or_made(path)
    except OSError as error:
        raise InputError(
            f"{error.filename or path}: the measuring lock cannot be opened ({error.strerror}); "
            "have its owner remove it: it is made again, for all users"
        ) from None
    found = os.fstat(handle)
    if stat.S_ISREG(found.st_mode) and found.st_nlink == 1:
        return handle
    os.close(handle)
    raise InputError(f"{path}: the measuring lock is no regular file of its own; have its owner remove it")


def _make(folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        folder.mkdir()
    except FileExistsError:
        if not stat.S_ISDIR(folder.lstat().st_mode):
            raise NotADirectoryError(0, "it is no folder", str(folder)) from None
    else:
        folder.chmod(0o1777)


def _existing_or_made(path: Path) -> int:
    while True:
        try:
            # First without O_CREAT: in a sticky folder Linux refuses it for another user's file.
            return os.open(path, OURS)
        except FileNotFoundError:
            try:
                handle = os.open(path, OURS | os.O_CREAT | os.O_EXCL, 0o666)
            except FileExistsError:
                continue  # another made it meanwhile
            os.fchmod(handle, 0o666)  # whatever the umask: every user of the host shares it
            return handle


def _wait(handle: int, what: str) -> None:
    said = None
    while True:
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _holder(os.pread(handle, 1000, 0))
            if holder != said:
                say(f"{what}: waiting for {holder} to end; nothing else may run beside a measurement")
                said = holder
            time.sleep(LOOK_AGAIN_S)


def _holder(text: bytes) -> str:
    try:
        holder = json.loads(text.decode())
        return f"{holder['what']!r} (process {holder['pid']})"
    except (ValueError, KeyError, TypeError):
        return "another measurement on this host"
