"""``tf-claims paper``: the paper of a run, as PDF."""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

import typst

from tf_claims.model.files import replaced
from tf_claims.model.results import Results
from tf_claims.options import add_results_option
from tf_claims.publish.page import TEMPLATES
from tf_claims.publish.paper_content import read_paper
from tf_claims.publish.paper_model import Paper


def compile_paper(paper: Paper, figures: Path) -> bytes:
    """The PDF, with the figures of a folder. The same content and figures give the same bytes on every machine."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in ("paper.typ", "paper.bib"):
            shutil.copy(TEMPLATES / file, folder)
        (folder / "content.json").write_text(paper.model_dump_json())
        (folder / "figures").mkdir()
        for figure in (*paper.figures, *(each for section in paper.sections for each in section.figures)):
            shutil.copy(figures / figure.file, folder / "figures")
        # Only the compiler's own fonts: those of the machine would change the pages.
        return bytes(typst.compile(folder / "paper.typ", root=folder, font_paths=[], ignore_system_fonts=True))


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_results_option(parser)


def execute(options: argparse.Namespace) -> None:
    """Write the paper."""
    results = Results(options.results)
    pdf = compile_paper(read_paper(results), results.figures)
    with replaced(results.paper) as draft:
        draft.write_bytes(pdf)
