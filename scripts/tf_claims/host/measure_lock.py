"""One measured job or image build at a time on a host: a lock file that all its users share."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tf_claims.host.commands import say

LOCK_FOLDER = Path("/tmp/tf-claims-lock")
"""The same for every user and every checkout; bound at ``/lock`` in containers."""
LOCK_FILE = "measure.lock"


def lock_folder(folder: Path = LOCK_FOLDER) -> Path:
    """The folder of the lock, made where it is missing, open to every user of the host."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / LOCK_FILE
    file.touch()
    for path, mode in ((folder, 0o1777), (file, 0o666)):
        if path.stat().st_uid == os.geteuid():
            path.chmod(mode)
    return folder


@contextmanager
def measuring(what: str, folder: Path = LOCK_FOLDER) -> Iterator[None]:
    """Hold the host's measuring lock; while another holds it, say who, and wait.

    The kernel frees the lock when its holder ends, however it ends.

    :param what: what is done under the lock, for those who wait.
    """
    with (lock_folder(folder) / LOCK_FILE).open("r+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"{what}: waiting for {_holder(file.read())} to end; nothing else may run beside a measurement")
            fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        file.truncate()
        file.write(json.dumps({"pid": os.getpid(), "what": what}))
        file.flush()
        try:
            yield
        finally:
            file.seek(0)
            file.truncate()


def _holder(text: str) -> str:
    try:
        holder = json.loads(text)
        return f"{holder['what']!r} (process {holder['pid']})"
    except (ValueError, KeyError, TypeError):
        return "another measurement on this host"
