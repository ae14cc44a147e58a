"""One block, by the rule ``measure_block``: the runner in its container, or in a virtual environment.

``tf-claims measure --plan … --prepared … --looks … --block 3 --threads 2 --git … --output …``

In the container the program that is measured sees the files that it needs, read-only at their places in the checkout,
and may write into one folder of its own, which becomes the block's file afterwards. Snakemake's own ``container:``
gives every job the whole checkout to write, and programs that the host runs later with it.
"""

from __future__ import annotations

import argparse
import ctypes
import glob
import os
import shutil
import signal
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from runner.process import PR_SET_PDEATHSIG
from tf_claims.host.apptainer import apptainer_env, isolated, mounted
from tf_claims.host.measure_lock import measuring
from tf_claims.images.places import Place
from tf_claims.model.errors import InputError
from tf_claims.model.files import check, read_json
from tf_claims.model.results import DATA

RUNNER = Path("scripts/runner")
INSIDE = "/tf-claims"  # the checkout, of which a container has these few files
PASSED = ("CUDA_VISIBLE_DEVICES",)  # which of several GPUs the batch system gave to this job


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--plan", type=Path, required=True, help="JSON file made by tf_claims.model.plan")
    parser.add_argument("--prepared", type=Path, required=True, help="JSON file that says where the software is")
    parser.add_argument("--looks", type=Path, required=True, help="folder of the looks at the blocks so far")
    parser.add_argument("--block", type=int, required=True)
    parser.add_argument("--threads", type=int, required=True, help="CPUs of a measured process")
    parser.add_argument("--git", type=Path, required=True, help="JSON file with commit and dirty")
    parser.add_argument("--output", type=Path, required=True, help="the block's observations, JSON lines")


def execute(options: argparse.Namespace) -> None:
    """Measure one block, alone on this host.

    :raises InputError: where the lock cannot be had, or what is prepared cannot be read.
    :raises SystemExit: with the exit code of the runner, which has said why, where that is not 0.
    """
    place = check(options.prepared, Place, read_json(options.prepared))
    plan = read_json(options.plan)
    what = f"block {options.block} of {plan['scenario']} in {plan['environment']}"
    with measuring(what) as lock, own_folder(options.output) as folder:
        command = [place.python, "-I", str(RUNNER), *_options(options, place, folder / options.output.name)]
        environment = {}
        if place.image:
            command, environment = [*in_container(place, plan, options, folder), *command], apptainer_env()
        if code := _run(command, environment, lock):
            raise SystemExit(code)
        made = folder / options.output.name
        if not stat.S_ISREG(made.lstat().st_mode):
            raise InputError(f"{made}: is no regular file; the program that was measured put something else there")
        made.replace(options.output)


def _options(options: argparse.Namespace, place: Place, output: Path) -> list[str]:
    return [
        *("--plan", str(options.plan), "--looks", str(options.looks)),
        *("--block", str(options.block), "--threads", str(options.threads)),
        *("--engine", place.engine, "--record", place.record, "--marker", place.marker),
        *("--data", str(DATA), "--git", str(options.git), "--output", str(output)),
    ]


@contextmanager
def own_folder(output: Path) -> Iterator[Path]:
    """A folder beside ``output``, the only one that the block writes; it is gone afterwards, as what a crash left."""
    output.parent.mkdir(parents=True, exist_ok=True)
    prefix = f".{output.name}."
    _remove(output.parent, prefix)
    try:
        yield Path(tempfile.mkdtemp(prefix=prefix, dir=output.parent))
    finally:
        _remove(output.parent, prefix)


def _remove(folder: Path, prefix: str) -> None:
    for path in folder.glob(f"{glob.escape(prefix)}*"):
        shutil.rmtree(path, ignore_errors=True)


def in_container(place: Place, plan: dict[str, Any], options: argparse.Namespace, folder: Path) -> list[str]:
    """The start of the command that runs the rest of it in the container, with ``folder`` to write into."""
    read = [
        RUNNER,
        Path(plan["code"]).parent,
        *(options.plan, options.looks, options.git),
        *(Path(place.record), Path(place.software)),
        *(file for name in plan["data"] for file in _files_of(name)),
    ]
    mounts = [option for path in read if path.exists() for option in mounted(path, f"{INSIDE}/{path}")]
    mounts += mounted(folder, f"{INSIDE}/{folder}", writable=True)
    passed = [f"--env={name}={os.environ[name]}" for name in PASSED if name in os.environ]
    gpu = ["--nv"] if plan.get("needs_gpu") else []
    return isolated(place.software, *gpu, *passed, *mounts, "--pwd", INSIDE)


def _files_of(data: str) -> Iterator[Path]:
    """The record of a data set, and its folder or its files."""
    record = DATA / f"{data}.json"
    yield record
    if (DATA / data).is_dir():
        yield DATA / data
    else:
        yield from (DATA / file["name"] for file in read_json(record)["files"])


def _run(command: Sequence[str], environment: dict[str, str], lock: int) -> int:
    """The exit code; ``environment`` is added to that of this process. A signal that would end it is handed on.

    The command holds the ``lock`` as well: where this process is killed, nobody measures before the command has ended.
    """
    process = subprocess.Popen(
        command,
        env=os.environ | environment,
        pass_fds=[lock],
        preexec_fn=_end_with_parent,
        start_new_session=True,
    )

    def hand_on(number: int, frame: FrameType | None) -> None:
        process.send_signal(signal.SIGTERM)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, hand_on)
    return process.wait()


def _end_with_parent() -> None:
    """In the new process: the kernel tells it to end when this one dies, even of SIGKILL.

    By SIGTERM, which Apptainer hands on to what is in the container; killed itself, it would leave that behind.
    """
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
