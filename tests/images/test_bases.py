from pathlib import Path

import pytest

from tf_claims.images import bases, host_base
from tf_claims.images.bases import find_base, registry_reference
from tf_claims.images.builder import Builder
from tf_claims.model.errors import InputError
from tf_claims.model.stack import Base as WantedBase

DIGEST = "sha256:" + "0" * 64
PYTHON = WantedBase(image="python:3.7-slim-bookworm", digest=DIGEST)
CUDA = WantedBase(image="nvidia/cuda:10.0-runtime")


@pytest.fixture
def builder(tmp_path, monkeypatch):
    """One that no registry answers."""
    monkeypatch.setenv("TF_CLAIMS_CACHE", str(tmp_path))

    def refuse(self, reference):
        raise InputError(f"pulling {reference}: no such host")

    monkeypatch.setattr(Builder, "pull", refuse)
    return Builder("buildah", "1", tmp_path)


@pytest.mark.parametrize(
    ("base", "registry", "reference"),
    [
        (PYTHON, "", f"python@{DIGEST}"),
        (CUDA, "", "nvidia/cuda:10.0-runtime"),
        (PYTHON, "localhost:5000", f"localhost:5000/library/python@{DIGEST}"),
        (CUDA, "localhost:5000", "localhost:5000/nvidia/cuda:10.0-runtime"),
        (WantedBase(image="a.test/nvidia/tf:1"), "localhost:5000", "localhost:5000/nvidia/tf:1"),
    ],
)
def test_what_is_pulled(base, registry, reference):
    assert registry_reference(base, registry) == reference


def test_without_a_registry_the_host_makes_the_base(builder, monkeypatch):
    made = host_base.HostBase(Path("base.tar"), DIGEST, "3.7.9", "bookworm")
    monkeypatch.setattr(host_base, "make", lambda python: made)
    base = find_base("env", PYTHON, "3.7", builder)
    assert (base.kind, base.name, base.digest, base.tar) == ("host", "host", DIGEST, Path("base.tar"))
    assert base.reference == "Debian bookworm with CPython 3.7.9 of the host"


def test_where_nothing_works_one_message_says_what_was_tried(builder, monkeypatch):
    def fail(python):
        raise InputError(f"no CPython {python}")

    monkeypatch.setattr(host_base, "make", fail)
    with pytest.raises(InputError) as raised:
        find_base("tf1.15-cpu", PYTHON, "3.7", builder)
    assert str(raised.value) == (
        "tf1.15-cpu: no base image. Tried\n"
        f"  python:3.7-slim-bookworm from its registry: pulling python@{DIGEST}: no such host\n"
        "  Debian packages and a CPython of this host: no CPython 3.7"
    )


def test_a_cuda_base_is_not_made_here(builder):
    with pytest.raises(InputError, match="this base is more than Debian and Python"):
        find_base("tf1.15-gpu", CUDA, "3.7", builder)


def test_cuda_libraries_come_beside_a_python_base(builder, monkeypatch, tmp_path):
    built = []
    monkeypatch.setattr(Builder, "pull", lambda self, reference: ("cuda-id", DIGEST))
    monkeypatch.setattr(Builder, "build_local", lambda self, *arguments: built.append(arguments))
    python = bases.Base("registry", "python:3.7", "sha256:1", "python-id")
    base, cuda = bases.add_cuda_libraries("tf1.15-gpu", python, CUDA, builder, tmp_path)
    ((dockerfile, context, args, tag),) = built
    assert (dockerfile.name, context) == ("cuda-libraries.Dockerfile", tmp_path)
    assert args == {"BASE": "python-id", "CUDA": "cuda-id"}
    assert (base.name, base.digest, cuda.digest) == (tag, "sha256:1", DIGEST)


def test_cuda_libraries_that_cannot_be_pulled_are_named(builder, tmp_path):
    base = bases.Base("registry", "python:3.7", "sha256:1", "python-id")
    with pytest.raises(InputError, match=r"^tf1.15-gpu: its CUDA libraries come from nvidia/cuda:10.0-runtime only"):
        bases.add_cuda_libraries("tf1.15-gpu", base, CUDA, builder, tmp_path)


def test_a_tag_that_names_another_image_later_is_refused(builder, monkeypatch):
    answers = iter([("id", DIGEST), ("id", DIGEST), ("id", "sha256:" + "1" * 64)])
    monkeypatch.setattr(Builder, "pull", lambda self, reference: next(answers))
    assert bases.find_base("env", CUDA, "3.7", builder).digest == DIGEST
    assert bases.find_base("env", CUDA, "3.7", builder).digest == DIGEST
    with pytest.raises(InputError, match=f"now gives sha256:1+, at the first pull it gave {DIGEST}"):
        bases.find_base("env", CUDA, "3.7", builder)
