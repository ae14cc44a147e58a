"""The Japanese page: what a real run says on it is in Japanese, but for names and what programs said."""

from __future__ import annotations

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.support import synthetic_results as synthetic

from tf_claims.cells.cell import Cell
from tf_claims.cells.measurements import read_measurements
from tf_claims.model.results import Results
from tf_claims.model.study import Study, read_study
from tf_claims.publish.page import build_page
from tf_claims.tables.files import write_table
from tf_claims.tables.write import all_tables
from tf_claims.verdicts.judge import write_verdicts

REFERENCE = Path("reference/quick")
JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
ENGLISH = re.compile(r"\b(?:a|an|and|are|as|at|by|for|from|in|is|not|of|or|than|that|the|this|to|was|were|with)\b")
"""Words without which there is no English sentence, and of which no name is made."""


class Said(NamedTuple):
    """A piece of text, the element that it stands in, and the language that it is marked with."""

    text: str
    element: str
    language: str


class Spoken(HTMLParser):
    """What a page says, in its text and in the attributes that are read to people."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.said: list[Said] = []
        self._open: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        language = values.get("lang") or (self._open[-1][1] if self._open else "")
        self.said += [Said(values[name], tag, language) for name in ("aria-label", "title") if name in values]
        if tag not in ("meta", "link", "br"):
            self._open.append((tag, language))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass  # an element of a drawing

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()

    def handle_data(self, data: str) -> None:
        if data.strip() and self._open and self._open[-1][0] not in ("script", "style"):
            self.said.append(Said(data.strip(), *self._open[-1]))


def marked_english(page: str) -> set[str]:
    return {each.text for each in Spoken(page).said if each.language == "en" and each.element != "a"}


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """The reference, judged and tabulated again."""
    results = Results(tmp_path_factory.mktemp("judged") / "results" / "quick")
    results.folder.mkdir(parents=True)
    shutil.copy(REFERENCE / "study.json", results.study)
    study: Study = read_study(results.study)
    cells: dict[tuple[str, str], Cell] = read_measurements(REFERENCE / "observations.parquet", study)
    judgements = write_verdicts(study, cells, results)
    for table in all_tables(study, cells, judgements):
        write_table(table, results.tables)
    return results


def test_a_real_run_is_told_in_japanese(judged: Results) -> None:
    page = build_page(judged, language="ja")
    assert marked_english(page) == set()
    said = Spoken(page).said
    assert len(said) > 1000
    assert [each for each in said if each.language == "ja" and ENGLISH.search(each.text)] == []


def test_english_sentences_are_found_where_there_are_some(judged: Results) -> None:
    """The search above finds those of the English page: it would see one that is left."""
    found = [each for each in Spoken(build_page(judged)).said if ENGLISH.search(each.text)]
    assert len(found) > 200


def test_what_a_program_said_is_marked_as_english(tmp_path: Path) -> None:
    results = Results(synthetic.write_results(tmp_path))
    shutil.rmtree(results.figures)
    content = [each for each in synthetic.verdicts() if each["claim"] == "C1"]
    synthetic.write_verdicts(results.folder, content)
    assert marked_english(build_page(results, language="ja")) == {"killed", "signal 9: out of memory?"}


def test_a_text_without_a_translation_is_marked_as_english(tmp_path: Path) -> None:
    results = Results(synthetic.write_results(tmp_path))
    (results.tables / "verdicts.csv").write_text("claim,environment,scaled_down\nZ9,tf1.15-cpu,half of it\n")
    assert "half of it" in marked_english(build_page(results, language="ja"))


def test_figures_are_the_japanese_ones_where_there_are_some(tmp_path: Path) -> None:
    results = Results(synthetic.write_results(tmp_path))
    shutil.rmtree(results.figures / "ja")
    translated = results.figures / "ja" / "linear_regression_ratios.svg"
    translated.parent.mkdir()
    translated.write_text(synthetic.SVG.replace("C1, published: 10", "C1、文章の値: 10"))
    translated.with_suffix(".txt").write_text("文章の比と\n測定した比。\n")
    page = build_page(results, language="ja")
    assert "C1、文章の値: 10" in page and "文章の比と 測定した比。" in page
    assert "Published ratio" not in page
    assert 'href="../figures/ja/linear_regression_ratios.svg"' in page
    # The other figure is there in English, and says so.
    assert "C1, published: 10" in marked_english(page)
    assert JAPANESE.search(page.split('id="figure-linear_regression_ratios-title">')[1].split("</strong>")[0])
    english = build_page(results)
    assert "Published ratio" in english and "C1、文章の値" not in english
