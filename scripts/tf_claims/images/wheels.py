"""The files that a lock names, fetched into the cache by their sha256; no code of theirs runs on the host."""

from __future__ import annotations

import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tf_claims.host.cache import cache_root, file_sha256, place, remove_tree, require_space, scratch
from tf_claims.host.commands import say
from tf_claims.host.package_index import open_index
from tf_claims.images.locks import Locked
from tf_claims.model.errors import InputError

AT_ONCE = 4
CHUNK = 1 << 20


@dataclass(frozen=True)
class Wheel:
    """One file of a lock in the cache; ``path.name`` is the file's own name."""

    package: Locked
    path: Path


def fetch_wheels(env: str, python: str, packages: list[Locked]) -> list[Wheel]:
    """The file of each package that fits the environment's Python, from the cache or the package index.

    :raises InputError: where a package has no fitting file, a file has the wrong sha256, or the index is not reached.
    """
    held = {package.name: path for package in packages if (path := _in_cache(package, python))}
    missing = [package for package in packages if package.name not in held]
    if missing:
        with open_index(python) as finder:
            held |= _download(env, python, missing, finder)
    return [Wheel(package, held[package.name]) for package in packages]


def cached_size(package: Locked, python: str) -> int | None:
    """The bytes of a package's file in the cache, unread; None where it is to be fetched."""
    folders = [folder for sha256 in package.hashes if ((folder := _store() / sha256) / f".python{python}").exists()]
    return max((file.stat().st_size for file in folders[0].iterdir()), default=None) if folders else None


def _store() -> Path:
    return cache_root() / "wheels"


def _in_cache(package: Locked, python: str) -> Path | None:
    """A lock names the files for every Python; which of them fits this one was noted when it was fetched."""
    for sha256 in package.hashes:
        folder = _store() / sha256
        if (folder / f".python{python}").exists():
            file = next(path for path in folder.iterdir() if not path.name.startswith("."))
            if file_sha256(file) == sha256:
                return file
            say(f"{file}: changed since it was downloaded; fetching it again")
            remove_tree(folder)
    return None


def _download(env: str, python: str, packages: list[Locked], finder: Any) -> dict[str, Path]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        links = list(pool.map(lambda package: _find(finder, package), packages))
        sizes = list(pool.map(lambda link: _size(finder, link), links))
        total = sum(sizes)
        require_space(cache_root(), total, f"the packages of {env}")
        say(f"{env}: downloading {len(packages)} packages ({total / 1e6:,.0f} MB)")
        progress = _Progress(env, total)
        with scratch("wheels") as folder:
            jobs = [
                pool.submit(_fetch, finder, package, python, link, folder, progress)
                for package, link in zip(packages, links, strict=True)
            ]
            return {package.name: job.result() for package, job in zip(packages, jobs, strict=True)}


def _find(finder: Any, package: Locked) -> Any:
    requirement = f"{package.name}=={package.version}"
    try:
        best = finder.find_best_match(requirement, hashes={"sha256": list(package.hashes)}).best
    except Exception as error:  # whatever the network library raises
        raise InputError(f"{requirement}: the package index was not reached: {error}") from None
    if best is None:
        raise InputError(
            f"{requirement}: the package index has no file for this Python with a hash that the lock names"
        )
    return best.link


def _size(finder: Any, link: Any) -> int:
    if link.is_file:
        return int(link.file_path.stat().st_size)
    return int(finder.session.head(link.normalized, follow_redirects=True).headers.get("Content-Length", 0))


def _fetch(finder: Any, package: Locked, python: str, link: Any, folder: Path, progress: _Progress) -> Path:
    """Download one file; its sha256 is checked against the lock, whatever the index says."""
    made = folder / package.name
    made.mkdir()
    digest = hashlib.sha256()
    try:
        with (
            (made / link.filename).open("wb") as file,
            finder.session.stream("GET", link.normalized, follow_redirects=True) as response,
        ):
            response.raise_for_status()
            for chunk in response.iter_bytes(CHUNK):
                file.write(chunk)
                digest.update(chunk)
                progress.add(len(chunk))
    except OSError:
        raise  # a full disk is told by the cache
    except Exception as error:  # whatever the network library raises
        raise InputError(f"{link.filename}: the download broke off: {error}; run again to go on") from None
    final = _store() / check_hash(package, link.filename, digest.hexdigest())
    (made / f".python{python}").touch()
    if final.exists():
        (final / f".python{python}").touch()
    else:
        place(made, final)
    return final / str(link.filename)


def check_hash(package: Locked, filename: str, sha256: str) -> str:
    """``sha256``, when the lock names it for this package.

    :raises InputError: when it does not.
    """
    if sha256 not in package.hashes:
        raise InputError(
            f"{filename}: its sha256 is {sha256}, which the lock does not name for {package.name}=={package.version}; "
            "the index or the connection is not to be trusted"
        )
    return sha256


class _Progress:
    """Says at every fifth of the whole how far the downloads are."""

    def __init__(self, env: str, total: int) -> None:
        self.env, self.total, self.done, self.lock = env, total, 0, threading.Lock()

    def add(self, amount: int) -> None:
        with self.lock:
            before, self.done = self.done, self.done + amount
            if self.total > 50e6 and before * 5 // self.total != self.done * 5 // self.total:
                say(f"{self.env}: {self.done / 1e6:,.0f} of {self.total / 1e6:,.0f} MB downloaded")
