"""Two results beside each other: a page and tables.

``python -m compare --a reference/quick --b results/quick --output results/compare``
"""

from __future__ import annotations

import argparse
from pathlib import Path

from analysis.table_files import write_table
from compare.changes import compare
from compare.page import build_page, summary
from compare.runs import read_run
from compare.tables import tables
from model.errors import exit_clearly
from model.files import write_whole


def main() -> None:
    parser = argparse.ArgumentParser(description="Two results beside each other.")
    parser.add_argument("--a", type=Path, required=True, help="a results folder or a reference")
    parser.add_argument("--b", type=Path, required=True, help="the one that is compared with it")
    parser.add_argument("--output", type=Path, required=True, help="the folder to write to")
    options = parser.parse_args()
    first, second = read_run(options.a), read_run(options.b)
    changes = compare(first, second)
    for table in tables(changes):
        write_table(table, options.output / "tables")
    page = options.output / "index.html"
    write_whole(page, build_page(first, second, changes, page))
    print(f"{summary(changes)}\n{page}")


if __name__ == "__main__":
    exit_clearly(main)
