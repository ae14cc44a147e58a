"""The options that several commands for people share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

LOCAL = "local"
"""The profile for a run on this host alone."""

_SHARED: dict[str, dict[str, Any]] = {
    "preset": {"default": "quick", "help": "how much is measured: a file of config/presets"},
    "engine": {"default": "container", "help": "what runs the measured jobs: container or venv"},
    "profile": {"default": LOCAL, "help": "how to run: a folder in profiles"},
    "environments": {"default": "", "help": "names or patterns, separated by blanks; all where none is given"},
    "scenarios": {"default": "", "help": "names or patterns, separated by blanks; all where none is given"},
}


def add_shared_options(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add the options of these names: ``preset``, ``engine``, ``profile``, ``environments``, ``scenarios``."""
    for name in names:
        parser.add_argument(f"--{name}", **_SHARED[name])


def add_results_option(parser: argparse.ArgumentParser) -> None:
    """The option of the steps that read and write one results folder."""
    parser.add_argument("--results", type=Path, required=True, help="the results folder of a preset")
