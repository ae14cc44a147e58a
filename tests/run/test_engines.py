import stat

import pytest

from tf_claims.host.cache import DiskFull
from tf_claims.model.errors import InputError
from tf_claims.run.engines import choose_engine


@pytest.fixture
def apptainer(tmp_path, monkeypatch):
    """Stands in for Apptainer; a call of it is one line of the file ``calls``."""
    monkeypatch.setenv("TF_CLAIMS_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")

    def install(body):
        file = folder / "apptainer"
        file.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\n{body}\n')
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
        return tmp_path / "calls"

    return install


FAILING = 'case "$*" in *exec*) echo "FATAL: no user namespaces" >&2; exit 255;; esac'


def test_venv_needs_no_probe(apptainer):
    calls = apptainer("exit 1")
    assert choose_engine("venv").name == "venv"
    assert not calls.exists()


def test_a_container_that_starts_is_remembered(apptainer):
    calls = apptainer("exit 0")
    for _ in range(3):
        engine = choose_engine("container")
        assert engine.name == "container" and engine.path == (str(calls.parent / "bin"),)
    build, start = calls.read_text().splitlines()
    assert " build " in f" {build} "
    assert "exec --cleanenv --containall --no-home --no-privs --net --network none" in start


def test_another_apptainer_is_tried_anew(apptainer):
    calls = apptainer("exit 0")
    choose_engine("container")
    apptainer("exit 0  # another")
    choose_engine("container")
    assert len(calls.read_text().splitlines()) == 4


def test_nothing_stands_in_for_a_container_that_cannot_start(apptainer):
    apptainer(FAILING)
    with pytest.raises(InputError, match=r"no container can start(.|\n)*ENGINE=venv(.|\n)*FATAL: no user namespaces"):
        choose_engine("container")


def test_an_unknown_engine():
    with pytest.raises(InputError, match="engine 'docker' is unknown; known: container, venv"):
        choose_engine("docker")


def test_a_full_disk_is_no_reason_for_another_engine(apptainer):
    apptainer("echo 'write: no space left on device' >&2; exit 1")
    with pytest.raises(DiskFull, match="the disk is full"):
        choose_engine("container")
