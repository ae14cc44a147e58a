"""Plans over made-up scenarios, and whole blocks run by the real command, without TensorFlow."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

RUNNER = Path(__file__).parents[2] / "scripts" / "runner"
PATIENCE_S = 60

FAIR = """
def fair(case):
    return (lambda: None), (lambda: {"loss": 0.5})
"""


class Bench:
    """A folder with a made-up scenario, its plan, a marker, and the command that measures it."""

    def __init__(self, folder: Path, code: str, names: list[str], **fields: Any) -> None:
        self.folder = folder
        self.output = folder / "observations" / "0.jsonl"
        self.image = folder / "image.sif"
        self.image.write_bytes(b"an image")
        (folder / "variants.py").write_text(dedent(code))
        self.plan = plan_of(folder / "variants.py", names, **fields)
        self._write("plan.json", self.plan)
        self._write("marker.json", {"environment": "tf0.0-cpu", "key": "0123456789ab", "lock_sha256": "d" * 64})
        self.record = {
            "environment": "tf0.0-cpu",
            "key": "0123456789ab",
            "lock_sha256": "d" * 64,
            "sif_sha256": hashlib.sha256(b"an image").hexdigest(),
        }
        self._write("image.json", self.record)
        self._write("git.json", {"commit": "e" * 40, "dirty": False})

    def _write(self, name: str, content: Any) -> None:
        (self.folder / name).write_text(json.dumps(content))

    def command(self, **options: Any) -> list[str]:
        """The command line, with some of its options changed or (None) left out."""
        all_options = {
            "plan": self.folder / "plan.json",
            "block": 0,
            "looks": self.folder / "looks",
            "threads": 1,
            "engine": "container",
            "marker": self.folder / "marker.json",
            "record": self.folder / "image.json",
            "data": self.folder,
            "git": self.folder / "git.json",
            "output": self.output,
        } | options
        words = [f"--{name}={value}" for name, value in all_options.items() if value is not None]
        return [sys.executable, "-I", str(RUNNER), *words]

    def run(self, **options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(self.command(**options), capture_output=True, text=True, timeout=PATIENCE_S)

    def start(self, **options: Any) -> subprocess.Popen[str]:
        return subprocess.Popen(self.command(**options), stderr=subprocess.PIPE, text=True)


def plan_of(code: Path, names: list[str], **fields: Any) -> dict[str, Any]:
    variants = [
        {"levels": {"method": name, "n": 3}, "sizes": {"iterations": 2}, "function": name, "imports": ["numpy"]}
        for name in names
    ]
    return {
        "schema": 1,
        "scenario": "made_up",
        "environment": "tf0.0-cpu",
        "preset": "smoke",
        "seed": 7,
        "timeout_s": 30,
        "code": str(code),
        "code_sha256": hashlib.sha256(code.read_bytes()).hexdigest() if code.exists() else "",
        "data": [],
        "results": ["loss", "note"],
        "variants": variants,
    } | fields


def wait_until(done: Callable[[], Any]) -> Any:
    """What ``done`` returns as soon as that is true; an error after a minute."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if found := done():
            return found
        time.sleep(0.02)
    raise AssertionError("waited in vain")


def is_running(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def own_cpus() -> int:
    return len(os.sched_getaffinity(0))
