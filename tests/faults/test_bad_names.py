"""Wrong names on the command line: one message, exit code not 0, no traceback, nothing built."""

from pathlib import Path

import pytest
from tests.support.make import make_in


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"PRESET": "big"}, "preset 'big' is unknown; known: paper, quick, smoke"),
        ({"ENVS": "tf9-cpu"}, "environment 'tf9-cpu' is unknown; known: tf1.15-cpu"),
        ({"SCENARIOS": "x"}, "scenario 'x' is unknown; known: "),
        ({"ENGINE": "docker"}, "engine 'docker' is unknown; known: container, venv"),
        ({"ENGINE": "auto"}, "engine 'auto' is unknown; known: container, venv"),
        ({"PROFILE": "moon"}, "profile 'moon' is unknown; known: generic, kubernetes, local, slurm"),
    ],
)
def test_a_wrong_name(variables, message):
    done = make_in(Path())("reproduce", **variables)
    assert done.returncode != 0
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_the_environment_whose_lock_is_to_be_made_reaches_the_command():
    done = make_in(Path())("lock", ENV="tf9-cpu")
    assert done.returncode != 0 and "tf9-cpu" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("variable", ["PRESET", "ENVS", "SCENARIOS", "ENGINE", "PROFILE", "SEED"])
@pytest.mark.parametrize("value", ["'; touch {}; '", '"; touch {}; "', "$$(touch {})", "`touch {}`"])
def test_no_value_is_run_by_a_shell(tmp_path: Path, variable: str, value: str):
    trace = tmp_path / "trace"
    done = make_in(Path())(
        "plan" if variable not in ("PROFILE", "SEED") else "reproduce", **{variable: value.format(trace)}
    )
    assert done.returncode != 0
    assert not trace.exists()
    assert "Traceback" not in done.stderr
