"""One at a time on a host, and nothing of anybody's is touched through a name that everybody may write."""

from __future__ import annotations

import fcntl
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tf_claims.host.measure_lock import LOCK_FILE, measuring
from tf_claims.model.errors import InputError


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_folder_and_file_are_open_to_every_user_whatever_the_umask(tmp_path: Path) -> None:
    earlier = os.umask(0o077)
    try:
        with measuring("it", tmp_path / "locks"):
            pass
    finally:
        os.umask(earlier)
    assert (mode(tmp_path / "locks"), mode(tmp_path / "locks" / LOCK_FILE)) == (0o1777, 0o666)


def test_a_second_one_says_for_whom_it_waits_and_then_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    said, order = threading.Event(), []

    def second() -> None:
        with measuring("the second", tmp_path):
            order.append("second")

    with measuring("the first", tmp_path):
        thread = threading.Thread(target=second)
        thread.start()
        while "the second: waiting for 'the first' (process " not in capsys.readouterr().out:
            said.wait(0.01)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_one_is_let_in_at_a_time(tmp_path: Path) -> None:
    code = """if True:
        import sys, time
        from pathlib import Path
        from tf_claims.host.measure_lock import measuring
        for _ in range(3):
            with measuring(sys.argv[1], Path("locks")):
                for event in ("in", "out"):
                    with open("log", "a") as log:
                        log.write(event + sys.argv[1] + "\\n")
                    time.sleep(0.05)
    """
    several = [subprocess.Popen([sys.executable, "-c", code, name], cwd=tmp_path) for name in "abc"]
    assert [each.wait() for each in several] == [0, 0, 0]
    events = (tmp_path / "log").read_text().split()
    assert len(events) == 18
    for entered, left in zip(events[::2], events[1::2], strict=True):
        assert (entered[:-1], left[:-1], entered[-1]) == ("in", "out", left[-1])


def test_the_lock_is_free_and_empty_after_a_failure(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), measuring("failing", tmp_path):
        _ = 1 / 0
    with (tmp_path / LOCK_FILE).open("r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        assert file.read() == ""


def kept(folder: Path) -> Path:
    """A file that somebody would miss."""
    file = folder / "thesis.tex"
    file.write_text("years of work")
    file.chmod(0o600)
    return file


@pytest.mark.parametrize("lay", ["symlink", "hard link", "folder", "fifo", "symlink to nothing"])
def test_what_another_laid_there_is_refused_and_left_alone(tmp_path: Path, lay: str) -> None:
    folder = tmp_path / "locks"
    folder.mkdir()
    lock, victim = folder / LOCK_FILE, kept(tmp_path)
    make = {
        "symlink": lambda: lock.symlink_to(victim),
        "hard link": lambda: lock.hardlink_to(victim),
        "folder": lock.mkdir,
        "fifo": lambda: os.mkfifo(lock),
        "symlink to nothing": lambda: lock.symlink_to(tmp_path / "made-by-us"),
    }
    make[lay]()
    with pytest.raises(InputError, match=r"measure\.lock: the measuring lock"), measuring("it", folder):
        pass
    assert (victim.read_text(), mode(victim)) == ("years of work", 0o600)
    assert not (tmp_path / "made-by-us").exists()


def test_a_link_in_the_place_of_the_folder_is_refused_and_left_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (tmp_path / "locks").symlink_to(home)
    with (
        pytest.raises(InputError, match=r"locks: the measuring lock cannot be opened"),
        measuring("it", tmp_path / "locks"),
    ):
        pass
    assert mode(home) == 0o700 and list(home.iterdir()) == []


def test_the_rights_of_a_folder_and_a_file_that_were_there_are_not_changed(tmp_path: Path) -> None:
    folder = tmp_path / "locks"
    folder.mkdir(mode=0o700)
    (folder / LOCK_FILE).touch(mode=0o600)
    with measuring("it", folder):
        pass
    assert (mode(folder), mode(folder / LOCK_FILE)) == (0o700, 0o600)
