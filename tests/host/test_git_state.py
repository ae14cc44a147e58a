"""Which commit the sources are at."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
from pathlib import Path

import pytest

from tf_claims.host.git_state import execute, git_state


def git(*arguments: str) -> str:
    author = {f"GIT_{who}_{what}": "a@b.example" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = dict(os.environ) | author | {"GIT_COMMITTER_DATE": "2026-11-30T12:00:00+00:00"}
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True, env=environment).stdout


def test_it_tells_commit_date_and_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    git("init", "--quiet")
    git("commit", "--quiet", "--allow-empty", "--message", "first")
    state = {"commit": git("rev-parse", "HEAD").strip(), "committed": "2026-11-30T12:00:00+00:00"}
    assert git_state() == state | {"dirty": False}
    Path("new").touch()
    assert git_state() == state | {"dirty": True}


def written(state: Path) -> object:
    execute(argparse.Namespace(output=state))
    return json.loads(state.read_text())["commit"]


def test_a_bundle_keeps_its_commit_but_a_checkout_whose_git_refuses_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    state = tmp_path / "git.json"
    state.write_text('{"commit": "c0ffee"}')
    assert written(state) == "c0ffee"
    git("init", "--quiet")
    git("commit", "--quiet", "--allow-empty", "--message", "first")
    assert written(state) == git("rev-parse", "HEAD").strip()
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")  # git's own way to ask for "dubious ownership"
    assert written(state) is None


def test_outside_git_it_tells_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert git_state() == {"commit": None, "committed": None, "dirty": None}
