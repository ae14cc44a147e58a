"""A table in three forms: CSV with nine digits, Markdown and booktabs LaTeX with three."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tf_claims.model.digits import settled
from tf_claims.model.files import write_whole
from tf_claims.words.numbers import number

Entry = str | int | float | None

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


class Table(NamedTuple):
    """``heading`` has the columns' names, separated by blanks; ``caption`` goes to the text file of the same name."""

    name: str
    caption: str
    heading: str
    rows: Sequence[Sequence[Entry]]

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self.heading.split()


def write_table(table: Table, folder: Path) -> None:
    """``<name>.csv``, ``.md``, ``.tex`` and ``.txt`` (the caption) in ``folder``."""
    for suffix, text in {"csv": as_csv(table), "md": as_markdown(table), "tex": as_latex(table)}.items():
        write_whole(folder / f"{table.name}.{suffix}", text)
    write_whole(folder / f"{table.name}.txt", table.caption + "\n")


def as_csv(table: Table) -> str:
    """Nine significant digits; an empty field where there is no value."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(map(settled, table.rows))
    return text.getvalue()


def as_markdown(table: Table) -> str:
    """Numbers to the right."""
    rule = ["---:" if numeric else "---" for numeric in _numeric(table)]
    lines = [table.columns, rule, *([_shown(entry).replace("|", r"\|") for entry in row] for row in table.rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def as_latex(table: Table) -> str:
    """A bare ``tabular`` for the package booktabs."""
    columns = "".join("r" if numeric else "l" for numeric in _numeric(table))
    lines = [[escape_latex(_shown(entry)) for entry in row] for row in (table.columns, *table.rows)]
    heading, *rows = (f"{' & '.join(line)} \\\\" for line in lines)
    return "\n".join(
        [
            f"\\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            heading,
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


def _numeric(table: Table) -> list[bool]:
    return [
        bool(filled := [row[index] for row in table.rows if row[index] is not None])
        and all(isinstance(entry, int | float) for entry in filled)
        for index in range(len(table.columns))
    ]


def _shown(entry: Entry) -> str:
    if entry is None:
        return ""
    return " ".join(entry.split()) if isinstance(entry, str) else number(entry)


def escape_latex(text: str) -> str:
    """``text`` with its special characters as LaTeX prints them."""
    return "".join(_LATEX.get(character, character) for character in text)
