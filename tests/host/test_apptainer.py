import pytest

from tf_claims.host import apptainer, debian
from tf_claims.host.apptainer import apptainer_bin_dir, apptainer_env
from tf_claims.model.errors import InputError


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TF_CLAIMS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path / "cache"


def _program(folder):
    folder.mkdir(parents=True)
    (folder / "apptainer").write_text("#!/bin/sh\n")
    (folder / "apptainer").chmod(0o755)
    return folder


def test_an_installed_one_is_used_as_it_is(tmp_path, cache):
    _program(cache / "apptainer/current/usr/bin")
    installed = _program(tmp_path / "bin")
    assert apptainer_bin_dir() == installed


def test_the_private_one_is_found_and_stands_first_in_path(cache):
    private = _program(cache / "apptainer/current/usr/bin")
    assert apptainer_bin_dir() == private
    assert apptainer_env()["PATH"].startswith(f"{private}:")


def test_where_none_can_be_had_the_message_says_why_and_what_to_do(monkeypatch, cache):
    def fail(*_):
        raise InputError("apt-get is missing")

    monkeypatch.setattr(debian, "unpack", fail)
    with pytest.raises(InputError, match=r"could not be made: apt-get is missing\nInstall Apptainer(.|\n)*ENGINE=venv"):
        apptainer_bin_dir()
    assert list((cache / "tmp").iterdir()) == []


def test_the_layout_that_apptainer_expects(monkeypatch, tmp_path):
    made = tmp_path / "made"
    (made / "usr/lib").mkdir(parents=True)
    (made / "etc/apptainer").mkdir(parents=True)
    configuration = made / "etc/apptainer/apptainer.conf"
    configuration.write_text("mount proc = yes\nroot default capabilities = full\n")
    pointed = []
    monkeypatch.setattr(apptainer, "_point_at_libraries", lambda program, final: pointed.append((program, final)))
    apptainer._arrange(made, tmp_path / "final")
    assert configuration.read_text() == "mount proc = yes\nroot default capabilities = no\n"
    assert (made / "usr/etc").resolve() == made / "etc"
    assert (made / "usr/lib/var/lib/apptainer/mnt/session").is_dir()
    assert pointed[0] == (made / "usr/bin/apptainer", tmp_path / "final")


def test_a_private_one_that_was_moved_is_pointed_at_its_new_place_once(monkeypatch, cache):
    private = _program(cache / "apptainer/1.4/usr/bin")
    (cache / "apptainer/current").symlink_to("1.4")
    configuration = cache / "apptainer/1.4/usr/lib/etc/apptainer"
    configuration.parent.mkdir(parents=True)
    configuration.symlink_to("../../../etc/apptainer")
    pointed = []
    monkeypatch.setattr(apptainer, "_point_at_libraries", lambda program, final: pointed.append(program))
    assert apptainer_bin_dir().resolve() == apptainer_bin_dir().resolve() == private
    assert configuration.readlink() == cache / "apptainer/1.4/etc/apptainer"
    assert pointed == [cache / "apptainer/1.4" / program for program in apptainer.PROGRAMS]
