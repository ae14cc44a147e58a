import pytest
from tests.support.registry import Image, serving

from tf_claims.host.cache import remove_tree
from tf_claims.images.bases import REGISTRY, find_base
from tf_claims.images.builder import find_builder, layout_digest
from tf_claims.model.errors import InputError
from tf_claims.model.stack import Base

pytestmark = pytest.mark.container

TAG = "example/base:1.0"


@pytest.fixture
def builder(tmp_path, monkeypatch):
    monkeypatch.setenv("TF_CLAIMS_CACHE", str(tmp_path / "cache"))
    found = find_builder(tmp_path / "storage")
    yield found
    found.clear()
    remove_tree(tmp_path / "storage")


def test_a_base_is_pulled_by_digest_and_built_on(builder, tmp_path, monkeypatch):
    image = Image("hello")
    with serving(image) as address:
        monkeypatch.setenv(REGISTRY, address)
        base = find_base("env", Base(image=TAG, digest=image.digest), "3.7", builder)
    assert (base.kind, base.digest, base.tar) == ("registry", image.digest, None)
    dockerfile = tmp_path / "context" / "Dockerfile"
    dockerfile.parent.mkdir()
    dockerfile.write_text("ARG BASE\nFROM ${BASE}\nCOPY Dockerfile /copied\n")
    digests = []
    for name in ("one", "two"):
        builder.build(dockerfile, dockerfile.parent, {"BASE": base.name}, tmp_path / name, f"test-{name}:1")
        digests.append(layout_digest(tmp_path / name))
    assert digests[0] == digests[1]


def test_a_registry_that_gives_another_image_for_a_digest_is_not_believed(builder, monkeypatch):
    image, other = Image("hello"), Image("evil")
    other.digest = image.digest
    with serving(other) as address:
        monkeypatch.setenv(REGISTRY, address)
        with pytest.raises(
            InputError, match=r"no base image(.|\n)*pulling .*example/base@sha256(.|\n)*cannot be made here"
        ):
            find_base("env", Base(image=TAG, digest=image.digest), "3.7", builder)


def test_a_tag_without_a_digest_is_held_to_its_first_image(builder, monkeypatch, capsys):
    with serving(Image("hello")) as address:
        monkeypatch.setenv(REGISTRY, address)
        base = find_base("env", Base(image=TAG), "3.7", builder)
        assert f"{TAG} is {base.digest}; held to it" in capsys.readouterr().out
        assert find_base("env", Base(image=TAG), "3.7", builder).digest == base.digest
    with serving(Image("changed")) as address:
        monkeypatch.setenv(REGISTRY, address)
        with pytest.raises(InputError, match=f"now gives sha256:.*at the first pull it gave {base.digest}"):
            find_base("env", Base(image=TAG), "3.7", builder)
