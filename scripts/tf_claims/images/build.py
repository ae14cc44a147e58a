"""The container image of an environment, as a SIF in the cache, with a record of all that went into it."""

from __future__ import annotations

import argparse
import json
import os
import tarfile
from collections.abc import Mapping
from pathlib import Path

from tf_claims.host.apptainer import apptainer_env, apptainer_version, isolated
from tf_claims.host.cache import cache_root, file_sha256, place, require_space, scratch
from tf_claims.host.commands import run, say
from tf_claims.host.measure_lock import measuring
from tf_claims.images import bases
from tf_claims.images.builder import find_builder, layout_digest
from tf_claims.images.failures import kept_as_failure
from tf_claims.images.key import AS_IT_IS, DOCKERFILE, MARKER, bytes_of, image_key
from tf_claims.images.locks import check_lock, lock_path, parse_lock
from tf_claims.images.wheels import fetch_wheels
from tf_claims.model.errors import InputError
from tf_claims.model.files import write_whole
from tf_claims.model.stack import read_stack

SQUASHFS = "-comp zstd -Xcompression-level 1"
PROBE = """
import json, platform, tensorflow
release = dict(line.rstrip().split("=", 1) for line in open("/etc/os-release") if "=" in line)
print(json.dumps({"python": platform.python_version(), "debian": release.get("VERSION_CODENAME", "")}))
"""
GROWTH = 12
"""Space that a build needs, as a multiple of its packages: unpacked layers, OCI layers, their unpacked copy, SIF."""


def build_image(env: str) -> Path:
    """Build the environment's image unless the cache has it; returns its folder: ``image.sif`` and ``record.json``.

    :raises InputError: for a lock that does not fit, no base, no builder, a full disk, or a build that fails.
    """
    lock_sha256 = check_lock(env)
    key = image_key(env)
    final = cache_root() / "images" / f"{env}.{key}"
    if (final / "record.json").exists():
        return final
    stack = read_stack(env)
    packages = parse_lock(lock_path(env).read_text())
    wheels = fetch_wheels(env, stack.python, packages)
    size = sum(wheel.path.stat().st_size for wheel in wheels)
    require_space(cache_root(), size * GROWTH, f"building the image {env}")
    with measuring(f"building the image {env}"), scratch(f"image-{env}") as work:
        if (final / "record.json").exists():  # built by another run while this one waited
            return final
        builder = find_builder(work / "storage")
        base = bases.find_base(env, stack.base, stack.python, builder)
        context = work / "context"
        marker = {"environment": env, "key": key, "lock_sha256": lock_sha256}
        _fill_context(context, base.tar, marker, lock_path(env), [wheel.path for wheel in wheels])
        record_of_cuda = {}
        if stack.cuda_libraries is not None:
            base, cuda = bases.add_cuda_libraries(env, base, stack.cuda_libraries, builder, context)
            record_of_cuda = {"cuda_libraries": cuda.record}
        say(f"{env}: building the image with {builder.kind} on a base from the {base.kind}")
        layout = work / "oci"
        dockerfile = DOCKERFILE if packages else AS_IT_IS
        builder.build(dockerfile, context, {"BASE": base.name}, layout, f"tf-claims-{env}:{key}")
        builder.clear()
        made = work / "made"
        made.mkdir()
        digest = _to_sif(env, layout, made / "image.sif")
        versions = _import_tensorflow(env, made / "image.sif")
        record = {
            "environment": env,
            "key": key,
            "engine": "container",
            "sif_sha256": file_sha256(made / "image.sif"),
            "oci_digest": digest,
            "base": base.record | versions,
            **record_of_cuda,
            "builder": f"{builder.kind} {builder.version}",
            "apptainer": apptainer_version(),
            "lock_sha256": lock_sha256,
            "python": versions["python"],
            "packages": {package.name: package.version for package in packages},
            "size_bytes": (made / "image.sif").stat().st_size,
        }
        (made / "record.json").write_text(json.dumps(record, indent=1) + "\n")
        place(made, final)
    say(f"{env}: image ready, {(final / 'image.sif').stat().st_size / 1e6:,.0f} MB, OCI digest {digest[:19]}…")
    return final


def _fill_context(
    context: Path, base_tar: Path | None, marker: Mapping[str, str], lock: Path, files: list[Path]
) -> None:
    """Lay out what the Dockerfile uses; the large files are links into the cache, not copies."""
    packages = context / "packages"
    packages.mkdir(parents=True)
    if base_tar:
        os.link(base_tar, context / "base.tar")
    else:
        tarfile.open(context / "base.tar", "w").close()
    (context / MARKER).write_text(json.dumps(marker) + "\n")
    (packages / "requirements.lock").write_bytes(lock.read_bytes())
    for file in files:
        os.link(file, packages / file.name)


def _to_sif(env: str, layout: Path, sif: Path) -> str:
    say(f"{env}: packing the image for Apptainer")
    temporary = sif.parent.parent / "apptainer"
    temporary.mkdir()
    run(
        ["apptainer", "--silent", "build", "--mksquashfs-args", SQUASHFS, sif, f"oci:{layout}"],
        f"{env}: packing the image",
        env={
            **apptainer_env(),
            "SOURCE_DATE_EPOCH": "0",
            "APPTAINER_TMPDIR": str(temporary),
            "APPTAINER_CACHEDIR": str(temporary),
        },
    )
    return layout_digest(layout)


def _import_tensorflow(env: str, sif: Path) -> dict[str, str]:
    """See that TensorFlow can be imported, or the image is not worth keeping; returns the versions under it."""
    command = [*isolated(sif), "python3", "-I", "-c", PROBE]
    versions: dict[str, str] = json.loads(
        run(command, f"{env}: importing TensorFlow", env=apptainer_env()).splitlines()[-1]
    )
    return versions


def link_into_results(thing: Path, link: Path, record_in_cache: Path, record: Path) -> None:
    """Make something in the cache appear in the results: a link to it, and a copy of its record."""
    link.parent.mkdir(parents=True, exist_ok=True)
    temporary = link.with_name(f".{link.name}.{os.getpid()}")
    temporary.symlink_to(thing)
    temporary.replace(link)
    write_whole(record, record_in_cache.read_text())


def verify_image(record: Path) -> None:
    """See that the SIF beside ``record`` still has the recorded sha256; reads the whole file.

    :raises InputError: when it has not, or one of the two is missing.
    """
    sif = record.with_suffix(".sif")
    wanted = json.loads(bytes_of(record))
    if not sif.exists():
        raise InputError(f"{sif}: the image is missing; delete {record} and run again to build it anew")
    found = file_sha256(sif)
    if found != wanted["sif_sha256"]:
        raise InputError(
            f"{sif}: the image changed after it was built (sha256 {found}, recorded {wanted['sif_sha256']}); "
            f"delete {sif.resolve().parent} and {record} and run again to build it anew"
        )


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("environment")
    parser.add_argument("--sif", type=Path, required=True)
    parser.add_argument("--record", type=Path, required=True)


def execute(options: argparse.Namespace) -> None:
    """Build an environment's image, or link the one in the cache.

    :raises InputError: as :func:`build_image` and :func:`verify_image`.
    """
    with kept_as_failure(options.record):
        folder = build_image(options.environment)
    link_into_results(folder / "image.sif", options.sif, folder / "record.json", options.record)
    verify_image(options.record)
