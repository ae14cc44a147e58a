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
        ({"ENGINE": "docker"}, "engine"),
        ({"PROFILE": "moon"}, "profile 'moon' is unknown; known: generic, kubernetes, local, slurm"),
    ],
)
def test_a_wrong_name(variables, message):
    done = make_in(Path())("reproduce", **variables)
    assert done.returncode != 0
    assert message in done.stderr
    assert "Traceback" not in done.stderr
