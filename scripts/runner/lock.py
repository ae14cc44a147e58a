"""Measured jobs and image builds on one host take turns: an exclusive lock on one host-wide file.

The holder writes ``{"pid": …, "what": …}`` into the file, for those who wait.
"""

import fcntl
import json
import os
import sys
import time
from contextlib import contextmanager
from typing import Callable, Iterator

from runner.errors import WRONG_PLACE, Refusal

LOOK_AGAIN_S = 0.5


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@contextmanager
def measuring(path: str, what: str, say: Callable[[str], None] = _say) -> Iterator[None]:
    """Hold the lock, after waiting for it; says for whom it waits, on standard error unless told how.

    The kernel frees the lock when its holder ends, however it ends.

    :param what: what is done under the lock, for those who wait.
    :raises Refusal: where the file cannot be opened for writing.
    """
    handle = _open(path)
    try:
        _wait(handle, what, say)
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps({"pid": os.getpid(), "what": what}).encode(), 0)
        try:
            yield
        finally:
            os.ftruncate(handle, 0)
    finally:
        os.close(handle)


def _open(path: str) -> int:
    try:
        try:
            # First without O_CREAT: in a sticky folder Linux refuses it for another user's file.
            return os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            handle = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_CREAT, 0o666)
            os.fchmod(handle, 0o666)  # whatever the umask: every user of the host shares it
            return handle
    except OSError as error:
        message = "{}: the measuring lock cannot be opened ({}); make it and its folder writable for all users"
        raise Refusal(message.format(path, error.strerror), WRONG_PLACE) from None


def _wait(handle: int, what: str, say: Callable[[str], None]) -> None:
    said = None
    while True:
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _holder(os.pread(handle, 1000, 0))
            if holder != said:
                say("{}: waiting for {} to end".format(what, holder))
                said = holder
            time.sleep(LOOK_AGAIN_S)


def _holder(text: bytes) -> str:
    try:
        holder = json.loads(text.decode())
        return "{!r} (process {})".format(holder["what"], holder["pid"])
    except (ValueError, KeyError, TypeError):
        return "another measurement on this host"
