"""``make bundle``: one archive from which a run can be reported, or with its images reproduced, without any network.

``tf-claims bundle --preset quick --output results/quick.tar.gz [--images]``

The Python packages of the host are always in it: without them neither command starts. They fit the Python version and
the processor of the machine that made the bundle. The same files give the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import re
import sys
import tarfile
from pathlib import Path

from tf_claims.host.apptainer import apptainer_bin_dir
from tf_claims.host.cache import cache_root, file_sha256, place, scratch
from tf_claims.host.commands import run, say
from tf_claims.host.links import refuse_links_out, stays_inside
from tf_claims.images.key import image_key
from tf_claims.model.errors import InputError
from tf_claims.model.preset import read_preset
from tf_claims.model.results import DATA, GIT, IMAGES, VENVS, Results
from tf_claims.options import add_shared_options

FOLDER = "tf-claims"
"""The folder that the archive unpacks to."""
WHEELS = "wheels"
TIMESTAMP = ".snakemake_timestamp"
"""In a folder that a rule makes: how old Snakemake takes it to be."""


def members(preset: str, images: bool) -> dict[str, Path]:
    """What goes in, by its name in the bundle.

    :raises InputError: for an unknown preset, one without verdicts, and outside git, which knows the sources.
    """
    read_preset(preset)
    results = Results.of(preset)
    refuse_links_out(results.folder, Path())
    if not results.verdicts.exists():
        raise InputError(f"{results.verdicts}: no such file; `make reproduce PRESET={preset}` makes it")
    measured = {file.parent.name for file in results.blocks.glob("*/*/*.jsonl")}
    keys = {f"{environment}.{image_key(environment)}" for environment in measured}
    made = [file for key in keys for kind in (IMAGES, VENVS) for file in kind.glob(f"{key}.*")]
    made += [GIT, *DATA.iterdir(), *_files(results.folder)]
    files = _sources() + [file for file in made if not file.is_symlink()]
    linked = [file for file in made if file.is_symlink()] if images else []
    cached = [file for link in linked for file in _cached(link.resolve())]
    if images and apptainer_bin_dir().is_relative_to(cache_root()):
        cached += _files(cache_root() / "apptainer")
    return {str(file): file for file in files + linked} | {_name_in_cache(file): file for file in cached}


def _sources() -> list[Path]:
    """What git has, and of what it does not know yet scenarios and environments alone."""
    ask = ["git", "ls-files", "-z"]
    try:
        known = run([*ask, "--cached"], "asking git for the sources")
        new = run([*ask, "--others", "--exclude-standard", "--", "scenarios", "envs"], "asking git for the sources")
    except InputError as error:
        raise InputError(f"a bundle is made in a git checkout: {error}") from None
    files = [Path(name) for name in known.split("\0") if name]
    files += [Path(name) for name in new.split("\0") if name and not any(part[0] == "." for part in Path(name).parts)]
    return [stays_inside(file, Path()) for file in files if file.is_file()]


def _files(folder: Path) -> list[Path]:
    """All below a folder, empty folders too, but no drafts."""
    return [
        path
        for path in folder.rglob("*")
        if (path.name == TIMESTAMP or not path.name.startswith("."))
        and (path.is_symlink() or path.is_file() or not any(path.iterdir()))
    ]


def _cached(target: Path) -> list[Path]:
    """What a link of the results leads to in the cache, with its record."""
    if target.is_dir():
        return [*_files(target), target.with_name(f"{target.name}.json")]
    return _files(target.parent)


def _name_in_cache(path: Path) -> str:
    return f"cache/{path.relative_to(cache_root())}"


def host_wheels() -> dict[str, Path]:
    """The packages of ``requirements.lock``, checked against it, and a lock of the wheels that they came as.

    :raises InputError: where one cannot be had.
    """
    requirements = Path("requirements.lock")
    key = hashlib.sha256(f"{sys.implementation.cache_tag} {file_sha256(requirements)}".encode()).hexdigest()[:12]
    final = cache_root() / "host-wheels" / key
    if not final.exists():
        say("fetching the Python packages of the host")
        with scratch("host-wheels") as work:
            made = work / "made"
            command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
            # Some packages come as sources only: the lock's setuptools builds them, and the date makes their wheels the
            # same each time.
            command += ["--no-build-isolation"]
            run(
                [*command, "--require-hashes", "--no-deps", "--requirement", requirements, "--wheel-dir", made],
                "fetching the Python packages of the host",
                env=dict(os.environ) | {"SOURCE_DATE_EPOCH": "315532800"},
            )
            lines = []
            for wheel in sorted(made.glob("*.whl")):
                name, version = wheel.name.split("-")[:2]
                lines.append(f"{re.sub('[_.]+', '-', name).lower()}=={version} --hash=sha256:{file_sha256(wheel)}\n")
            (made / requirements.name).write_text("".join(lines))
            place(made, final)
    return {f"{WHEELS}/{file.name}": file for file in final.iterdir()}


def write(archive: Path, files: dict[str, Path]) -> None:
    """Write the archive, sorted by name, without times and owners."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    draft = archive.with_name(f".{archive.name}")
    with (
        draft.open("wb") as raw,
        gzip.GzipFile("", "wb", compresslevel=1, fileobj=raw, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for name, path in sorted(files.items()):
            member = tarfile.TarInfo(f"{FOLDER}/{name}")
            member.mode = 0o755 if os.access(path, os.X_OK) else 0o644
            if path.is_symlink():
                member.type, member.linkname = tarfile.SYMTYPE, _link(name, path)
            elif path.is_dir():
                member.type = tarfile.DIRTYPE
            else:
                member.size = path.stat().st_size
                with path.open("rb") as content:
                    tar.addfile(member, content)
                continue
            tar.addfile(member)
    draft.replace(archive)


def _link(name: str, path: Path) -> str:
    """Where a link leads to in the bundle: what leads into the cache of this machine leads into the bundle's."""
    target = path.readlink()
    if not target.is_absolute():
        return str(target)
    return os.path.relpath(_name_in_cache(target), Path(name).parent)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_shared_options(parser, "preset")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument(
        "--images", default="", choices=["", "0", "1"], help="1: with the images and data sets that measuring needs"
    )


def execute(options: argparse.Namespace) -> None:
    """Write the archive and say how large it is.

    :raises InputError: as :func:`members` and :func:`host_wheels`.
    """
    files = members(options.preset, options.images == "1")
    write(options.output, files | host_wheels())
    say(f"{options.output}: {options.output.stat().st_size / 1e6:,.0f} MB")
