"""The options that all commands over a study's observations share."""

from __future__ import annotations

import argparse
from pathlib import Path

from model.study import Study, plan_study
from toolchain.gpu import why_not


def add_study_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--preset", required=True)
    parser.add_argument("--environments", default="", help="names or patterns, separated by blanks")
    parser.add_argument("--scenarios", default="", help="names or patterns, separated by blanks")
    parser.add_argument("--observations", type=Path, required=True, help="the table that analysis.tidy writes")


def study_of(options: argparse.Namespace) -> Study:
    """:raises InputError: for an unknown name."""
    return plan_study(options.preset, why_not, options.environments.split(), options.scenarios.split())
