"""People's machines, a row a condition: the commands of the README end well there, or in one clear message.

A row changes the variables or the checkout in some way; ``told`` is what is then said, "" where all is well. Add yours.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.support.make import make_command

from tf_claims.bench.checkout import copied_checkout

Variables = dict[str, str]


class Host(NamedTuple):
    """A condition: what it makes of the variables, given a folder for its files, and what is said then."""

    name: str
    variables: Callable[[Path], Variables]
    told: str = ""
    command: str = "plan"


def _file(path: Path, content: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return str(path)


def _module(folder: Path) -> Variables:
    _file(folder / "json.py", "raise SystemExit('not the library')\n")
    return {"PYTHONPATH": str(folder)}


def _elsewhere(folder: Path) -> Variables:
    (folder / "scripts").mkdir()
    return {"CDPATH": str(folder)}


HOSTS = [
    Host("nothing special", lambda folder: {}),
    Host("a module of the user's own before the library's", _module),
    Host("a path for cd", _elsewhere),
    Host("a file that every bash reads", lambda folder: {"BASH_ENV": _file(folder / "env", "PATH=/nowhere\n")}),
    Host("packages for the user alone", lambda folder: {"PIP_USER": "1", "PIP_TARGET": str(folder)}),
    Host(
        "folders bound into every container", lambda folder: {"APPTAINER_BIND": "/nowhere", "SINGULARITY_BINDPATH": "x"}
    ),
    Host("a Snakemake profile", lambda folder: {"SNAKEMAKE_PROFILE": str(folder / "none")}),
    Host("Latin-1", lambda folder: {"LC_ALL": "en_US.ISO-8859-1"}),
    Host("EUC-JP", lambda folder: {"LC_ALL": "ja_JP.EUC-JP"}),
    Host("no home", lambda folder: {"HOME": "/nowhere", "XDG_CACHE_HOME": str(folder)}),
    Host("no GPU tool that answers", lambda folder: {"PATH": f"{folder}:{os.environ['PATH']}"}),
    Host(
        "no folder for temporary files", lambda folder: {"TMPDIR": str(folder / "none")}, "TMPDIR names it", "reproduce"
    ),
    Host(
        "a cache whose path has a blank",
        lambda folder: {"TF_CLAIMS_CACHE": str(folder / "two words")},
        "' ' in the path of the cache; set TF_CLAIMS_CACHE to a plainer place",
        "reproduce",
    ),
    Host(
        "a cache whose path has a colon",
        lambda folder: {"TF_CLAIMS_CACHE": str(folder / "a:b")},
        "':' in the path of the cache; set TF_CLAIMS_CACHE to a plainer place",
        "reproduce",
    ),
]


@pytest.fixture(scope="module")
def checkout() -> Iterator[Path]:
    with copied_checkout() as folder:
        yield folder


@pytest.mark.parametrize("host", HOSTS, ids=[host.name for host in HOSTS])
def test_host(checkout: Path, tmp_path: Path, host: Host) -> None:
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | host.variables(tmp_path)
    done = subprocess.run(
        make_command(host.command, PRESET="smoke"), cwd=checkout, env=variables, capture_output=True, text=True
    )
    assert "Traceback" not in done.stderr, done.stderr
    if host.told:
        assert done.returncode != 0 and host.told in done.stderr
        assert len([line for line in done.stderr.splitlines() if line.startswith("error: ")]) == 1
    else:
        assert done.returncode == 0, done.stderr
        assert "Plan of the preset smoke" in done.stdout


@pytest.mark.parametrize("name", ["two words", "a:b", "it's", "a,b"])
def test_a_checkout_whose_path_some_program_reads_otherwise_is_refused(tmp_path: Path, name: str) -> None:
    checkout = tmp_path / name
    (checkout / "scripts").mkdir(parents=True)
    for file in ("Makefile", "requirements.lock", "scripts/set_up_venv.sh"):
        shutil.copy(file, checkout / file)
    done = subprocess.run(make_command("plan"), cwd=checkout, capture_output=True, text=True)
    assert done.returncode != 0 and "in the path of the checkout; move it to a plainer place" in done.stderr
    assert not (checkout / ".venv").exists()


def test_no_other_folder_s_virtual_environment_is_touched(tmp_path: Path) -> None:
    """With CDPATH a relative ``cd`` leads elsewhere."""
    other = tmp_path / "other"
    (other / "scripts").mkdir(parents=True)
    _file(other / ".venv/mine", "")
    checkout = tmp_path / "checkout"
    (checkout / "scripts").mkdir(parents=True)
    shutil.copy("scripts/set_up_venv.sh", checkout / "scripts")
    subprocess.run(
        ["bash", "scripts/set_up_venv.sh"], cwd=checkout, env=os.environ | {"CDPATH": str(other)}, capture_output=True
    )
    assert (other / ".venv/mine").exists()


def test_a_virtual_environment_in_use_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    shutil.copy("scripts/set_up_venv.sh", tmp_path / "scripts")
    _file(tmp_path / ".venv/mine", "")
    lock = _file(tmp_path / "results/.lock", "123\n")
    held = subprocess.Popen(["flock", lock, "sleep", "60"])
    try:
        while subprocess.run(["flock", "--nonblock", lock, "true"]).returncode == 0:
            pass
        done = subprocess.run(["bash", "scripts/set_up_venv.sh"], cwd=tmp_path, capture_output=True, text=True)
    finally:
        subprocess.run(["pkill", "-P", str(held.pid)])
        held.wait()
    assert done.returncode == 2 and "a run works in this checkout (process 123); wait for it" in done.stderr
    assert (tmp_path / ".venv/mine").exists()
