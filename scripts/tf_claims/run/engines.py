"""Which engine runs the measured jobs: containers, or virtual environments where no container can start."""

from __future__ import annotations

import hashlib
import os
import platform
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tf_claims.host.apptainer import ISOLATION, apptainer_bin_dir, apptainer_env
from tf_claims.host.cache import DiskFull, cache_root, place, scratch
from tf_claims.host.commands import run, say
from tf_claims.model.errors import InputError

PROBE_S = 60
"""How long a tiny container may take to build or to start."""


@dataclass(frozen=True)
class Engine:
    """The engine of a run, and why it is this one: part of every report.

    ``path`` holds the folders that must stand in ``PATH`` for it.
    """

    name: Literal["container", "venv"]
    reason: str
    path: tuple[str, ...] = ()


def choose_engine(wanted: str) -> Engine:
    """The engine for ``auto``, ``container`` or ``venv``; ``auto`` means containers wherever one starts.

    :raises InputError: for another word, or where containers are wanted and none starts.
    """
    if wanted == "venv":
        return Engine("venv", "asked for")
    if wanted not in ("auto", "container"):
        raise InputError(f"engine {wanted!r} is unknown; known: auto, container, venv")
    try:
        probe()
    except DiskFull:
        raise
    except InputError as error:
        if wanted == "container":
            raise InputError(f"engine container: no container can start on this host.\n{error}") from None
        say(f"no container can start on this host, so virtual environments are used (not containerised).\n{error}")
        return Engine("venv", f"no container can start on this host: {str(error).splitlines()[0]}")
    reason = "asked for" if wanted == "container" else "a container starts on this host"
    return Engine("container", reason, (str(apptainer_bin_dir()),))


def probe() -> None:
    """Build a tiny SIF and start a container from it with the flags of the measured jobs; a success is remembered.

    :raises InputError: with the last words of Apptainer where that fails.
    """
    stamp = _stamp(apptainer_bin_dir() / "apptainer")
    if stamp.exists():
        return
    say("trying whether a container starts")
    with scratch("probe") as work:
        root = work / "root"
        for folder in ("usr", "etc", "proc", "sys", "dev", "tmp", "root", "home", "var/tmp"):
            (root / folder).mkdir(parents=True)
        for link in ("bin", "sbin", "lib", "lib64"):
            (root / link).symlink_to(f"usr/{link}")
        for file in ("passwd", "group", "hosts", "resolv.conf"):
            (root / "etc" / file).touch()
        sif = work / "probe.sif"
        env = {**apptainer_env(), "APPTAINER_TMPDIR": str(work)}
        run(["apptainer", "--silent", "build", sif, root], "packing a tiny container", env=env, timeout_s=PROBE_S)
        run(
            ["apptainer", "--silent", "exec", *ISOLATION, "--bind", "/usr:/usr:ro", sif, "/usr/bin/true"],
            "starting a tiny container",
            env=env,
            timeout_s=PROBE_S,
        )
        made = work / "stamp"
        made.write_text("a container started\n")
        place(made, stamp)


def _stamp(apptainer: Path) -> Path:
    """A name that changes with all that decides whether a container starts: program, user, kernel, host."""
    file = apptainer.resolve()
    status = file.stat()
    facts = (str(file), status.st_mtime_ns, status.st_size, os.geteuid(), platform.release(), platform.node())
    return cache_root() / "engine" / hashlib.sha256(repr(facts).encode()).hexdigest()[:16]
