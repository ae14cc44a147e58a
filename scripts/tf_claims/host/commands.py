"""Running other programs: quiet while they work, clear when they fail."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from tf_claims.host.cache import cache_root, disk_full
from tf_claims.model.errors import InputError

LAST_LINES = 12


def run(
    command: Sequence[str | Path],
    what: str,
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    log: Path | None = None,
    timeout_s: float | None = None,
    stdin: str = "",
) -> str:
    """Run ``command`` and return its standard output; both streams also go to ``log`` where one is named.

    :param what: what the command is for, the subject of the message when it fails.
    :param env: variables on top of this process's own.
    :raises InputError: naming the command, with its last lines, when it fails, hangs or is missing.
    """
    line = shlex.join(str(part) for part in command)
    try:
        done = subprocess.run(
            [str(part) for part in command],
            input=stdin,
            capture_output=True,
            text=True,
            errors="replace",
            env={**os.environ, **(env or {})},
            cwd=cwd,
            timeout=timeout_s,
        )
    except FileNotFoundError:
        raise InputError(f"{what}: the program {command[0]} is missing") from None
    except subprocess.TimeoutExpired:
        raise InputError(f"{what}: no answer within {timeout_s:g} s from: {line}") from None
    if log:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a") as file:
            file.write(f"$ {line}\n{done.stdout}{done.stderr}")
    if done.returncode:
        if "no space left on device" in (done.stdout + done.stderr).lower():
            raise disk_full(cache_root())
        raise InputError(
            f"{what}: {command[0]} failed (exit code {done.returncode})\n{_last_lines(done)}\ncommand: {line}"
        )
    return done.stdout


def say(text: str) -> None:
    """Tell the person at the terminal what is being done."""
    print(text, flush=True)


def _last_lines(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return "\n".join(f"    {line}" for line in lines[-LAST_LINES:]) or "    (it said nothing)"
