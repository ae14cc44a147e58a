"""Locks: every package of an environment by version and hash; no registry is named in them.

A lock's head says which ``requirements.in`` it was made from and what its own lines were, so that a changed input and
a lock edited by hand are both found before an image is built.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from tf_claims.host.commands import run, say
from tf_claims.model.errors import InputError
from tf_claims.model.stack import ENVS, read_stack

INSTALLERS = ("pip", "setuptools", "wheel")
"""What installs the others and builds source distributions: part of every lock, so that it is pinned as well."""

PLATFORMS = {"3.7": "x86_64-manylinux2014"}
DEFAULT_PLATFORM = "x86_64-manylinux_2_28"

_INPUT = "# requirements.in sha256: "
_LOCK = "# lock sha256: "
_REQUIREMENT = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(\[[^]]*\])?==(?P<version>[^\s;]+)")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


@dataclass(frozen=True)
class Locked:
    """One package of a lock: its version and the sha256 of every file it may come as."""

    name: str
    version: str
    hashes: tuple[str, ...]


def lock_path(env: str, root: Path = ENVS) -> Path:
    """Where an environment's lock lies."""
    return root / env / "requirements.lock"


def make_lock(env: str, root: Path = ENVS) -> Path:
    """Resolve ``requirements.in`` for the environment's Python and write the lock; returns its path.

    Where nothing is required, since the base image brings it all, the lock is empty.

    :raises InputError: where the requirements cannot be met.
    """
    stack = read_stack(env, root)
    source = _read(root / env / "requirements.in")
    lock = lock_path(env, root)
    say(f"{env}: resolving {source.count('==')} requirements for Python {stack.python}")
    body = _resolve(env, stack.python, root / env / "requirements.in") if "==" in source else ""
    lock.write_text(
        f"# Made by `make lock ENV={env}`; change requirements.in, not this file.\n"
        f"{_INPUT}{_sha256(source)}\n{_LOCK}{_sha256(body)}\n{body}"
    )
    say(f"{env}: {len(parse_lock(lock.read_text()))} packages locked in {lock}")
    return lock


def _resolve(env: str, python: str, requirements: Path) -> str:
    uv = Path(sys.executable).with_name("uv")
    resolved = run(
        [
            *(uv if uv.exists() else "uv", "pip", "compile", "--quiet", "--upgrade"),
            *("--python-version", python),
            *("--python-platform", PLATFORMS.get(python, DEFAULT_PLATFORM)),
            *("--generate-hashes", "--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"),
            *(requirements, "-"),
        ],
        f"{env}: resolving requirements.in",
        stdin="\n".join(INSTALLERS),
    )
    return resolved.strip() + "\n"


def check_lock(env: str, root: Path = ENVS) -> str:
    """The lock's sha256, once it is seen to fit its input and to be as it was made.

    :raises InputError: for a missing lock, a changed ``requirements.in`` or a lock edited by hand.
    """
    lock = lock_path(env, root)
    fix = f"run `make lock ENV={env}`"
    if not lock.exists():
        raise InputError(f"{lock}: missing; {fix}")
    text = _read(lock)
    head = {
        line[: len(mark)]: line[len(mark) :]
        for line in text.splitlines()
        for mark in (_INPUT, _LOCK)
        if line.startswith(mark)
    }
    body = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))
    if _INPUT not in head or _LOCK not in head:
        raise InputError(f"{lock}: its head does not name what it was made from; {fix}")
    if head[_INPUT] != _sha256(_read(root / env / "requirements.in")):
        raise InputError(f"{lock}: made from another {root / env / 'requirements.in'} than the one there now; {fix}")
    if head[_LOCK] != _sha256(body):
        raise InputError(f"{lock}: edited by hand after it was made; put what you want into requirements.in and {fix}")
    return hashlib.sha256(text.encode()).hexdigest()


def parse_lock(text: str) -> list[Locked]:
    """The packages of a lock, in its order.

    :raises InputError: for a line that is no requirement or has no hash.
    """
    packages = []
    joined = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    for line in joined.replace("\\\n", " ").splitlines():
        if not line.strip():
            continue
        match, hashes = _REQUIREMENT.match(line), _HASH.findall(line)
        if not match or not hashes:
            raise InputError(f"lock line {line.strip()[:80]!r}: expected name==version with --hash=sha256:…")
        packages.append(Locked(match["name"], match["version"], tuple(hashes)))
    return packages


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("environment", help="a folder of envs")


def execute(options: argparse.Namespace) -> None:
    """Make an environment's lock anew.

    :raises InputError: where no environment is named, and as :func:`make_lock`.
    """
    if not options.environment:  # `make lock` without ENV
        raise InputError("name one environment: make lock ENV=tf1.15-cpu")
    make_lock(options.environment)
