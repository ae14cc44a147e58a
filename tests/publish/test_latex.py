"""The LaTeX document, checked by its structure: no TeX is needed for it."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
from tests.support import synthetic_results as synthetic

from tf_claims.model.results import Results
from tf_claims.publish.latex import build_latex
from tf_claims.tables.files import escape_latex

# What LaTeX's own utf8 knows beside ASCII (utf8enc.dfu, T1 and TS1).
KNOWN = set("±×÷·°µ–—‘’“”†‡…€\u00a0¹²³")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return synthetic.write_results(tmp_path)


def body_of(document: str) -> str:
    return document.split(r"\begin{document}")[1]


def test_environments_and_braces_close_in_order(results: Path):
    document = re.sub(r"(?m)(?<!\\)%.*$", "", build_latex(Results(results)))
    opened: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", r"\begin{document}" + body_of(document)):
        if kind == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert opened == []
    depth = 0
    for brace in (mark for mark in re.findall(r"\\.|[{}]", document) if mark in "{}"):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0


def test_every_table_and_figure_is_included_and_is_there(results: Path):
    body = body_of(build_latex(Results(results)))
    included = re.findall(r"\\includegraphics\[[^]]*\]\{([^}]+)\}", body)
    included += [f"{name}.tex" for name in re.findall(r"\\wholetable\{([^}]+)\}", body)]
    folder = results / "latex"
    assert {(folder / path).resolve() for path in included} == {
        *results.glob("figures/*.pdf"),
        *results.glob("tables/*.tex"),
    }


def test_special_characters_are_escaped(results: Path):
    (results / "figures" / "linear_regression_ratios.txt").write_text("50 % of a_b & {c} # $d ~ ^ \\e\n")
    body = body_of(build_latex(Results(results)))
    escaped = r"50 \% of a\_b \& \{c\} \# \$d \textasciitilde{} \textasciicircum{} \textbackslash{}e"
    assert rf"\caption{{{escaped}}}" in body
    words = re.sub(r"\\(includegraphics\[[^]]*\]|wholetable)\{[^}]*\}", "", body)
    assert re.findall(r"(?<!\\)[&_#$^~%]", words) == []


def test_every_character_is_one_that_latex_knows(results: Path):
    document = build_latex(Results(results))
    declared = {chr(int(code, 16)) for code in re.findall(r"DeclareUnicodeCharacter\{([0-9A-F]+)\}", document)}
    used = {character for character in document if ord(character) > 127}
    unknown = used - declared - KNOWN
    assert [unicodedata.name(character) for character in unknown] == []
    assert set("−∞⁻⁰⁴⁵⁶⁷⁸⁹") <= declared


def test_a_changed_result_changes_the_document(results: Path):
    before = build_latex(Results(results))
    path = results / "judgements.json"
    path.write_text(path.read_text().replace("31.0", "47.3"))
    after = build_latex(Results(results))
    assert "took 31.0 times" in before and "took 47.3 times" in after


def test_the_same_results_give_the_same_document(results: Path):
    assert build_latex(Results(results)) == build_latex(Results(results))


def test_plain_text_stays_as_it_is():
    assert escape_latex("Session.run, 12.6 (CPU)") == "Session.run, 12.6 (CPU)"
