"""Which engine runs the measured jobs: containers, or virtual environments where those are asked for."""

from __future__ import annotations

import hashlib
import os
import platform
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tf_claims.host.apptainer import apptainer_bin_dir, apptainer_env, isolated, mounted
from tf_claims.host.cache import DiskFull, cache_root, place, scratch
from tf_claims.host.commands import run, say
from tf_claims.model.errors import InputError

PROBE_S = 60
"""How long a tiny container may take to build or to start."""


@dataclass(frozen=True)
class Engine:
    """The engine of a run; ``path`` holds the folders that must stand in ``PATH`` for it."""

    name: Literal["container", "venv"]
    path: tuple[str, ...] = ()


def choose_engine(wanted: str) -> Engine:
    """The engine ``container`` or ``venv``.

    A virtual environment has the network and the home of its user, so it never stands in for a container by itself.

    :raises InputError: for another word, and where no container starts.
    """
    check_engine(wanted)
    if wanted == "venv":
        return Engine("venv")
    try:
        probe()
    except DiskFull:
        raise
    except InputError as error:
        raise InputError(
            "no container can start on this host; ENGINE=venv measures without, not isolated and named so on every "
            f"page.\n{error}"
        ) from None
    return Engine("container", (str(apptainer_bin_dir()),))


def check_engine(wanted: str) -> None:
    """:raises InputError: for a word that is no engine."""
    if wanted not in ("container", "venv"):
        raise InputError(f"engine {wanted!r} is unknown; known: container, venv")


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
        env = apptainer_env() | {"APPTAINER_TMPDIR": str(work)}
        run(["apptainer", "--silent", "build", sif, root], "packing a tiny container", env=env, timeout_s=PROBE_S)
        run(
            [*isolated(sif, *mounted(Path("/usr"), "/usr")), "/usr/bin/true"],
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
