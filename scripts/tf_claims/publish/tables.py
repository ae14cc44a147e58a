"""The tables of a run, formatted for people; the files beside them have nine digits."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

from tf_claims.model.errors import InputError
from tf_claims.publish.figures import caption
from tf_claims.words.numbers import environment_name, number, title_of

MOST_ROWS = 200


class Column(NamedTuple):
    heading: str
    numeric: bool


class Table(NamedTuple):
    """The first rows of a table, and the files in which it comes whole. ``rows`` counts all of them."""

    anchor: str
    title: str
    caption: str
    columns: list[Column]
    cells: list[list[str]]
    rows: int
    files: list[Path]


def read_tables(folder: Path) -> list[Table]:
    """Each ``*.csv`` of a folder, with the caption in the text file of the same name where there is one.

    :raises InputError: naming file and line, for a row that does not fit the heading.
    """
    return [_read(path) for path in sorted(folder.glob("*.csv"))]


def _read(path: Path) -> Table:
    with path.open(newline="") as lines:
        heading, *rows = list(csv.reader(lines)) or [[]]
    for line, row in enumerate(rows, start=2):
        if len(row) != len(heading):
            raise InputError(
                f"{path}: row {line} has {len(row)} fields, the heading {len(heading)}; "
                "delete it and run `make reproduce` again"
            )
    shown = rows[:MOST_ROWS]
    columns = [
        Column(title_of(name), all(_is_number(row[index]) for row in shown if row[index]))
        for index, name in enumerate(heading)
    ]
    return Table(
        anchor=f"table-{path.stem}",
        title=title_of(path.stem),
        caption=caption(path),
        columns=columns,
        cells=[[_cell(text, column) for text, column in zip(row, columns, strict=True)] for row in shown],
        rows=len(rows),
        files=[file for suffix in (".csv", ".md", ".tex") if (file := path.with_suffix(suffix)).exists()],
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _cell(text: str, column: Column) -> str:
    if not column.numeric or not text:
        return environment_name(text)
    return number(int(text) if text.lstrip("-").isdigit() else float(text))
