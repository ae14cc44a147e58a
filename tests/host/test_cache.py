import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tf_claims.host.cache import cache_root, clear_when_full, place, remove_tree, require_space, scratch
from tf_claims.model.errors import InputError


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TF_CLAIMS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_root_follows_the_variables_in_order(monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    monkeypatch.setenv("TF_CLAIMS_CACHE", "/own")
    assert cache_root() == Path("/own")
    monkeypatch.delenv("TF_CLAIMS_CACHE")
    assert cache_root() == Path("/somewhere/tf-claims")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_root() == Path.home() / ".cache/tf-claims"


def test_scratch_vanishes_after_success_and_failure(cache):
    with scratch("work") as folder:
        (folder / "file").touch()
    with pytest.raises(ZeroDivisionError), scratch("work"):
        _ = 1 / 0
    assert list((cache / "tmp").iterdir()) == []


def test_what_a_killed_process_left_goes_and_what_is_in_use_stays(cache):
    script = """if True:
        import os
        from tf_claims.host.cache import scratch
        held = scratch("dead")
        held.__enter__()
        os.kill(os.getpid(), 9)
    """
    env = {**os.environ, "PYTHONPATH": "scripts"}
    assert subprocess.run([sys.executable, "-c", script], env=env).returncode == -9
    assert len(list((cache / "tmp").iterdir())) == 1
    with scratch("first") as first, scratch("second") as second:
        assert sorted((cache / "tmp").iterdir()) == sorted([first, second])


def test_many_that_begin_and_end_at_once_on_a_cold_cache_do_not_disturb_each_other(cache):
    script = """if True:
        from tf_claims.host.cache import scratch
        for _ in range(50):
            with scratch("work") as folder:
                (folder / "file").write_text("x")
    """
    env = {**os.environ, "PYTHONPATH": "scripts"}
    several = [subprocess.Popen([sys.executable, "-c", script], env=env, stderr=subprocess.PIPE) for _ in range(6)]
    assert [(each.communicate()[1], each.returncode) for each in several] == [(b"", 0)] * 6
    assert list((cache / "tmp").iterdir()) == []


def test_a_full_disk_becomes_one_message_and_leaves_nothing(cache):
    message = r"the disk is full; nothing half-written was kept.*TF_CLAIMS_CACHE"
    with pytest.raises(InputError, match=message), scratch("work") as folder:
        (folder / "half").write_text("half")
        raise OSError(errno.ENOSPC, "No space left on device")
    assert list((cache / "tmp").iterdir()) == []


def test_an_unwritable_place_is_named():
    with (
        pytest.raises(InputError, match=r"/proc/x: cannot be written.*TF_CLAIMS_CACHE"),
        clear_when_full(Path("/proc")),
    ):
        raise PermissionError(errno.EACCES, "Permission denied", "/proc/x")


def test_other_errors_pass():
    with pytest.raises(FileNotFoundError), clear_when_full(Path("/")):
        raise FileNotFoundError(errno.ENOENT, "missing", "x")


def test_place_keeps_the_first_of_two(cache, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "content").write_text(name)
        place(tmp_path / name, cache / "final")
    assert (cache / "final/content").read_text() == "one"
    assert not (tmp_path / "two").exists()


def test_too_little_space_names_folder_need_and_free(tmp_path):
    require_space(tmp_path / "not" / "there", 1, "a test")
    with pytest.raises(
        InputError, match=r"not/there: not enough disk space for a test: 1,000,000,000,000 MB needed, [\d,]+ MB free"
    ):
        require_space(tmp_path / "not" / "there", 10**18, "a test")


def test_read_only_folders_are_removed(tmp_path):
    folder = tmp_path / "tree" / "closed"
    folder.mkdir(parents=True)
    (folder / "file").touch()
    folder.chmod(0o500)
    remove_tree(tmp_path / "tree")
    remove_tree(tmp_path / "tree")
    assert not (tmp_path / "tree").exists()
