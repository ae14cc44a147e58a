"""`make` in a checkout, as a person would call it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from tf_claims.bench.checkout import environment

Make = Callable[..., subprocess.CompletedProcess[str]]


def make_command(*arguments: str, **variables: str) -> list[str]:
    return ["make", "--no-print-directory", *arguments, *(f"{name}={value}" for name, value in variables.items())]


def make_in(folder: Path) -> Make:
    """A function that runs `make` in a folder."""

    def make(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            make_command(*arguments, **variables), cwd=folder, env=environment(), capture_output=True, text=True
        )

    return make
