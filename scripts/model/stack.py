"""``envs/<name>/stack.yaml``: what one pinned software stack is made of."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from model.errors import InputError
from model.files import Strict, read_yaml

ENVS = Path("envs")


class Base(Strict):
    """The image that the stack is built on: a tag for people, a digest for machines."""

    image: str = Field(pattern=r"^[a-z0-9./_-]+:[A-Za-z0-9._-]+$")
    digest: str | None = Field(default=None, pattern=r"^sha256:[0-9a-f]{64}$")


class Gpu(Strict):
    """What a CUDA stack needs of a device: lowest and highest compute capability, e.g. ``3.5`` and ``7.0``."""

    cuda: str
    lowest_capability: float
    highest_capability: float


class Stack(Strict):
    """One pinned software stack."""

    python: str = Field(pattern=r"^3\.\d+$", description="minor version of Python, e.g. 3.7")
    package: str = Field(description="the distribution that brings TensorFlow, e.g. tensorflow-cpu")
    version: str
    device: Literal["cpu", "cuda"]
    keras: str = Field(description="Keras that comes with it, for readers")
    era: str = Field(description="when this stack was current, e.g. October 2019")
    base: Base
    gpu: Gpu | None = None
    notes: str = ""


def environments(root: Path = ENVS) -> list[str]:
    """The names of all environments, in the order of their TensorFlow versions."""
    names = [path.parent.name for path in root.glob("*/stack.yaml")]
    return sorted(names, key=lambda name: [int(part) for part in name[2:].split("-")[0].split(".")] + [name])


def read_stack(name: str, root: Path = ENVS) -> Stack:
    """The stack of one environment.

    :raises InputError: for an unknown environment or a stack file that does not fit.
    """
    if not (root / name / "stack.yaml").exists():
        raise InputError(f"environment {name!r} is unknown; known: {', '.join(environments(root))}")
    return read_yaml(root / name / "stack.yaml", Stack)
