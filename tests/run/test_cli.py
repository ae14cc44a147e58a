"""The front door: which commands there are, what each imports, and how a mistake is told."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tf_claims.cli import COMMANDS, FOR_PEOPLE, STEPS, main

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {"PYTHONPATH": "scripts"}


def ran(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tf_claims", *words]
    return subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True)


def imported_by(words: Sequence[str]) -> set[str]:
    """The modules of commands that are imported when a command is called with these words."""
    code = f"""if True:
        import sys
        from tf_claims.cli import COMMANDS, main
        try:
            main({list(words)!r})
        except SystemExit:
            pass
        print(*({{command.module for command in COMMANDS.values()}} & set(sys.modules)))
    """
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True)
    return set(done.stdout.splitlines()[-1].split())


def test_the_list_names_every_command_and_imports_none() -> None:
    printed = ran("--help").stdout
    people, steps = printed.split("steps that the workflow's rules call:")
    for commands, listed in ((FOR_PEOPLE, people), (STEPS, steps)):
        assert all(f"  {name} " in listed and command.help in listed for name, command in commands.items())
    assert imported_by(["--help"]) == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_how_to_use_it(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert said.startswith(f"usage: tf-claims {name} ") and COMMANDS[name].help in " ".join(said.split())


def test_a_light_command_imports_its_own_module_only() -> None:
    assert imported_by(["git-state", "--help"]) == {COMMANDS["git-state"].module}


def test_another_locale_reads_and_writes_utf_8() -> None:
    command = [sys.executable, "-m", "tf_claims", "plan", "--preset", "é"]
    for name in ("en_US.ISO-8859-1", "ja_JP.EUC-JP", "C", "C.UTF-8"):
        environment = os.environ | {"LC_ALL": name, "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
        done = subprocess.run(command, env=environment, capture_output=True)
        assert done.returncode == 2 and done.stderr.decode().startswith("error: preset 'é' is unknown"), name


def test_a_bad_input_is_one_line_and_exit_code_2() -> None:
    done = ran("plan", "--preset", "huge")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == "error: preset 'huge' is unknown; known: paper, quick, smoke, twice, validate\n"


@pytest.mark.parametrize("words", [["verdict"], ["--verdict"]])
def test_an_unknown_command_names_the_known_ones(words: list[str]) -> None:
    done = ran(*words)
    assert done.returncode == 2
    assert done.stderr == f"error: command {words[0]!r} is unknown; known: {', '.join(COMMANDS)}\n"


def test_no_command_at_all_says_where_the_list_is() -> None:
    done = ran()
    assert (done.returncode, done.stderr) == (2, "error: name a command; `tf-claims --help` lists them\n")
