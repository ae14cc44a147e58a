"""The page of a run, in each language: files that need nothing else, with the verdicts and what they rest on.

``python -m tf_claims.publish.page --results results/quick --output results/quick/report/index.html`` writes the English one, and
the Japanese ``index.ja.html`` beside it.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tf_claims.model.errors import exit_clearly
from tf_claims.model.files import write_whole
from tf_claims.model.scenario import SCENARIOS
from tf_claims.publish.conditions import read_conditions
from tf_claims.publish.evidence import read_evidence
from tf_claims.publish.figures import read_figures
from tf_claims.publish.quality import read_quality
from tf_claims.publish.reviews import claim_reviews
from tf_claims.publish.tables import MOST_ROWS, read_tables
from tf_claims.publish.verdicts import WORDS, arrange, count_words, environments, read_verdicts
from tf_claims.words import names as words
from tf_claims.words.joined import TOGETHER
from tf_claims.words.messages import ENGLISH, LANGUAGES, Language, Messages

TEMPLATES = Path(__file__).parent / "templates"
_DOWNLOADS = ("paper.pdf", "verdicts.json", "estimates.csv", "observations.csv", "observations.parquet")


def build_page(
    results: Path,
    output: Path,
    blocks_in_all: int | None = None,
    scenarios: Path = SCENARIOS,
    language: Language = "en",
) -> str:
    """The page of the results folder of a preset, with links as they are from ``output``, the English page.

    ``blocks_in_all`` is given while blocks are still missing. The same input gives the same page.

    :raises InputError: for broken input, naming file and field.
    """
    messages = Messages(language)
    path = results / "verdicts.json"
    verdicts = read_verdicts(path)
    conditions = read_conditions(results)
    texts = arrange(verdicts, path, scenarios, messages, read_evidence(results, verdicts))
    script = (TEMPLATES / "page.js").read_text()
    template = template_environment(linker(output), messages).get_template("page.html.j2")
    return template.render(
        preset=results.name,
        language=language,
        pages={each: _page(output, each).name for each in LANGUAGES},
        counts=count_words(verdicts),
        words=WORDS,
        together=TOGETHER,
        texts=texts,
        environments=environments(texts),
        figures=read_figures(results / "figures", messages),
        tables=read_tables(results / "tables"),
        most_rows=MOST_ROWS,
        quality=read_quality(results / "tables"),
        conditions=conditions,
        not_containerised="venv" in {*conditions.engines, *(verdict.engine for verdict in verdicts)},
        blocks_in_all=blocks_in_all,
        folders=_files(results, output),
        downloads=[file for name in _DOWNLOADS if (file := results / name).exists()],
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
    environment.filters |= {
        "link": link,
        "number": words.number,
        "told": messages.told,
        "each_told": messages.each_told,
        "told_text": lambda text, kind: messages.find(text, kind) or text,
    }
    environment.globals |= {"say": messages.say, "count": messages.count}
    return environment


def _page(output: Path, language: Language) -> Path:
    """Where the page lies in a language: ``index.html`` in English, ``index.ja.html`` in Japanese."""
    return output if language == "en" else output.with_suffix(f".{language}{output.suffix}")


def linker(output: Path) -> Callable[[Path], str]:
    """What turns a file into a link to it from the page at ``output``."""

    def link(path: Path) -> str:
        return quote(Path(os.path.relpath(path, output.parent)).as_posix())

    return link


MADE_LATER = {"ro-crate-metadata.json", "sources", "snakemake-report.html", "logs"}
"""What is made of the page, or while it is: a page that listed it would change when it is made again."""


def _files(results: Path, output: Path) -> dict[str, list[tuple[str, Path]]]:
    """Every file under ``results`` but the pages and what is made of them, by its first folder.

    Each with its name in that folder.
    """
    pages = {_page(output, language).resolve() for language in LANGUAGES}
    folders: dict[str, list[tuple[str, Path]]] = {}
    for path in sorted(results.rglob("*")):
        parts = path.relative_to(results).parts
        # A name with a dot in front is a file that is being written.
        hidden = parts[0] in MADE_LATER or any(part.startswith(".") for part in parts)
        if path.is_file() and path.resolve() not in pages and not hidden:
            folder = parts[0] if len(parts) > 1 else ""
            folders.setdefault(folder, []).append(("/".join(parts[1:] if folder else parts), path))
    return dict(sorted(folders.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, required=True, help="the results folder of a preset")
    parser.add_argument("--output", type=Path, required=True, help="the page in English")
    parser.add_argument(
        "--so-far", type=int, metavar="BLOCKS", help="while the run still measures: how many blocks it has in all"
    )
    options = parser.parse_args()
    pages = {
        _page(options.output, language): build_page(options.results, options.output, options.so_far, language=language)
        for language in LANGUAGES
    }
    for path, page in pages.items():
        write_whole(path, page)


if __name__ == "__main__":
    exit_clearly(main)
