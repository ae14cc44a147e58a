import shutil

import pytest

from tf_claims.images.locks import check_lock, lock_path, parse_lock
from tf_claims.model.errors import InputError
from tf_claims.model.stack import ENVS, environments

HASH = "a" * 64


@pytest.fixture
def envs(tmp_path):
    shutil.copytree(ENVS / "tf1.15-cpu", tmp_path / "tf1.15-cpu")
    return tmp_path


@pytest.mark.parametrize("env", environments())
def test_every_lock_fits_its_input_and_names_no_address(env):
    check_lock(env)
    text = lock_path(env).read_text()
    assert "://" not in text and "index" not in text
    names = {package.name for package in parse_lock(text)}
    # Empty only where the base image brings it all.
    assert {"pip", "setuptools", "wheel", "numpy"} <= names or (not names and env == "tf1.15-gpu-nv")


def test_a_missing_lock(envs):
    lock_path("tf1.15-cpu", envs).unlink()
    with pytest.raises(InputError, match=r"requirements.lock: missing; run `make lock ENV=tf1.15-cpu`"):
        check_lock("tf1.15-cpu", envs)


def test_a_changed_input(envs):
    with (envs / "tf1.15-cpu/requirements.in").open("a") as file:
        file.write("scipy\n")
    with pytest.raises(InputError, match=r"made from another .*requirements.in.*make lock ENV=tf1.15-cpu"):
        check_lock("tf1.15-cpu", envs)


def test_a_lock_edited_by_hand(envs):
    lock = lock_path("tf1.15-cpu", envs)
    lock.write_text(lock.read_text().replace("numpy==1.18.5", "numpy==1.18.4"))
    with pytest.raises(InputError, match=r"edited by hand.*make lock ENV=tf1.15-cpu"):
        check_lock("tf1.15-cpu", envs)


def test_a_foreign_lock(envs):
    lock_path("tf1.15-cpu", envs).write_text(f"numpy==1.18.5 --hash=sha256:{HASH}\n")
    with pytest.raises(InputError, match="does not name what it was made from"):
        check_lock("tf1.15-cpu", envs)


def test_parsing_joins_continued_lines():
    (package,) = parse_lock(f"# head\nkeras[tf]==2.0.1 \\\n    --hash=sha256:{HASH} \\\n    --hash=sha256:{'b' * 64}\n")
    assert (package.name, package.version, package.hashes) == ("keras", "2.0.1", (HASH, "b" * 64))


@pytest.mark.parametrize("line", ["numpy", "numpy==1.0", "-r other.txt", f"numpy>=1 --hash=sha256:{HASH}"])
def test_a_line_without_version_or_hash(line):
    with pytest.raises(InputError, match="expected name==version with --hash"):
        parse_lock(line)
