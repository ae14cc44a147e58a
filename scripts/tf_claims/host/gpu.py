"""Whether a stack can run on the GPU of this host: asked of ``nvidia-smi`` before anything is built."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from typing import NamedTuple

from tf_claims.model.errors import InputError
from tf_claims.model.reason import Reason, because
from tf_claims.model.stack import Gpu, Stack

QUERY = "name,compute_cap,driver_version,memory.total,compute_mode"
STATED = "TF_CLAIMS_GPU"
"""States the GPU of the nodes where it is not this host's: a line as ``nvidia-smi --query-gpu`` prints it."""

ANSWER_S = 60
PROHIBITED = "Prohibited"


class Device(NamedTuple):
    """One GPU; ``memory_mb`` is its memory and ``compute_mode`` how many processes may use it at once."""

    name: str
    capability: float
    driver: str
    memory_mb: int
    compute_mode: str


def why_not(stack: Stack) -> Reason | None:
    """Why a stack cannot run here; None where it can."""
    if stack.gpu is None:
        return None
    try:
        device = find_device()
    except InputError as error:
        return because("gpu.unusable", error=str(error))
    return because("gpu.none") if device is None else why_not_on(device, stack.gpu)


def why_not_on(device: Device, needs: Gpu) -> Reason | None:
    """Why a device or its driver does not do; None where it does."""
    if device.capability < needs.lowest_capability:
        return because("gpu.too_old", name=device.name, has=str(device.capability), needs=str(needs.lowest_capability))
    if device.capability > needs.highest_capability:
        return because("gpu.too_new", name=device.name, has=str(device.capability), knows=str(needs.highest_capability))
    if _version(device.driver) < _version(needs.lowest_driver):
        return because("gpu.driver_too_old", driver=device.driver, cuda=needs.cuda, needs=needs.lowest_driver)
    if device.compute_mode == PROHIBITED:
        return because("gpu.prohibited", name=device.name, mode=PROHIBITED)
    return None


def find_device() -> Device | None:
    """The GPU that blocks are measured on, the host's first; None where there is none.

    :raises InputError: where ``nvidia-smi`` fails or answers something else than asked.
    """
    if STATED in os.environ:
        return parse(os.environ[STATED], f"the variable {STATED} says", "correct it")
    program = shutil.which("nvidia-smi")
    return None if program is None else _ask(program)


@cache
def _ask(program: str) -> Device | None:
    command = [program, f"--query-gpu={QUERY}", "--format=csv,noheader,nounits"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=ANSWER_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"nvidia-smi does not run: {error}") from None
    answer = done.stdout.strip() or done.stderr.strip()
    if "No devices were found" in answer:
        return None
    if done.returncode:
        raise InputError(f"nvidia-smi failed (exit code {done.returncode}): {_first_line(answer)}")
    return parse(answer, "nvidia-smi answered", "put the driver right, or take nvidia-smi out of PATH")


def parse(answer: str, source: str, fix: str) -> Device:
    """The first GPU of an answer to :data:`QUERY`.

    :raises InputError: where it is no such answer.
    """
    fields = [field.strip() for field in _first_line(answer).split(",")]
    try:
        name, capability, driver, memory, mode = fields
        _version(driver)
        return Device(name, float(capability), driver, int(float(memory)), mode)
    except ValueError:
        raise InputError(f"{source} {_first_line(answer)!r} where {QUERY} is expected; {fix}") from None


def _first_line(text: str) -> str:
    return text.split("\n")[0].strip()


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))
