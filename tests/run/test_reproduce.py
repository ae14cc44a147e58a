"""What is refused before anything is built, what the workflow is told, and how a run ends that is told to."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tf_claims.model.errors import InputError
from tf_claims.model.study import plan_study
from tf_claims.run import reproduce
from tf_claims.run.engines import Engine


def test_patterns_are_handed_on_as_names() -> None:
    study = plan_study("quick", lambda stack: None, ["tf2.?-cpu", "tf2.21-cpu"], ["lin*"])
    options = argparse.Namespace(preset="quick", environments="tf2.?-cpu tf2.21-cpu", scenarios="lin*")
    config = reproduce.workflow_config(options, Engine("container"), study)
    assert config == {
        "preset": "quick",
        "engine": "container",
        "environments": "tf2.0-cpu tf2.21-cpu",
        "scenarios": "linear_regression",
    }
    nothing = argparse.Namespace(preset="quick", environments="", scenarios="")
    assert set(reproduce.workflow_config(nothing, Engine("venv"), study)) == {"preset", "engine"}


STANDS_FOR_SNAKEMAKE = """
import subprocess, sys
open("started", "w").close()
subprocess.run(["sleep", "1000"])
"""
RUN = """
import os
from tf_claims.run import reproduce
reproduce.snakemake(["stands for a profile"], [], os.open(os.devnull, os.O_RDONLY), {})
"""


def test_a_run_that_is_told_to_end_takes_the_workflow_and_its_jobs_with_it(tmp_path: Path) -> None:
    package = tmp_path / "snakemake"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(STANDS_FOR_SNAKEMAKE)
    paths = os.pathsep.join([str(tmp_path), str(Path("scripts").absolute())])
    environment = os.environ | {"PYTHONPATH": paths, "TF_CLAIMS_CACHE": str(tmp_path / "cache")}
    with subprocess.Popen(
        [sys.executable, "-c", RUN], cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True
    ) as run:
        while not (tmp_path / "started").exists():
            time.sleep(0.05)
        time.sleep(0.3)
        below = psutil.Process(run.pid).children(recursive=True)
        assert {each.name() for each in below} >= {"sleep"}
        run.send_signal(signal.SIGTERM)
        _, told = run.communicate(timeout=30)
    assert "stopping; what is measured stays" in told and run.returncode != 0
    assert not [each for each in below if each.is_running() and each.status() != psutil.STATUS_ZOMBIE]


class Unbuildable:
    """Stands for a workflow in which some environments turn out not to be buildable, one after the other."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *rounds: set[str]) -> None:
        self.rounds, self.failed, self.calls = [*rounds], set(), 0
        monkeypatch.setattr(reproduce, "failures", lambda engine: dict.fromkeys(self.failed))

    def __call__(self) -> None:
        self.calls += 1
        found = self.rounds.pop(0) if self.rounds else set()
        if found:
            self.failed |= found
            raise InputError("the workflow did not finish")


def test_what_cannot_be_built_is_left_out_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    study = plan_study("quick", lambda stack: None, ["*-cpu"])
    run = Unbuildable(monkeypatch, {"tf2.0-cpu"}, {"tf2.15-cpu"})
    assert reproduce.run_what_can_be_built(study, Engine("container"), run) == ["tf2.0-cpu", "tf2.15-cpu"]
    assert run.calls == 3
    assert reproduce.run_what_can_be_built(study, Engine("container"), Unbuildable(monkeypatch)) == []


def test_where_something_else_fails_or_nothing_is_left_the_run_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    study = plan_study("quick", lambda stack: None, ["tf2.0-cpu"])
    alone = Unbuildable(monkeypatch, {"tf2.0-cpu"})
    with pytest.raises(InputError, match="did not finish"):
        reproduce.run_what_can_be_built(study, Engine("container"), alone)
    other = Unbuildable(monkeypatch)
    other.failed = {"tf2.15-cpu"}
    other.rounds = [{"tf2.15-cpu"}]  # nothing new: it failed for another reason
    with pytest.raises(InputError, match="did not finish"):
        reproduce.run_what_can_be_built(study, Engine("container"), other)
