import json
import shutil

import pytest

from tf_claims.host.cache import file_sha256
from tf_claims.images.build import link_into_results, verify_image
from tf_claims.images.key import DOCKERFILE, image_key
from tf_claims.model.errors import InputError
from tf_claims.model.stack import ENVS, environments

ENV = "tf1.15-cpu"


@pytest.fixture
def envs(tmp_path):
    shutil.copytree(ENVS / ENV, tmp_path / ENV)
    shutil.copy(DOCKERFILE, tmp_path / "Dockerfile")
    return tmp_path


def _key(envs):
    return image_key(ENV, envs, envs / "Dockerfile")


def test_every_environment_has_its_own_key():
    keys = {image_key(env) for env in environments()}
    assert len(keys) == len(environments())
    assert all(len(key) == 12 and int(key, 16) >= 0 for key in keys)


@pytest.mark.parametrize(
    ("file", "old", "new", "changes"),
    [
        ("Dockerfile", "scratch", "Scratch", True),
        (f"{ENV}/requirements.lock", "numpy", "numbly", True),
        (f"{ENV}/stack.yaml", 'python: "3.7"', 'python: "3.8"', True),
        (f"{ENV}/stack.yaml", "b53f496c", "b53f496d", True),
        (f"{ENV}/stack.yaml", "notes: The", "notes: Not the", False),
        (f"{ENV}/stack.yaml", "era: October", "era: November", False),
    ],
)
def test_the_key_changes_with_what_goes_into_the_image(envs, file, old, new, changes):
    before = _key(envs)
    text = (envs / file).read_text()
    assert old in text
    (envs / file).write_text(text.replace(old, new))
    assert (_key(envs) != before) == changes


def test_a_base_over_several_lines_counts_as_a_whole(envs):
    stack = envs / ENV / "stack.yaml"
    stack.write_text('python: "3.7"\nbase:\n  image: python:3.7\n  digest: one\nnotes: x\n')
    before = _key(envs)
    stack.write_text('python: "3.7"\nbase:\n  image: python:3.7\n  digest: two\nnotes: x\n')
    assert _key(envs) != before


def test_a_missing_lock_is_named(envs):
    (envs / ENV / "requirements.lock").unlink()
    with pytest.raises(InputError, match=r"requirements.lock: no such file"):
        _key(envs)


@pytest.fixture
def image(tmp_path):
    """An image in a cache, linked into results; returns its record there."""
    folder = tmp_path / "cache" / "x"
    folder.mkdir(parents=True)
    (folder / "image.sif").write_bytes(b"content")
    (folder / "record.json").write_text(json.dumps({"sif_sha256": file_sha256(folder / "image.sif")}))
    record = tmp_path / "results" / "x.0123.json"
    link_into_results(folder / "image.sif", tmp_path / "results" / "x.0123.sif", folder / "record.json", record)
    return record


def test_an_image_as_recorded_passes_and_is_a_link(image):
    verify_image(image)
    assert image.with_suffix(".sif").is_symlink()


def test_linking_again_is_fine(image):
    cached = image.with_suffix(".sif").resolve()
    link_into_results(cached, image.with_suffix(".sif"), cached.with_name("record.json"), image)
    verify_image(image)


def test_a_changed_image_says_what_to_delete(image):
    cached = image.with_suffix(".sif").resolve()
    cached.write_bytes(b"changed")
    with pytest.raises(InputError) as raised:
        verify_image(image)
    assert "changed after it was built" in str(raised.value)
    assert f"delete {cached.parent} and {image} and run again" in str(raised.value)


def test_a_missing_image_says_what_to_do(image):
    image.with_suffix(".sif").resolve().unlink()
    with pytest.raises(InputError, match=r"x\.0123\.sif: the image is missing; delete .*x\.0123\.json and run again"):
        verify_image(image)
