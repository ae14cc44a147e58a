"""``tf-claims latex``: the tables (booktabs) and figures (PDF) of a run in one LaTeX document."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tf_claims.model.files import write_whole
from tf_claims.model.results import Results
from tf_claims.options import add_results_option
from tf_claims.publish.figures import caption
from tf_claims.publish.page import TEMPLATES
from tf_claims.publish.paper_content import read_paper
from tf_claims.publish.paper_model import PaperFigure
from tf_claims.tables.files import escape_latex

# ² and ³ are known to LaTeX, and so is ¹.
_SUPERSCRIPTS = [(f"{ord(character):04X}", digit) for character, digit in zip("⁰⁴⁵⁶⁷⁸⁹", "0456789", strict=True)]


class LatexTable(NamedTuple):
    """A table by its file, with its caption."""

    name: str
    caption: str


def build_latex(results: Results) -> str:
    """The document of a preset's results folder, with paths as they are from a folder ``latex`` there.

    :raises InputError: for broken input, naming file and field.
    """
    # Marks of its own, since LaTeX is full of braces and per cent signs.
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
        comment_start_string="<#",
        comment_end_string="#>",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["tex"] = escape_latex
    return environment.get_template("main.tex.j2").render(
        paper=read_paper(results),
        tables=[LatexTable(path.stem, caption(path)) for path in sorted(results.tables.glob("*.tex"))],
        superscripts=_SUPERSCRIPTS,
        draw=_draw,
    )


def _draw(figure: PaperFigure) -> str:
    return "\n".join(
        [
            r"\begin{figure}[!htbp]",
            r"\centering",
            rf"\includegraphics[width=0.8\linewidth]{{../figures/{Path(figure.file).stem}.pdf}}",
            rf"\caption{{{escape_latex(figure.caption)}}}",
            r"\end{figure}",
        ]
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_results_option(parser)


def execute(options: argparse.Namespace) -> None:
    """Write the document."""
    results = Results(options.results)
    write_whole(results.latex, build_latex(results))
