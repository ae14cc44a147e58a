"""``tf-claims``, the one command of the package: ``tf-claims COMMAND …`` runs the module that the tables below name.

Only the module of the command that is run is imported, so that a light command starts fast.
"""

from __future__ import annotations

import argparse
import locale
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import NamedTuple

from tf_claims.host.environment import set_aside
from tf_claims.model.errors import InputError

FAILED = 2


class Command(NamedTuple):
    """A module with ``add_options(parser)`` and ``execute(options)``, and in a line what it does."""

    module: str
    help: str


FOR_PEOPLE = {
    "reproduce": Command("tf_claims.run.reproduce", "run every claim and write results/PRESET"),
    "plan": Command("tf_claims.run.plan", "what a run would measure, build and need; starts nothing"),
    "report": Command("tf_claims.run.report", "from the observations that are there to verdicts, paper and page"),
    "snakemake-report": Command("tf_claims.run.snakemake_report", "Snakemake's own report of a run"),
    "bundle": Command("tf_claims.provenance.bundle", "one archive to report a run elsewhere without network"),
    "compare": Command("tf_claims.compare.command", "two or more results beside each other: a page and tables"),
    "reference": Command("tf_claims.compare.reference", "keep a small reference result, or derive it again"),
    "validate": Command("tf_claims.validate.command", "the proof of the harness, as numbers and as a page"),
    "bench": Command("tf_claims.bench.command", "how good the pipeline itself is, each figure a ratio"),
    "lock": Command("tf_claims.images.locks", "make the lock of one environment again"),
    "apptainer-path": Command("tf_claims.host.apptainer", "the folder of Apptainer, which is installed where missing"),
    "schemas": Command("tf_claims.model.schemas", "write the JSON schemas in config/schemas again"),
}

STEPS = {
    "image": Command("tf_claims.images.build", "build or link the container image of an environment"),
    "venv": Command("tf_claims.images.venvs", "make or link the virtual environment of an environment"),
    "sbom": Command("tf_claims.provenance.sbom", "the bill of materials of an image"),
    "fetch-data": Command("tf_claims.data.fetch", "a data set, by content, from the first source that has it"),
    "count-cooccurrences": Command("tf_claims.data.cooccurrence", "count the co-occurrences of words as GloVe does"),
    "git-state": Command("tf_claims.host.git_state", "which commit the sources are at"),
    "measure": Command("tf_claims.run.measure", "one block, in its container"),
    "look": Command("tf_claims.verdicts.look", "whether a scenario has enough blocks in an environment"),
    "tabulate": Command("tf_claims.cells.tidy", "all observation files as one table"),
    "judge": Command("tf_claims.verdicts.judge", "a verdict on every claim in every environment"),
    "tables": Command("tf_claims.tables.write", "the tables of a study"),
    "figures": Command("tf_claims.figures.draw", "the figures of a study"),
    "paper": Command("tf_claims.publish.paper", "the paper, as PDF"),
    "latex": Command("tf_claims.publish.latex", "the tables and figures for LaTeX"),
    "page": Command("tf_claims.publish.page", "the page, in English and in Japanese"),
    "crate": Command("tf_claims.provenance.crate", "where each result comes from"),
}

COMMANDS = FOR_PEOPLE | STEPS


def main(words: Sequence[str] | None = None) -> None:
    """Run the command that the words (those of the command line where none are given) begin with.

    :raises SystemExit: with code 2 and one message where a person can put right what is wrong.
    """
    if locale.getencoding().lower() != "utf-8" and not sys.flags.utf8_mode:
        # All that is read and written is UTF-8, whatever the user's locale.
        os.execve(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]], os.environ | {"PYTHONUTF8": "1"})
    set_aside()
    try:
        _run(sys.argv[1:] if words is None else words)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(FAILED)


def _run(words: Sequence[str]) -> None:
    if not words:
        raise InputError("name a command; `tf-claims --help` lists them")
    name, *rest = words
    if name in ("-h", "--help"):
        return print(overview())
    if name not in COMMANDS:
        raise InputError(f"command {name!r} is unknown; known: {', '.join(COMMANDS)}")
    command = COMMANDS[name]
    module = import_module(command.module)
    parser = argparse.ArgumentParser(prog=f"tf-claims {name}", description=f"{name}: {command.help}")
    module.add_options(parser)
    module.execute(parser.parse_args(rest))


def overview() -> str:
    """All commands in their two groups, as ``tf-claims --help`` prints them."""
    width = max(map(len, COMMANDS))

    def group(title: str, commands: Mapping[str, Command]) -> list[str]:
        return [f"\n{title}:", *(f"  {name.ljust(width)}  {command.help}" for name, command in commands.items())]

    return "\n".join(
        [
            "usage: tf-claims COMMAND [options]; `tf-claims COMMAND --help` says which options",
            *group("commands for people", FOR_PEOPLE),
            *group("steps that the workflow's rules call", STEPS),
        ]
    )
