import fcntl
import stat
import threading

import pytest

from tf_claims.host.measure_lock import LOCK_FILE, lock_folder, measuring
from tf_claims.model.errors import InputError


def test_the_folder_is_open_to_every_user(tmp_path):
    folder = lock_folder(tmp_path / "locks")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o1777
    assert stat.S_IMODE((folder / LOCK_FILE).stat().st_mode) == 0o666


def test_a_second_one_says_for_whom_it_waits_and_then_goes_on(tmp_path, capsys):
    said, order = threading.Event(), []

    def second():
        with measuring("the second", tmp_path):
            order.append("second")

    with measuring("the first", tmp_path):
        thread = threading.Thread(target=second)
        thread.start()
        while "waiting for 'the first' (process " not in capsys.readouterr().out:
            said.wait(0.01)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_the_lock_is_free_after_a_failure(tmp_path):
    with pytest.raises(ZeroDivisionError), measuring("failing", tmp_path):
        _ = 1 / 0
    with (tmp_path / LOCK_FILE).open("r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        assert file.read() == ""


def test_a_lock_that_cannot_be_opened_is_one_message(tmp_path):
    (tmp_path / LOCK_FILE).mkdir()
    with (
        pytest.raises(InputError, match=r"measure\.lock: the measuring lock cannot be opened"),
        measuring("it", tmp_path),
    ):
        pass
