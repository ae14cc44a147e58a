"""``envs/<name>/stack.yaml``: what one pinned software stack is made of."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from tf_claims.model.errors import InputError
from tf_claims.model.files import Strict, named, read_yaml

ENVS = Path("envs")


class Base(Strict):
    """The image that the stack is built on: a tag for people, a digest for machines."""

    image: str = Field(pattern=r"^[a-z0-9./_-]+:[A-Za-z0-9._-]+$")
    digest: str | None = Field(default=None, pattern=r"^sha256:[0-9a-f]{64}$")


class Gpu(Strict):
    """What a CUDA stack needs of a device and its driver.

    The highest capability is the highest that its code or its CUDA's own libraries know: between the two TensorFlow's
    kernels are compiled by the driver at the first use, above it nothing runs.
    """

    cuda: str
    lowest_capability: float = Field(description="compute capability, e.g. 3.5")
    highest_capability: float
    lowest_driver: str = Field(pattern=r"^\d+(\.\d+)*$", description="of Linux, e.g. 525.60.13")


class Stack(Strict):
    """One pinned software stack."""

    python: str = Field(pattern=r"^3\.\d+$", description="minor version of Python, e.g. 3.7")
    package: str = Field(description="the distribution that brings TensorFlow, e.g. tensorflow-cpu")
    version: str
    device: Literal["cpu", "cuda"]
    keras: str = Field(description="Keras that comes with it, for readers")
    era: str = Field(description="when this stack was current, e.g. October 2019")
    base: Base
    cuda_libraries: Base | None = Field(
        default=None, description="the image that CUDA's libraries are copied from, where they are not among the wheels"
    )
    gpu: Gpu | None = None
    notes: str = ""

    @model_validator(mode="after")
    def _cuda_names_its_gpus(self) -> Stack:
        if (self.device == "cuda") != (self.gpu is not None):
            raise ValueError("gpu: stands in a stack whose device is cuda, and in no other")
        return self


def environments(root: Path = ENVS) -> list[str]:
    """The names of all environments, in the order of their TensorFlow versions."""
    names = [named(path.parent) for path in root.glob("*/stack.yaml")]
    return sorted(names, key=lambda name: [int(part) for part in name[2:].split("-")[0].split(".")] + [name])


def read_stack(name: str, root: Path = ENVS) -> Stack:
    """The stack of one environment.

    :raises InputError: for an unknown environment or a stack file that does not fit.
    """
    if name not in (known := environments(root)):
        raise InputError(f"environment {name!r} is unknown; known: {', '.join(known)}")
    return read_yaml(root / name / "stack.yaml", Stack)
