"""Two or more results beside each other: a page, tables, and ``comparison.json``.

``tf-claims compare reference/quick results/quick --output results/compare``
"""

from __future__ import annotations

import argparse
from pathlib import Path
from string import ascii_uppercase

from tf_claims.compare.changes import compare
from tf_claims.compare.page import build_page
from tf_claims.compare.retest import retest
from tf_claims.compare.runs import read_run
from tf_claims.compare.summary import as_json, summary
from tf_claims.compare.tables import tables
from tf_claims.model.errors import InputError
from tf_claims.model.files import write_whole
from tf_claims.tables.files import write_table
from tf_claims.words.numbers import count


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("runs", type=Path, nargs="+", help="results folders or references; the first is the base")
    parser.add_argument("--output", type=Path, required=True, help="the folder to write to")


def execute(options: argparse.Namespace) -> None:
    """Write the page, the tables and the JSON, and print what is in it.

    :raises InputError: for one folder alone, for more than have a letter, and for one that is no result.
    """
    if not 2 <= len(options.runs) <= len(ascii_uppercase):
        raise InputError(
            f"{count(len(options.runs), 'result')} to compare: name 2 to {len(ascii_uppercase)} folders, "
            "`make compare RUNS='reference/quick results/quick'`"
        )
    runs = dict(zip(ascii_uppercase, map(read_run, options.runs), strict=False))
    words = retest([*runs.values()])
    first, *others = runs
    changes = {letter: compare(runs[first], runs[letter]) for letter in others}
    for table in tables([*runs], words, changes):
        write_table(table, options.output / "tables")
    write_whole(options.output / "comparison.json", as_json(runs, words))
    page = options.output / "index.html"
    write_whole(page, build_page(runs, words, changes, page))
    print(f"{summary(runs, words, changes)}\n{page}")
