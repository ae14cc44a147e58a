"""Which commit the sources are at, of when, and whether they differ from it; null outside git.

``{"commit": …, "committed": "2026-11-30T12:00:00+00:00", "dirty": …}``
"""

from __future__ import annotations

import argparse
import json
import subprocess
from pathlib import Path

from tf_claims.model.files import write_whole


def git_state() -> dict[str, str | bool | None]:
    """The state of the checkout in the working directory; files that git ignores do not count."""
    try:
        commit = _git("rev-parse", "HEAD").strip()
        committed = _git("show", "--no-patch", "--format=%cI", "HEAD").strip()
        return {"commit": commit, "committed": committed, "dirty": bool(_git("status", "--porcelain"))}
    except (OSError, subprocess.CalledProcessError):
        return {"commit": None, "committed": None, "dirty": None}


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--output", type=Path, required=True)


def execute(options: argparse.Namespace) -> None:
    """Write the state, unless there is no git here and a file is there.

    Where git is here and does not answer, as in another user's checkout ("dubious ownership"), the commit is unknown.
    """
    output: Path = options.output
    state = git_state()
    # A bundle has no git, but brings what was written when it was made.
    if state["commit"] is not None or Path(".git").exists() or not output.exists():
        write_whole(output, json.dumps(state) + "\n")
