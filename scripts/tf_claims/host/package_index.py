"""The package index of this host: where pip and uv would look, for the Python of an image instead of the host's."""

from __future__ import annotations

import os
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

NEWEST_GLIBC_MINOR = 36
"""The C library of Debian 12, the oldest base that the project uses."""


@contextmanager
def open_index(python: str) -> Iterator[Any]:
    """unearth's finder of files for a Python of minor version ``python``, with its connection open."""
    # Imported here: a run with everything in the cache does without.
    from unearth import PackageFinder, TargetPython
    from unearth.auth import MultiDomainBasicAuth
    from unearth.fetchers import PyPIClient

    sources = configured_sources(os.environ, _pip_configuration)
    client: Any = PyPIClient(verify=_certificates(os.environ), timeout=60)
    with client:
        finder = PackageFinder(
            session=client,
            index_urls=[sources.default] if sources.default else [],
            target_python=TargetPython(
                py_ver=tuple(int(part) for part in python.split(".")), platforms=platforms(), impl="cp"
            ),
            prefer_binary=[":all:"],
        )
        for address in sources.extra:
            finder.add_index_url(address)
        for link in sources.links:
            finder.add_find_links(link)
        client.auth = MultiDomainBasicAuth(index_urls=[source["url"] for source in finder.sources])
        yield finder


def platforms() -> list[str]:
    """The wheel platforms that run on the base images, best first."""
    manylinux = [f"manylinux_2_{minor}_x86_64" for minor in range(NEWEST_GLIBC_MINOR, 4, -1)]
    for name, minor in (("manylinux2014", 17), ("manylinux2010", 12), ("manylinux1", 5)):
        manylinux.insert(manylinux.index(f"manylinux_2_{minor}_x86_64") + 1, f"{name}_x86_64")
    return [*manylinux, "linux_x86_64"]


@dataclass(frozen=True)
class Sources:
    """Where packages come from; no ``default`` means the public index."""

    default: str | None
    extra: tuple[str, ...] = ()
    links: tuple[str, ...] = ()


def configured_sources(env: Mapping[str, str], pip_configuration: Callable[[], dict[str, str]]) -> Sources:
    """The sources that uv's variables name, or, where they name no index, pip's configuration."""
    default = env.get("UV_DEFAULT_INDEX") or env.get("UV_INDEX_URL")
    extra = (env.get("UV_INDEX") or env.get("UV_EXTRA_INDEX_URL") or "").split()
    links = [link for link in env.get("UV_FIND_LINKS", "").split(",") if link]
    if default or extra or links:
        return Sources(default, tuple(_address(index) for index in extra), tuple(links))
    pip = pip_configuration()
    # pip writes a list one item a line.
    extra, links = (pip.get(name, "").replace("\\n", " ").split() for name in ("extra-index-url", "find-links"))
    return Sources(pip.get("index-url"), tuple(extra), tuple(links))


def _address(index: str) -> str:
    """uv lets an index have a name: ``name=address``."""
    name, equals, address = index.partition("=")
    return address if equals and "/" not in name else index


def _pip_configuration() -> dict[str, str]:
    command = [sys.executable, "-m", "pip", "config", "list"]
    listing = subprocess.run(command, capture_output=True, text=True).stdout
    found: dict[str, str] = {}
    for line in listing.splitlines():
        key, _, value = line.partition("=")
        found[key.split(".")[-1]] = value.strip("'\"")
    return found


def _certificates(env: Mapping[str, str]) -> ssl.SSLContext:
    named = env.get("PIP_CERT") or env.get("SSL_CERT_FILE") or env.get("REQUESTS_CA_BUNDLE")
    return ssl.create_default_context(cafile=named or None)
