"""A base from Debian packages and a CPython of the host, in the layout of the official Python images.

Only a host of the same Debian release can give its CPython: one compiled against a newer C library does not start.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tf_claims.host import debian
from tf_claims.host.cache import cache_root, file_sha256, place, require_space, scratch
from tf_claims.host.commands import run, say
from tf_claims.host.cpython import cpython_version, find_cpython
from tf_claims.model.errors import InputError

LEFT_OUT = re.compile(
    r"(^|/)(__pycache__|tests?|idlelib|tkinter|turtledemo|turtle\.py|site-packages|config-3[^/]*|_tkinter[^/]*|[^/]*\.a)(/|$)"
)
"""What the official images leave out as well, and the host's own installed packages."""
UNSTABLE = re.compile(r"^\./(dev|var/cache/apt|var/lib/apt|var/log)/.")
"""Of Debian's files: device nodes, which only a full root may make, and traces of when and by whom it was made."""
HOSTS_OWN = ("./etc/hostname", "./etc/resolv.conf")
"""Name and resolver of the machine that makes the base: left empty."""
SLIM = ("/usr/share/man/*", "/usr/share/doc/*", "/usr/share/locale/*", "/usr/share/info/*")
ALWAYS = ("ca-certificates", "libstdc++6", "netbase", "tzdata")
"""What the official slim images have beside the libraries of Python itself; TensorFlow loads libstdc++."""
SPACE = 800_000_000


@dataclass(frozen=True)
class HostBase:
    """A root file system in the cache, its sha256 as ``digest``, and the versions in it."""

    tar: Path
    digest: str
    python: str
    debian: str


def make(python: str) -> HostBase:
    """The base with a host CPython of minor version ``python``, e.g. ``3.7``; made once, then from the cache.

    :raises InputError: where the host is no Debian, has no such CPython, or mmdebstrap is missing.
    """
    release = debian.host_release()
    if release is None:
        raise InputError("this host is not Debian")
    # Debian's own interpreter is spread over /usr and cannot be copied as one tree.
    prefix = find_cpython(python, besides=Path("/usr"))
    version = cpython_version(prefix, python)
    packages = sorted({*ALWAYS, *_library_packages(prefix, python)})
    parts = (release, version, prefix, packages, SLIM, HOSTS_OWN, UNSTABLE.pattern, LEFT_OUT.pattern)
    key = hashlib.sha256(repr(parts).encode()).hexdigest()[:12]
    final = cache_root() / "bases" / f"{release}-python{version}.{key}.tar"
    if not final.exists():
        if not debian.install("mmdebstrap", "mmdebstrap"):
            raise InputError("mmdebstrap is missing: install it as root with `apt-get install mmdebstrap`")
        require_space(cache_root(), SPACE, "a base image")
        say(f"making a base from Debian {release} and CPython {version} of this host (about half a minute)")
        with scratch("base") as work:
            debian_root, tar = work / "debian.tar", work / "base.tar"
            _make_debian_root(release, packages, debian_root)
            _join(debian_root, prefix, python, tar)
            place(tar, final)
    return HostBase(final, f"sha256:{file_sha256(final)}", version, release)


def _library_packages(prefix: Path, python: str) -> set[str]:
    """The Debian packages that bring the shared libraries which this CPython loads."""
    objects = [prefix / f"bin/python{python}", *(prefix / f"lib/python{python}/lib-dynload").glob("*.so")]
    kept = [path for path in objects if not LEFT_OUT.search(path.name)]
    listing = run(["ldd", *kept], "listing the libraries of CPython")
    paths = set(re.findall(r"=> (/(?:usr/)?lib/\S+)", listing))
    packages = set()
    for path in paths:
        # Debian's lists may still name /lib for what lies in /usr/lib.
        for name in (path, path.removeprefix("/usr"), f"/usr{path}"):
            owner = subprocess.run(["dpkg-query", "--search", name], capture_output=True, text=True)
            if owner.returncode == 0:
                packages.add(owner.stdout.split(":")[0])
                break
    return packages


def _make_debian_root(release: str, packages: list[str], tar: Path) -> None:
    options = ("force-unsafe-io", *(f"path-exclude={pattern}" for pattern in SLIM))
    run(
        [
            *("mmdebstrap", "--quiet", "--variant=essential", f"--include={','.join(packages)}"),
            *(f"--dpkgopt={option}" for option in options),
            *(release, tar, debian.mirror()),
        ],
        f"making a root file system of Debian {release}",
        env={"SOURCE_DATE_EPOCH": "0", "LC_ALL": "C", "TMPDIR": str(tar.parent)},
    )


def _join(debian_root: Path, prefix: Path, python: str, tar: Path) -> None:
    """Debian's files and the interpreter under /usr/local in one archive: in a fixed order, without times."""
    with tarfile.open(debian_root) as source, tarfile.open(tar, "w", format=tarfile.PAX_FORMAT) as archive:
        for member in source:
            if member.name in HOSTS_OWN:
                member.type, member.size = tarfile.REGTYPE, 0
                archive.addfile(member)
            elif not UNSTABLE.match(member.name):
                archive.addfile(member, source.extractfile(member) if member.isreg() else None)
        for path in _cpython_files(prefix, python):
            archive.add(path, f"usr/local/{path.relative_to(prefix)}", recursive=False, filter=_plain)
        for name in ("python3", "python"):
            link = tarfile.TarInfo(f"usr/local/bin/{name}")
            link.type, link.linkname = tarfile.SYMTYPE, f"python{python}"
            archive.addfile(link)
        folder = tarfile.TarInfo(f"usr/local/lib/python{python}/site-packages")
        folder.type, folder.mode = tarfile.DIRTYPE, 0o755
        archive.addfile(folder)


def _cpython_files(prefix: Path, python: str) -> Iterator[Path]:
    yield prefix / f"bin/python{python}"
    yield from sorted(prefix.glob(f"lib/libpython{python}*.so*"))
    for path in sorted((prefix / f"lib/python{python}").rglob("*")):
        if not LEFT_OUT.search(str(path.relative_to(prefix))):
            yield path
    # numpy and other packages look for the headers' folder; it is small.
    yield from sorted(path for path in prefix.glob(f"include/python{python}*/**/*") if path.is_file())


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = "root"
    member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
    return member
