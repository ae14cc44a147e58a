"""Two results beside each other: a page and tables.

``tf-claims compare --a reference/quick --b results/quick --output results/compare``
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tf_claims.compare.changes import compare
from tf_claims.compare.page import build_page, summary
from tf_claims.compare.runs import read_run
from tf_claims.compare.tables import tables
from tf_claims.model.files import write_whole
from tf_claims.tables.files import write_table


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--a", type=Path, required=True, help="a results folder or a reference")
    parser.add_argument("--b", type=Path, required=True, help="the one that is compared with it")
    parser.add_argument("--output", type=Path, required=True, help="the folder to write to")


def execute(options: argparse.Namespace) -> None:
    """Write the page and the tables.

    :raises InputError: for a folder that is no result.
    """
    first, second = read_run(options.a), read_run(options.b)
    changes = compare(first, second)
    for table in tables(changes):
        write_table(table, options.output / "tables")
    page = options.output / "index.html"
    write_whole(page, build_page(first, second, changes, page))
    print(f"{summary(changes)}\n{page}")
