"""The page of a run: one file that needs nothing else, with the verdicts and what they rest on.

``python -m publish.page --results results/quick --output results/quick/report/index.html``
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from model.errors import exit_clearly
from model.files import write_whole
from model.scenario import SCENARIOS
from publish import words
from publish.conditions import read_conditions
from publish.figures import read_figures
from publish.tables import MOST_ROWS, read_tables
from publish.verdicts import arrange, count_words, environments, read_verdicts

TEMPLATES = Path(__file__).parent / "templates"


def build_page(results: Path, output: Path, blocks_in_all: int | None = None, scenarios: Path = SCENARIOS) -> str:
    """The page of the results folder of a preset, with links as they are from ``output``.

    ``blocks_in_all`` is given while blocks are still missing. The same input gives the same page.

    :raises InputError: for broken input, naming file and field.
    """
    path = results / "verdicts.json"
    verdicts = read_verdicts(path)
    conditions = read_conditions(results)
    texts = arrange(verdicts, path, scenarios)
    template = _environment(_linker(output)).get_template("page.html.j2")
    return template.render(
        preset=results.name,
        counts=count_words(verdicts),
        texts=texts,
        environments=environments(texts),
        figures=read_figures(results / "figures"),
        tables=read_tables(results / "tables"),
        most_rows=MOST_ROWS,
        conditions=conditions,
        not_containerised="venv" in {*conditions.engines, *(verdict.engine for verdict in verdicts)},
        blocks_in_all=blocks_in_all,
        folders=_files(results, output),
    )


def _environment(link: Callable[[Path], str]) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"link": link, "number": words.number}
    environment.globals["count"] = words.count
    return environment


def _linker(output: Path) -> Callable[[Path], str]:
    """What turns a file into a link to it from the page at ``output``."""

    def link(path: Path) -> str:
        return quote(Path(os.path.relpath(path, output.parent)).as_posix())

    return link


def _files(results: Path, output: Path) -> dict[str, list[tuple[str, Path]]]:
    """Every file under ``results`` but the page itself, by its first folder, each with its name in that folder."""
    folders: dict[str, list[tuple[str, Path]]] = {}
    for path in sorted(results.rglob("*")):
        parts = path.relative_to(results).parts
        # A name with a dot in front is a file that is being written.
        if path.is_file() and path.resolve() != output.resolve() and not any(part.startswith(".") for part in parts):
            folder = parts[0] if len(parts) > 1 else ""
            folders.setdefault(folder, []).append(("/".join(parts[1:] if folder else parts), path))
    return dict(sorted(folders.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, required=True, help="the results folder of a preset")
    parser.add_argument("--output", type=Path, required=True, help="the page")
    parser.add_argument(
        "--so-far", type=int, metavar="BLOCKS", help="while the run still measures: how many blocks it has in all"
    )
    options = parser.parse_args()
    write_whole(options.output, build_page(options.results, options.output, options.so_far))


if __name__ == "__main__":
    exit_clearly(main)
