import sys

import pytest

from tf_claims.host.commands import run
from tf_claims.model.errors import InputError


def test_output_comes_back_and_goes_to_the_log(tmp_path):
    log = tmp_path / "logs" / "run.log"
    assert run(["cat"], "reading", stdin="hello", log=log) == "hello"
    assert log.read_text() == "$ cat\nhello"


def test_a_failure_shows_what_for_and_the_last_lines():
    script = "import sys; [print(i) for i in range(50)]; print('the reason', file=sys.stderr); sys.exit(3)"
    with pytest.raises(InputError) as raised:
        run([sys.executable, "-c", script], "trying")
    message = str(raised.value)
    assert message.startswith("trying: ") and "exit code 3" in message
    assert "    the reason" in message and "    38" not in message and "    49" in message


def test_a_missing_program_is_named():
    with pytest.raises(InputError, match="packing: the program no-such-program is missing"):
        run(["no-such-program"], "packing")


def test_a_hanging_program_is_ended():
    with pytest.raises(InputError, match=r"asking: no answer within 0\.2 s from: sleep 60"):
        run(["sleep", "60"], "asking", timeout_s=0.2)


def test_a_full_disk_in_another_program_is_told_as_such():
    with pytest.raises(InputError, match="the disk is full"):
        run(["sh", "-c", "echo 'write: No space left on device' >&2; exit 1"], "packing")
