"""The image that a stack is built on: from its registry, else from Debian packages and a CPython of the host."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from tf_claims.host.cache import DiskFull, cache_root
from tf_claims.host.commands import say
from tf_claims.images import host_base
from tf_claims.images.builder import Builder
from tf_claims.images.key import CUDA_LIBRARIES
from tf_claims.model.errors import InputError
from tf_claims.model.files import write_whole
from tf_claims.model.stack import Base as WantedBase

REGISTRY = "TF_CLAIMS_REGISTRY"
"""Names a registry, e.g. ``localhost:5000``, to ask instead of the one that an image's name implies."""


@dataclass(frozen=True)
class Base:
    """A base at hand: where it came from and its digest.

    ``name`` is what the Dockerfile's ``FROM`` says; ``tar`` is the root file system where this host made it.
    """

    kind: Literal["registry", "host"]
    reference: str
    digest: str
    name: str
    tar: Path | None = None

    @property
    def record(self) -> dict[str, str]:
        """What an image's record says about its base."""
        return {"kind": self.kind, "reference": self.reference, "digest": self.digest}


def find_base(env: str, wanted: WantedBase, python: str, builder: Builder) -> Base:
    """The base of an environment, by the first way that works.

    :raises InputError: one message that says which ways were tried and why each failed; or, where a tag now names
        another image than at its first pull, that.
    """
    try:
        name, digest = builder.pull(registry_reference(wanted, os.environ.get(REGISTRY, "")))
    except DiskFull:
        raise
    except InputError as error:
        registry_failure = str(error)
    else:
        _hold_to_digest(wanted, digest)
        return Base("registry", wanted.image, digest, name)
    say(f"{env}: the base {wanted.image} could not be pulled; using Debian packages and a CPython of this host")
    try:
        if not wanted.image.startswith("python:"):
            raise InputError("this base is more than Debian and Python, so it cannot be made here")
        made = host_base.make(python)
    except DiskFull:
        raise
    except InputError as error:
        raise InputError(
            f"{env}: no base image. Tried\n  {wanted.image} from its registry: {registry_failure}\n"
            f"  Debian packages and a CPython of this host: {error}"
        ) from None
    return Base("host", f"Debian {made.debian} with CPython {made.python} of the host", made.digest, "host", made.tar)


def add_cuda_libraries(env: str, base: Base, wanted: WantedBase, builder: Builder, context: Path) -> tuple[Base, Base]:
    """``base`` with the CUDA libraries of the image ``wanted``, named as the builder alone knows it; and that image.

    :param context: the folder with ``base.tar``

    :raises InputError: where ``wanted`` cannot be pulled, or names another image than at its first pull.
    """
    try:
        name, digest = builder.pull(registry_reference(wanted, os.environ.get(REGISTRY, "")))
    except DiskFull:
        raise
    except InputError as error:
        raise InputError(f"{env}: its CUDA libraries come from {wanted.image} only: {error}") from None
    _hold_to_digest(wanted, digest)
    say(f"{env}: adding the CUDA libraries of {wanted.image}")
    tag = f"tf-claims-{env}-base:{digest.removeprefix('sha256:')[:12]}"
    builder.build_local(CUDA_LIBRARIES, context, {"BASE": base.name, "CUDA": name}, tag)
    return replace(base, name=tag), Base("registry", wanted.image, digest, name)


def registry_reference(wanted: WantedBase, registry: str = "") -> str:
    """What to pull: by digest where one is named, so that the registry cannot give another image; else by tag."""
    name = wanted.image
    if registry:
        # Names without a host imply the default registry; single words lie under library/ there.
        first = name.split("/")[0].split(":")[0]
        path = name.removeprefix(f"{first}/") if "." in first else name
        name = f"{registry}/{path}" if "/" in path else f"{registry}/library/{path}"
    if wanted.digest is None:
        return name
    repository = name.rpartition(":")[0]
    return f"{repository}@{wanted.digest}"


def _hold_to_digest(wanted: WantedBase, digest: str) -> None:
    """A base without a digest in its stack is held to the one of its first pull on this host.

    :raises InputError: where the tag names another image now.
    """
    if wanted.digest is not None:
        return
    note = cache_root() / "bases" / (wanted.image.replace("/", "_").replace(":", "_") + ".digest")
    if not note.exists():
        write_whole(note, digest + "\n")
        say(f"{wanted.image} is {digest}; held to it from now on (put it into stack.yaml to share that)")
    elif (first := note.read_text().strip()) != digest:
        raise InputError(
            f"base {wanted.image}: the registry now gives {digest}, at the first pull it gave {first}. "
            f"If the change is wanted, name the new digest in stack.yaml, or delete {note}"
        )
