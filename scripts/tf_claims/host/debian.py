"""Debian's package tools: the host's release, its mirror, and packages unpacked without being installed."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from tf_claims.host.commands import run, say
from tf_claims.model.errors import InputError

KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


def host_release(os_release: Path = Path("/etc/os-release")) -> str | None:
    """The code name of the host's Debian, e.g. ``bookworm``; ``None`` where the host is no Debian."""
    lines = os_release.read_text().splitlines() if os_release.exists() else []
    fields = dict(line.split("=", 1) for line in lines if "=" in line)
    if fields.get("ID", "").strip('"') != "debian":
        return None
    return fields.get("VERSION_CODENAME", "").strip('"') or None


def mirror() -> str:
    """The address of the Debian mirror that the host itself uses.

    :raises InputError: where the host's apt names none.
    """
    release = host_release()
    if release and shutil.which("apt-get"):
        listing = run(["apt-get", "update", "--print-uris"], "finding the Debian mirror")
        if address := parse_mirror(listing, release):
            return address
    raise InputError("no Debian mirror: this host's apt names none for its release")


def parse_mirror(listing: str, release: str) -> str | None:
    """The address in apt's list of what it would fetch; other suites and other publishers do not count."""
    match = re.search(rf"^'(\S+)/dists/(?:{re.escape(release)}|stable)/InRelease'", listing, re.MULTILINE)
    return match[1] if match else None


def unpack(packages: Sequence[str], suite: str, into: Path, work: Path) -> dict[str, str]:
    """Fetch packages of one suite (apt checks their signatures) and unpack them under ``into``; needs no root.

    :param work: an empty folder for apt's lists and the downloads.
    :returns: the version of each package.
    :raises InputError: where apt is missing or the mirror does not answer.
    """
    for program in ("apt-get", "dpkg-deb"):
        if not shutil.which(program):
            raise InputError(f"{program} is missing: packages can be fetched from Debian's mirror on Debian only")
    env = {"APT_CONFIG": str(_configuration(suite, work)), "LC_ALL": "C"}
    run(["apt-get", "update"], f"reading Debian's list of {suite}", env=env)
    run(["apt-get", "download", *packages], f"downloading from Debian {suite}", env=env, cwd=work / "debs")
    versions = {}
    for deb in sorted((work / "debs").glob("*.deb")):
        run(["dpkg-deb", "-x", deb, into], f"unpacking {deb.name}")
        name, version, _ = deb.stem.split("_")
        versions[name] = version.replace("%3a", ":")
    return versions


def _configuration(suite: str, work: Path) -> Path:
    for folder in ("lists/partial", "cache/archives/partial", "debs"):
        (work / folder).mkdir(parents=True)
    sources = work / "suite.sources"
    sources.write_text(f"Types: deb\nURIs: {mirror()}\nSuites: {suite}\nComponents: main\nSigned-By: {KEYRING}\n")
    configuration = work / "apt.conf"
    configuration.write_text(
        f'Dir::Etc::sourcelist "{sources}";\nDir::Etc::sourceparts "-";\n'
        f'Dir::State::lists "{work}/lists";\nDir::Cache "{work}/cache";\n'
        'Acquire::Languages "none";\nAPT::Sandbox::User "";\n'
    )
    return configuration


def install(program: str, package: str) -> bool:
    """Install a Debian package for ``program`` where this process may; returns whether the program is there then."""
    if shutil.which(program):
        return True
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    say(f"installing Debian's {package}")
    env = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}
    run(["apt-get", "update"], "reading Debian's package lists", env=env)
    run(["apt-get", "install", "--yes", "--no-install-recommends", package], f"installing {package}", env=env)
    return shutil.which(program) is not None
