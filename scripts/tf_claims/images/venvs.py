"""The same lock without a container: a virtual environment of a host CPython, for hosts where no container starts."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tf_claims.host.cache import cache_root, place, require_space, scratch
from tf_claims.host.commands import run, say
from tf_claims.host.cpython import cpython_version, find_cpython
from tf_claims.host.measure_lock import measuring
from tf_claims.images.build import PROBE, link_into_results
from tf_claims.images.failures import kept_as_failure
from tf_claims.images.key import MARKER, image_key
from tf_claims.images.locks import check_lock, lock_path, parse_lock
from tf_claims.images.wheels import fetch_wheels
from tf_claims.model.errors import InputError
from tf_claims.model.stack import read_stack

GROWTH = 5
"""Space that an installation needs, as a multiple of its packages."""


def build_venv(env: str) -> Path:
    """Make the environment's virtual environment unless the cache has it; returns the folder of it and its record.

    :raises InputError: for a lock that does not fit, no CPython of that version, or an installation that fails.
    """
    lock_sha256 = check_lock(env)
    key = image_key(env)
    final = cache_root() / "venvs" / f"{env}.{key}"
    if (final / "record.json").exists():
        return final
    stack = read_stack(env)
    prefix = find_cpython(stack.python)
    packages = parse_lock(lock_path(env).read_text())
    if stack.cuda_libraries is not None or not packages:
        raise InputError(f"{env}: part of it comes from an image only; use ENGINE=container, or leave it out by ENVS=")
    wheels = fetch_wheels(env, stack.python, packages)
    size = sum(wheel.path.stat().st_size for wheel in wheels)
    require_space(cache_root(), size * GROWTH, f"the virtual environment of {env}")
    with measuring(f"making the virtual environment {env}"), scratch(f"venv-{env}") as work:
        if (final / "record.json").exists():  # made by another run while this one waited
            return final
        say(f"{env}: installing {len(wheels)} packages into a virtual environment of CPython {stack.python}")
        files = work / "packages"
        files.mkdir()
        for wheel in wheels:
            (files / wheel.path.name).symlink_to(wheel.path)
        venv = work / "made" / "venv"
        run([prefix / f"bin/python{stack.python}", "-I", "-m", "venv", "--without-pip", venv], f"{env}: making a venv")
        _install(env, venv / "bin/python", files, lock_path(env))
        versions = json.loads(
            run([venv / "bin/python", "-I", "-c", PROBE], f"{env}: importing TensorFlow").splitlines()[-1]
        )
        marker = {"environment": env, "key": key, "lock_sha256": lock_sha256}
        (venv / MARKER).write_text(json.dumps(marker) + "\n")
        record = {
            **marker,
            "engine": "venv",
            "base": {
                "kind": "host",
                "reference": f"CPython {cpython_version(prefix, stack.python)} of the host",
                **versions,
            },
            "python": versions["python"],
            "packages": {package.name: package.version for package in packages},
        }
        (work / "made" / "record.json").write_text(json.dumps(record, indent=1) + "\n")
        place(work / "made", final)
    return final


def _install(env: str, python: Path, files: Path, lock: Path) -> None:
    """The two steps of docker/Dockerfile, with the pip of the lock."""
    pip = next(files.glob("pip-*.whl"))
    options = (
        "--no-index",
        "--find-links",
        files,
        "--no-deps",
        "--no-compile",
        "--no-cache-dir",
        "--no-build-isolation",
    )
    command: list[str | Path] = [python, pip / "pip", "--isolated", "install", *options, "--upgrade"]
    quiet = {"PYTHONDONTWRITEBYTECODE": "1"}
    run([*command, "setuptools", "wheel"], f"{env}: installing setuptools and wheel", env=quiet)
    run([*command, "--require-hashes", "-r", lock], f"{env}: installing the lock", env=quiet)
    run([python, "-m", "pip", "check"], f"{env}: checking the packages against each other", env=quiet)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("environment")
    parser.add_argument("--venv", type=Path, required=True)
    parser.add_argument("--record", type=Path, required=True)


def execute(options: argparse.Namespace) -> None:
    """Make an environment's virtual environment, or link the one in the cache.

    :raises InputError: as :func:`build_venv`.
    """
    with kept_as_failure(options.record):
        folder = build_venv(options.environment)
    link_into_results(folder / "venv", options.venv, folder / "record.json", options.record)
