import json
import stat
from pathlib import Path

import pytest

from tf_claims.host import debian
from tf_claims.images.builder import Builder, find_builder, layout_digest
from tf_claims.model.errors import InputError

ARGS = (Path("docker/Dockerfile"), Path("context"), {"BASE": "host"}, Path("oci"), "tf-claims-x:1")
STORAGE = ["--root", "s/root", "--runroot", "s/run"]


def _program(folder: Path, name: str, body: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(debian, "install", lambda program, package: False)
    return tmp_path


def test_no_builder_names_each_way_and_the_fix(path):
    with pytest.raises(InputError) as raised:
        find_builder(path)
    for word in (
        "buildah: the program buildah is missing",
        "podman",
        "docker",
        "apt-get install buildah",
        "ENGINE=venv",
    ):
        assert word in str(raised.value)


def test_a_docker_client_without_an_engine_does_not_count(path):
    _program(path, "docker", "echo 'Cannot connect to the Docker daemon' >&2; exit 1")
    with pytest.raises(InputError, match="docker: docker failed"):
        find_builder(path)
    _program(path, "podman", "echo 4.3.1")
    assert find_builder(path) == Builder("podman", "4.3.1", path)


def test_docker_must_be_able_to_write_oci_images(path):
    _program(
        path,
        "docker",
        'if [ "$1" = info ]; then echo "27.1 [[Backing Filesystem extfs]]"; else echo "Driver: docker"; fi',
    )
    with pytest.raises(InputError, match="writes no OCI images; turn on its containerd image store"):
        find_builder(path)
    _program(path, "docker", 'echo "29.0 [[driver-type io.containerd.snapshotter.v1]]"')
    assert find_builder(path) == Builder("docker", "29.0", path)


def test_buildah_is_used_first(path):
    _program(path, "docker", 'echo "29.0 [[driver-type io.containerd.snapshotter.v1]]"')
    _program(path, "buildah", "echo buildah version 1.28.2 '(image-spec 1.0)'")
    assert find_builder(path) == Builder("buildah", "1.28.2", path)


@pytest.mark.parametrize(("kind", "target"), [("buildah", "oci:oci"), ("podman", "tf-claims-x:1")])
def test_buildah_and_podman_build_without_times_and_identity(kind, target):
    words = [str(word) for word in Builder(kind, "1", Path("s")).build_commands(*ARGS)[0]]
    assert words[:5] == [kind, *STORAGE]
    for option, value in (("--isolation", "chroot"), ("--timestamp", "0"), ("--build-arg", "BASE=host")):
        assert words[words.index(option) + 1] == value
    assert "--identity-label=false" in words
    assert words[-5:] == ["--file", "docker/Dockerfile", "--tag", target, "context"]


def test_podman_pushes_into_the_layout():
    _, push = Builder("podman", "1", Path("s")).build_commands(*ARGS)
    assert [str(word) for word in push[-2:]] == ["tf-claims-x:1", "oci:oci"]


def test_docker_builds_with_rewritten_times():
    (build,) = Builder("docker", "1", Path("s")).build_commands(*ARGS)
    words = [str(word) for word in build]
    assert words[:3] == ["docker", "buildx", "build"]
    assert "type=oci,dest=oci,tar=false,rewrite-timestamp=true,compression=uncompressed" in words
    assert "SOURCE_DATE_EPOCH=0" in words and "--provenance=false" in words


def test_only_a_registry_on_this_host_is_asked_without_tls():
    builder = Builder("buildah", "1", Path("s"))
    assert "--tls-verify=true" in builder.pull_commands("python:3.7")[0]
    assert "--tls-verify=false" in builder.pull_commands("localhost:5000/python:3.7")[0]


def test_the_digest_is_read_from_the_index(tmp_path):
    (tmp_path / "index.json").write_text(json.dumps({"manifests": [{"digest": "sha256:12ab"}]}))
    assert layout_digest(tmp_path) == "sha256:12ab"
