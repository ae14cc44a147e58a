"""One measured job or image build at a time on a host: a lock file that all its users share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from runner import lock
from runner.errors import Refusal
from tf_claims.host.commands import say
from tf_claims.model.errors import InputError

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
    """Hold the host's measuring lock, the one of the runner; while another holds it, say who, and wait.

    :param what: what is done under the lock, for those who wait.
    :raises InputError: where the lock cannot be opened.
    """
    path = str(lock_folder(folder) / LOCK_FILE)
    with ExitStack() as held:
        try:
            held.enter_context(lock.measuring(path, what, _say))
        except Refusal as refusal:
            raise InputError(str(refusal)) from None
        yield


def _say(waiting: str) -> None:
    say(f"{waiting}; nothing else may run beside a measurement")
