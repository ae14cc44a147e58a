"""The tables of a run, formatted for people; the files beside them have nine digits."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tf_claims.model.errors import InputError
from tf_claims.publish.figures import caption
from tf_claims.publish.quality import disturbed_blocks
from tf_claims.verdicts.judgement import Judgement
from tf_claims.words.messages import ENGLISH, Messages
from tf_claims.words.numbers import environment_name, number, title_of

MOST_ROWS = 200
WORDS = ("verdict", "good_blocks", "all_blocks", "medians", "narrower", "wider")  # columns that have one


class Column(NamedTuple):
    """``name`` is that in the file."""

    name: str
    heading: str
    numeric: bool


class ShownEntry(NamedTuple):
    """What stands in a cell; ``english`` where it could not be said in the language of the page."""

    text: str
    english: bool = False


class Table(NamedTuple):
    """The first rows of a table, and the files in which it comes whole. ``rows`` counts all of them."""

    anchor: str
    title: str
    caption: str
    columns: list[Column]
    cells: list[list[ShownEntry]]
    rows: int
    files: list[Path]


def read_tables(folder: Path, messages: Messages = ENGLISH, judgements: Sequence[Judgement] = ()) -> list[Table]:
    """Each ``*.csv`` of a folder, with its title and caption from the catalogue.

    One that the catalogue does not know has the caption in the text file of the same name where there is one. The files
    are in English: what their sentences say in another language is taken from the ``judgements``.

    :raises InputError: naming file and line, for a row that does not fit the heading.
    """
    cells = _Entries(messages, judgements)
    return [_read(path, cells) for path in sorted(folder.glob("*.csv"))]


class _Entries:
    """What stands in a table, in the language of the page."""

    def __init__(self, messages: Messages, judgements: Sequence[Judgement]) -> None:
        self.messages = messages
        self._scaled = {(each.verdict.claim, each.verdict.environment): each.verdict.scaled for each in judgements}
        self._disturbed = disturbed_blocks(judgements)

    def known(self, key: str, otherwise: str) -> str:
        """A message, or what else to say where there is none of that key."""
        return self.messages.text(key) if key in self.messages else otherwise

    def cell(self, row: dict[str, str], column: Column) -> ShownEntry:
        """A cell of a row, of which the others tell what it is about."""
        text = row[column.name]
        if column.numeric and text:
            return ShownEntry(number(int(text) if text.lstrip("-").isdigit() else float(text)))
        if self.messages.language == "en" or not text:
            return ShownEntry(environment_name(text))
        return self._translated(row, column.name, text)

    def _translated(self, row: dict[str, str], column: str, text: str) -> ShownEntry:
        if column in WORDS:
            return ShownEntry(self.known(f"word.{text}", text))
        if column == "passed" and (missed := re.search(r"\d+", text)):
            return ShownEntry(self.messages.text("cell.missed", missed=int(missed[0])))
        if column in ("holds", "passed", "expected", "robust"):
            return ShownEntry(self.known(f"cell.{text}", text))
        if column == "scaled_down":
            scaled = self._scaled.get((row.get("claim", ""), row.get("environment", "")))
            return ShownEntry(self.messages.reasons(scaled)) if scaled else ShownEntry(text, english=True)
        if column == "reason":
            block = row.get("scenario", ""), row.get("environment", ""), int(row.get("block", "-1"))
            reasons = self._disturbed.get(block)
            return ShownEntry(self.messages.written(reasons)) if reasons else ShownEntry(text, english=True)
        return ShownEntry(environment_name(text))


def _read(path: Path, cells: _Entries) -> Table:
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
        Column(
            name,
            cells.known(f"column.{name}", title_of(name)),
            all(_is_number(row[index]) for row in shown if row[index]),
        )
        for index, name in enumerate(heading)
    ]
    return Table(
        anchor=f"table-{path.stem}",
        title=cells.known(f"table.{path.stem}.title", title_of(path.stem)),
        caption=cells.known(f"table.{path.stem}.caption", caption(path)),
        columns=columns,
        cells=[[cells.cell(dict(zip(heading, row, strict=True)), column) for column in columns] for row in shown],
        rows=len(rows),
        files=[file for suffix in (".csv", ".md", ".tex") if (file := path.with_suffix(suffix)).exists()],
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
