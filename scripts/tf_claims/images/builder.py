"""Building an image from a Dockerfile with whichever of docker, podman and buildah works on this host."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tf_claims.host.commands import run
from tf_claims.model.errors import InputError

Kind = Literal["docker", "podman", "buildah"]
ANSWER_S = 20
"""How long a builder's engine may take to answer before it counts as not running."""

PULL_S = 300
"""How long the registry may take to give a base; the official Python images are some 50 MB."""

LARGE_PULL_S = 3600
"""The same for images with CUDA, which are 1 to 7 GB."""

# An identity label would carry the builder's version into the digest.
PLAIN = (
    *("--isolation", "chroot", "--timestamp", "0", "--format", "oci"),
    *("--layers=false", "--identity-label=false"),
)


@dataclass(frozen=True)
class Builder:
    """A program that builds images, seen to answer; podman and buildah keep all that they make in ``storage``."""

    kind: Kind
    version: str
    storage: Path

    def command(self, *arguments: str | Path) -> list[str | Path]:
        """A command line of this builder."""
        if self.kind == "docker":
            return ["docker", *arguments]
        return [self.kind, "--root", self.storage / "root", "--runroot", self.storage / "run", *arguments]

    def clear(self) -> None:
        """Empty the storage; files in it may belong to a user's subordinate ids, which only the builder can delete."""
        if self.kind != "docker" and os.geteuid() != 0 and self.storage.exists():
            run([self.kind, "unshare", "rm", "-rf", self.storage], "removing what the build left")

    def pull(self, reference: str) -> tuple[str, str]:
        """Fetch ``reference`` from its registry; returns the name for a Dockerfile's ``FROM`` and the digest.

        :raises InputError: where the registry does not answer in time or does not have it.
        """
        patience = LARGE_PULL_S if "nvidia/" in reference else PULL_S
        for command in self.pull_commands(reference):
            answer = run(command, f"pulling {reference}", timeout_s=patience).strip()
        name, _, digest = answer.rpartition("@")
        return (reference if self.kind == "docker" else name), digest

    def pull_commands(self, reference: str) -> list[list[str | Path]]:
        """The commands that fetch an image and then print ``name@digest``; ``name`` is its id but for docker."""
        if self.kind == "docker":
            inspect = ("image", "inspect", "--format", "{{index .RepoDigests 0}}", reference)
            return [self.command("pull", "--quiet", reference), self.command(*inspect)]
        local = reference.startswith(("localhost:", "127.0.0.1:"))
        tls = f"--tls-verify={'false' if local else 'true'}"
        listing = ("images", "--no-trunc", "--digests", "--format", "{{.ID}}@{{.Digest}}", reference)
        return [self.command("pull", "--quiet", tls, f"docker://{reference}"), self.command(*listing)]

    def build_commands(
        self, dockerfile: Path, context: Path, args: Mapping[str, str], layout: Path, tag: str
    ) -> list[list[str | Path]]:
        """The commands that build ``context`` into the OCI ``layout``, a folder, every time in it set to zero."""
        words = _words(args)
        if self.kind == "docker":
            output = f"type=oci,dest={layout},tar=false,rewrite-timestamp=true,compression=uncompressed"
            epoch = ("--build-arg", "SOURCE_DATE_EPOCH=0")
            options = ("--provenance=false", "--sbom=false", "--network=none", "--output", output)
            return [self.command("buildx", "build", *options, *epoch, *words, "--file", dockerfile, context)]
        build: list[str | Path] = ["build", *PLAIN, *words, "--file", dockerfile, "--tag"]
        if self.kind == "buildah":
            return [self.command(*build, f"oci:{layout}", context)]
        return [self.command(*build, tag, context), self.command("push", "--quiet", tag, f"oci:{layout}")]

    def build(self, dockerfile: Path, context: Path, args: Mapping[str, str], layout: Path, tag: str) -> None:
        """Build ``context`` into the OCI ``layout``, a folder.

        :raises InputError: with the last lines of the build, where it fails.
        """
        for command in self.build_commands(dockerfile, context, args, layout, tag):
            run(command, f"building {tag}")

    def build_local(self, dockerfile: Path, context: Path, args: Mapping[str, str], tag: str) -> None:
        """Build ``context`` into an image that this builder knows as ``tag``, for another Dockerfile's ``FROM``.

        :raises InputError: with the last lines of the build, where it fails.
        """
        build = ("buildx", "build", "--load", "--provenance=false") if self.kind == "docker" else ("build", *PLAIN)
        command = self.command(*build, *_words(args), "--file", dockerfile, "--tag", tag, context)
        run(command, f"building {tag}")


def _words(args: Mapping[str, str]) -> list[str]:
    return [word for name, value in args.items() for word in ("--build-arg", f"{name}={value}")]


def find_builder(storage: Path) -> Builder:
    """buildah, podman or docker, the first whose engine really answers; else buildah is installed, where root may.

    :raises InputError: naming what is missing and how to get it.
    """
    failures = []
    for probe in (_probe_buildah, _probe_podman, _probe_docker, _install_buildah):
        try:
            kind, version = probe()
            return Builder(kind, version, storage)
        except InputError as error:
            failures.append(f"  {str(error).splitlines()[0]}")
    raise InputError(
        "no program to build images with. Tried\n"
        + "\n".join(failures)
        + "\nInstall one, e.g. with `apt-get install buildah` as root, or run with ENGINE=venv"
    )


def _probe_buildah() -> tuple[Kind, str]:
    return "buildah", run(["buildah", "--version"], "buildah", timeout_s=ANSWER_S).split()[2]


def _probe_podman() -> tuple[Kind, str]:
    command = ["podman", "info", "--format", "{{.Version.Version}}"]
    return "podman", run(command, "podman", timeout_s=ANSWER_S).strip()


def _probe_docker() -> tuple[Kind, str]:
    """The client alone is not enough: its engine must run, and be able to write OCI images."""
    command = ["docker", "info", "--format", "{{.ServerVersion}} {{.DriverStatus}}"]
    answer = run(command, "docker", timeout_s=ANSWER_S).strip()
    version, _, status = answer.partition(" ")
    if "containerd.snapshotter" not in status:
        builder = run(["docker", "buildx", "inspect"], "docker buildx", timeout_s=ANSWER_S)
        if "docker-container" not in builder:
            raise InputError("docker: its engine writes no OCI images; turn on its containerd image store")
    return "docker", version


def _install_buildah() -> tuple[Kind, str]:
    # Imported here: on most calls a builder is there.
    from tf_claims.host import debian

    if not debian.install("buildah", "buildah"):
        raise InputError("installing Debian's buildah: only root can, on Debian")
    return _probe_buildah()


def layout_digest(layout: Path) -> str:
    """The digest of the one image in an OCI layout, e.g. ``sha256:…``."""
    return str(json.loads((layout / "index.json").read_text())["manifests"][0]["digest"])
