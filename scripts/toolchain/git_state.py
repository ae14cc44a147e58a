"""Which commit the sources are at, and whether they differ from it: ``{"commit": …, "dirty": …}``, null outside git."""

from __future__ import annotations

import argparse
import json
import subprocess
from pathlib import Path

from model.files import write_whole


def git_state() -> dict[str, str | bool | None]:
    """The state of the checkout in the working directory; files that git ignores do not count."""
    try:
        commit = _git("rev-parse", "HEAD").strip()
        return {"commit": commit, "dirty": bool(_git("status", "--porcelain"))}
    except (OSError, subprocess.CalledProcessError):
        return {"commit": None, "dirty": None}


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    write_whole(parser.parse_args().output, json.dumps(git_state()) + "\n")


if __name__ == "__main__":
    main()
