"""``tf-claims page``: the page of a run in each language, one file with all that a verdict rests on."""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tf_claims.model.files import write_whole
from tf_claims.model.results import Results
from tf_claims.model.study import read_study
from tf_claims.options import add_results_option
from tf_claims.publish.conditions import read_conditions
from tf_claims.publish.evidence import as_link
from tf_claims.publish.figures import read_figures
from tf_claims.publish.quality import read_quality
from tf_claims.publish.reviews import claim_reviews
from tf_claims.publish.tables import MOST_ROWS, read_tables
from tf_claims.publish.verdicts import WORDS, arrange, count_words, environments
from tf_claims.verdicts.judgement import read_judgements
from tf_claims.words.joined import TOGETHER
from tf_claims.words.messages import ENGLISH, LANGUAGES, Language, Messages
from tf_claims.words.numbers import number

TEMPLATES = Path(__file__).parent / "templates"


def build_page(results: Results, blocks_in_all: int | None = None, language: Language = "en") -> str:
    """The page of the results folder of a preset, with links as they are from the folder of the pages.

    ``blocks_in_all`` is given while blocks are still missing. The same input gives the same page.

    :raises InputError: for broken input, naming file and field.
    """
    messages = Messages(language)
    study = read_study(results.study)
    judgements = read_judgements(results.judgements)
    verdicts = [each.verdict for each in judgements]
    conditions = read_conditions(results, messages)
    texts = arrange(judgements, results.judgements, study.scenarios, messages)
    downloads = (
        results.paper,
        results.verdicts,
        results.estimates,
        results.observations_csv,
        results.observations,
    )
    script = (TEMPLATES / "page.js").read_text()
    template = template_environment(linker(results.page), messages).get_template("page.html.j2")
    return template.render(
        preset=study.name,
        language=language,
        pages={each: path.name for each, path in pages(results).items()},
        counts=count_words(verdicts),
        words=WORDS,
        together=TOGETHER,
        texts=texts,
        environments=environments(texts),
        figures=read_figures(results.figures, messages),
        tables=read_tables(results.tables, messages, judgements),
        most_rows=MOST_ROWS,
        quality=read_quality(results.tables, judgements),
        conditions=conditions,
        rules=study.rules,
        decides=study.preset.decides,
        changed_rules=study.changed_rules,
        not_containerised="venv" in {*conditions.engines, *(verdict.engine for verdict in verdicts)},
        blocks_in_all=blocks_in_all,
        folders=_files(results),
        downloads=[file for file in downloads if file.exists()],
        paper=results.paper,
        reviews=claim_reviews(texts, messages),
        script=script,
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )


def template_environment(link: Callable[[Path], str], messages: Messages = ENGLISH) -> Environment:
    """The templates of all pages; ``link`` turns a file into a link, ``messages`` are in English by default."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"link": link, "number": number, "written": messages.written, "as_link": as_link}
    environment.globals |= {"say": messages.say, "count": messages.count}
    return environment


def pages(results: Results) -> dict[Language, Path]:
    """Where the page lies in each language."""
    return dict(zip(LANGUAGES, (results.page, results.page_ja), strict=True))


def linker(output: Path) -> Callable[[Path], str]:
    """What turns a file into a link to it from the page at ``output``."""

    def link(path: Path) -> str:
        return quote(Path(os.path.relpath(path, output.parent)).as_posix())

    return link


def _files(results: Results) -> dict[str, list[tuple[str, Path]]]:
    """Every file of the results but the pages and what is made of them, by its first folder.

    Each with its name in that folder. What is made of the page, or while it is, would change it when it is made again.
    """
    made_later = {results.crate, results.sources, results.snakemake_report, results.logs, *pages(results).values()}
    folders: dict[str, list[tuple[str, Path]]] = {}
    for path in sorted(results.folder.rglob("*")):
        parts = path.relative_to(results.folder).parts
        # A name with a dot in front is a file that is being written.
        hidden = made_later & {path, *path.parents} or any(part.startswith(".") for part in parts)
        if path.is_file() and not hidden:
            folder = parts[0] if len(parts) > 1 else ""
            folders.setdefault(folder, []).append(("/".join(parts[1:] if folder else parts), path))
    return dict(sorted(folders.items()))


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_results_option(parser)
    parser.add_argument(
        "--so-far", type=int, metavar="BLOCKS", help="while the run still measures: how many blocks it has in all"
    )


def execute(options: argparse.Namespace) -> None:
    """Write the page in each language."""
    results = Results(options.results)
    written = {path: build_page(results, options.so_far, language) for language, path in pages(results).items()}
    for path, page in written.items():
        write_whole(path, page)
