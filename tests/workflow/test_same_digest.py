"""Two builds of one lock on one base give one OCI digest; shown with the smallest lock that uses every step."""

import json
import os
import tarfile

import pytest

from tf_claims.host.cache import scratch
from tf_claims.images import build as images
from tf_claims.images.bases import find_base
from tf_claims.images.builder import find_builder, layout_digest
from tf_claims.images.locks import lock_path, parse_lock
from tf_claims.images.wheels import fetch_wheels
from tf_claims.model.errors import InputError
from tf_claims.model.stack import read_stack

pytestmark = pytest.mark.container

ENV = "tf1.15-cpu"
# gast comes as a source distribution: its wheel is built on the way.
NAMES = ("pip", "setuptools", "wheel", "gast")


def _build(work, text, wheels):
    stack = read_stack(ENV)
    builder = find_builder(work / "storage")
    base = find_base(ENV, stack.base, stack.python, builder)
    lock = work / "lock"
    lock.write_text(text)
    images._fill_context(work / "context", base.tar, {"environment": "tiny"}, lock, [wheel.path for wheel in wheels])
    for file in (work / "context").rglob("*"):
        if file.stat().st_nlink == 1:
            os.utime(file)
    builder.build(images.DOCKERFILE, work / "context", {"BASE": base.name}, work / "oci", "tf-claims-tiny:1")
    builder.clear()
    return layout_digest(work / "oci")


def _lock(packages):
    return "".join(
        f"{package.name}=={package.version} " + " ".join(f"--hash=sha256:{sha256}" for sha256 in package.hashes) + "\n"
        for package in packages
    )


@pytest.fixture(scope="module")
def packages():
    return [package for package in parse_lock(lock_path(ENV).read_text()) if package.name in NAMES]


def test_two_builds_give_one_digest(packages):
    wheels = fetch_wheels(ENV, "3.7", packages)
    digests = []
    for _ in range(2):
        with scratch("test") as work:
            digests.append(_build(work, _lock(packages), wheels))
            manifest = json.loads((work / "oci/blobs/sha256" / digests[0].removeprefix("sha256:")).read_text())
            layers = [layer["digest"].removeprefix("sha256:") for layer in manifest["layers"]]
            with tarfile.open(work / "oci/blobs/sha256" / layers[-1]) as layer:
                members = {member.name: member.mtime for member in layer}
            assert {"etc/tf-claims.json", "usr/local/lib/python3.7/site-packages/gast/__init__.py"} < set(members)
            assert not [name for name in members if "__pycache__" in name or name.startswith("tmp/")]
            assert set(members.values()) == {0}
    assert digests[0] == digests[1]


def test_a_file_that_the_lock_does_not_name_stops_the_build(packages):
    wheels = fetch_wheels(ENV, "3.7", packages)
    text = _lock(packages).replace(packages[0].hashes[0], "0" * 64)
    with pytest.raises(InputError, match=r"THESE PACKAGES DO NOT MATCH THE HASHES"), scratch("test") as work:
        _build(work, text, wheels)
