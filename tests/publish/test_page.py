from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from itertools import pairwise, product
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from tests.support import synthetic_results as synthetic

from tf_claims.model.errors import InputError
from tf_claims.model.results import Results
from tf_claims.model.rules import Registration, present_rules, rules_of
from tf_claims.model.study import write_study
from tf_claims.publish.page import build_page
from tf_claims.publish.verdicts import WORDS
from tf_claims.words.messages import LANGUAGES, Language

VOID = {"meta", "link", "br"}  # of the elements that the page has
INLINE = {"a", "code", "em", "q", "span", "strong"}


class Page(HTMLParser):
    """What a page is made of, and whether its elements close in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.labels: list[str] = []
        self.headings: list[int] = []
        self.text = ""
        self.scripts: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values[name] for name in ("href", "xlink:href", "src") if name in values]
        self.links += [f"#{name}" for value in values.values() for name in re.findall(r"url\(#([^)]+)\)", value)]
        self.labels += values.get("aria-labelledby", "").split()
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag not in INLINE:
            self.text += " "

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)
        elif self.open and self.open[-1] != "style":
            self.text += data


def page_of(results: Path, blocks_in_all: int | None = None, language: Language = "en") -> str:
    return build_page(Results(results), blocks_in_all, language=language)


def write_pages(results: Path) -> None:
    """Both pages, so that their links to one another lead somewhere."""
    (results / "report").mkdir()
    (results / "report" / "index.html").write_text(page_of(results))
    (results / "report" / "index.ja.html").write_text(page_of(results, language="ja"))


def words_of(text: str) -> str:
    return " ".join(Page(text).text.split())


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return synthetic.write_results(tmp_path)


def with_verdicts(results: Path, *verdicts: dict[str, Any]) -> str:
    synthetic.write_verdicts(results, list(verdicts))
    return words_of(page_of(results))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_anchor_and_label_resolves_and_every_file_is_linked(results: Path, language: Language) -> None:
    output = results / "report" / "index.html"
    write_pages(results)
    (results / "tables" / "a name & 50%.md").write_text("odd")
    (results / "paper.pdf").write_text("%PDF")
    page = Page(page_of(results, language=language))
    assert len(page.ids) == len(set(page.ids))
    assert page.open == []
    targets = set()
    for link in page.links:
        if link.startswith("#"):
            assert link[1:] in page.ids
        elif not link.startswith("data:"):
            assert ":" not in link
            targets.add((output.parent / unquote(link)).resolve())
    assert all(target.is_file() for target in targets)
    assert targets >= {path.resolve() for path in results.rglob("*") if path.is_file()}
    assert set(page.labels) <= set(page.ids)


def test_the_paper_is_linked_where_it_is_there(results: Path) -> None:
    assert "Paper (PDF)" not in page_of(results)
    (results / "paper.pdf").write_text("%PDF")
    assert '<a href="../paper.pdf">Paper (PDF)</a>' in page_of(results)


def test_a_row_counts_as_many_verdicts_as_it_stands_for(results: Path) -> None:
    verdicts = json.loads((results / "verdicts.json").read_text())
    alike = {"verdict": "not run", "reason": "no NVIDIA GPU", "estimate": None, "ci_low": None, "ci_high": None}
    verdicts += [verdicts[0] | alike | {"environment": f"tf{version}-gpu"} for version in ("1.15", "2.0")]
    synthetic.write_verdicts(results, verdicts)
    counted = [int(number) for number in re.findall(r'data-verdicts="(\d+)"', page_of(results))]
    assert 2 in counted
    assert sum(counted) == len(verdicts)


def test_headings_descend_one_level_at_a_time(results: Path) -> None:
    headings = Page(page_of(results)).headings
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(headings))


def test_the_same_files_give_the_same_bytes(results: Path) -> None:
    assert page_of(results) == page_of(results)
    assert page_of(results, language="ja") == page_of(results, language="ja")
    first = page_of(results)
    write_pages(results)
    (results / "report" / ".index.html.half").write_text("being written")
    assert page_of(results) == first


def test_nothing_is_loaded_from_elsewhere(results: Path) -> None:
    page = page_of(results)
    assert not re.search(r"@import|\ssrc=|<iframe|url\((?!#)", page)
    assert set(re.findall(r"https?://[^\"'\s)]+", page)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
        "https://schema.org",
    }


def test_the_only_script_is_the_one_whose_hash_the_policy_names(results: Path) -> None:
    page = page_of(results)
    _, script = Page(page).scripts
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy and f"script-src 'sha256-{digest}'" in policy[1]
    assert "script-src 'unsafe-inline'" not in policy[1] and "default-src 'none'" in policy[1]
    assert not re.search(r"\son\w+=", page)


def test_verdicts_in_plain_words_with_the_published_number_beside_ours(results: Path) -> None:
    text = words_of(page_of(results))
    assert "“" not in text
    assert "TensorFlow on the CPU is about ten times slower than NumPy." in text
    assert "Why is steepest descent in TensorFlow so much slower" in text
    assert "The text used tensorflow-gpu 1.15, Python 3.7.9." in text
    assert (
        "In TensorFlow 1.15 (CPU) it took 12.6 times as long; the text says 10: "
        "the same direction, and about the same size." in text
    )
    assert "reproduced scaled down Here 12.6 12.1 to 13.2" in text and "The text: 10" in text
    assert "it took 31.0 times as long; the text says 10: the same direction, another size." in text
    assert "In TensorFlow 1.15, 2.21 (CPU) it took 0.62 to 1.52 times as long: not the same." in text
    assert "it took 0.62 times as long: not the same." in text
    assert "anything from 0.91 to 1.22 would fit what we measured. Whether that is the same we cannot tell." in text
    assert "In TensorFlow 1.15 (GPU) this was not run: no NVIDIA GPU." in text
    assert "session_feed overtakes numpy as n grows: they cost the same at about n = 213,000." in text
    assert "Equal at n = 213,000 160,000 to 290,000" in text
    assert "W_unscaled = 0.968181 0.968181 to 0.968182 " in text and "Expected: 0.96818" in text
    assert "elapsed time of session_feed against numpy, both with n = 1,000, inputs = raw." in text


def test_scaled_down_is_marked_beside_the_verdict_and_its_note_is_said_once(results: Path) -> None:
    text = with_verdicts(
        results,
        synthetic.verdict("C1", "tf1.15-cpu", "reproduced"),
        synthetic.verdict("C1", "tf2.0-cpu", "reproduced"),
    )
    assert text.count("reproduced scaled down") == 2
    assert text.count(f"Scaled down: {synthetic.SHRUNK}") == 1


def test_each_word_of_each_estimand_has_a_badge_and_a_sentence(results: Path) -> None:
    claims = {"C1": "ratio", "C5": "cost_model", "C7": "value"}
    cases = list(product(claims, WORDS, ({}, synthetic.NOTHING)))
    facts = dict.fromkeys(claims) | {"C7": {"shown": "W_unscaled", "expected": 0.96818, "within": 1e-5}}
    verdicts = [
        synthetic.verdict(
            claim,
            f"tf2.{index}-cpu",
            word,
            estimand=claims[claim],
            says="x",
            reason="for this.",
            facts=facts[claim],
            **numbers,
        )
        for index, (claim, word, numbers) in enumerate(cases)
    ]
    synthetic.write_verdicts(results, verdicts)
    page = page_of(results)
    rows = page.split('<li class="row"')[1:]
    for index, (row, (_, word, _)) in enumerate(zip(rows, cases, strict=True)):
        assert f'data-verdict="{word}"' in row
        assert f'<span class="judgement"><span class="badge {word.replace(" ", "-")}">' in row
        assert re.search(rf'<p class="sentence">In TensorFlow 2\.{index} \(CPU\) [^{{}}]+[^.]\.</p>', row)
        assert "for this" in row
    for word in WORDS:
        assert f"6 {word}" in words_of(page)


def test_markup_in_claims_and_reasons_is_shown_not_obeyed(results: Path) -> None:
    evil = "<script>alert(1)</script> & <b>bold</b>"
    for fields in ({"says": evil}, {"reason": evil}, {"scaled_down_note": evil}, {"published_figures": evil}):
        synthetic.write_verdicts(results, [synthetic.verdict("C1", "tf1.15-cpu", "inconclusive", **fields)])
        page = page_of(results)
        assert "alert(1)</script>" not in page and "<b>" not in page
        assert len(Page(page).scripts) == 2
        assert evil in words_of(page)
    assert "Published ratio &lt;beside&gt; ours." in page


def test_a_run_without_containers_says_so_at_the_top_and_beside_each_verdict(results: Path) -> None:
    assert "Not containerised" not in words_of(page_of(results))
    text = with_verdicts(results, synthetic.verdict("C1", "tf1.15-cpu", "reproduced", engine="venv"))
    assert text.index("Not containerised.") < text.index("Verdicts")
    assert "scaled down not containerised" in text


def test_the_record_of_a_virtual_environment_is_found_and_has_no_image(results: Path) -> None:
    images = results.parent / "images"
    images.rename(results.parent / "venvs")
    record = results.parent / "venvs" / f"tf2.0-cpu.{synthetic.KEY}.json"
    synthetic.write_json(
        record, {"environment": "tf2.0-cpu", "key": synthetic.KEY, "lock_sha256": "cd" * 32, "engine": "venv"}
    )
    page = page_of(results)
    assert f"../../venvs/tf2.0-cpu.{synthetic.KEY}.json" in Page(page).links
    record.unlink()
    assert f"Record none found for {synthetic.KEY}" in words_of(page_of(results))


def test_the_command_writes_the_page_and_refuses_broken_input_in_one_line(results: Path) -> None:
    output = results / "report" / "index.html"
    command = [
        sys.executable,
        "-m",
        "tf_claims",
        "page",
        "--results",
        results,
        "--so-far",
        "40",
    ]
    environment = os.environ | {"PYTHONPATH": "scripts"}
    subprocess.run(command, check=True, env=environment)
    assert output.read_text() == page_of(results, 40)
    assert output.with_name("index.ja.html").read_text() == page_of(results, 40, "ja")
    cut(results / "judgements.json")
    ended = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert ended.returncode == 2
    assert re.fullmatch(r"error: .*judgements\.json: not JSON, or cut short: .*\n", ended.stderr)
    assert output.read_text().endswith("</html>\n")


def test_a_run_under_way_says_how_far_it_is(results: Path) -> None:
    assert "So far: 6 of 40 blocks measured." in words_of(page_of(results, 40))
    assert "So far" not in words_of(page_of(results, 6))
    assert "So far" not in words_of(page_of(results))


def test_the_smoke_preset_says_that_its_verdicts_mean_nothing(tmp_path: Path) -> None:
    smoke = words_of(page_of(synthetic.write_results(tmp_path, "smoke")))
    assert smoke.index("These verdicts mean nothing.") < smoke.index("Verdicts")
    assert "mean nothing" not in words_of(page_of(synthetic.write_results(tmp_path)))


def test_the_conditions_of_the_run(results: Path) -> None:
    text = words_of(page_of(results))
    for fact in (
        "6 blocks with 12 processes in all",
        "Example CPU @ 2.60GHz, 2 cores",
        "Memory 8.0 GiB",
        "Load before a block 0.2 to 0.5",
        "Calibration 0.1 to 0.101 s",
        "Drift −1.2 % to +1.9 %",
        "tensorflow 2.21.0",
        "TensorFlow between operations its own choice",
        "sha256:" + "ef" * 32,
        "c0ffee" * 6 + "c0ff (without changes)",
        "image of 579 MB",
        "TensorFlow 2.21 (CPU) session_feed n=1000 raw cpu killed signal 9: out of memory? 1",
    ):
        assert fact in text


def test_the_conditions_are_those_of_the_blocks_that_were_judged(results: Path) -> None:
    before = page_of(results)
    later = results / "observations" / "linear_regression" / "tf2.0-cpu" / "7.jsonl"
    synthetic.write_lines(later, [synthetic.observation("tf2.0-cpu", 7, 0)])
    text = words_of(page_of(results))
    assert "6 blocks with 12 processes in all" in text and "Load before a block 0.2 to 0.5" in text
    later.unlink()
    assert page_of(results) == before
    (later.parent / "1.jsonl").unlink()
    with pytest.raises(InputError, match=r"1\.jsonl: no such observation file"):
        page_of(results)


def test_tables_are_rounded_and_name_environments_in_words(results: Path) -> None:
    assert "C1 TensorFlow 1.15 (CPU) 12.6 5" in words_of(page_of(results))


def test_an_empty_run_has_a_page(tmp_path: Path) -> None:
    results = tmp_path / "results" / "quick"
    write_study(synthetic.STUDY, results / "study.json")
    text = with_verdicts(results)
    assert "There are no verdicts yet." in text
    assert "Nothing is measured yet." in text


def test_figures_keep_their_ids_apart(results: Path) -> None:
    page = page_of(results)
    for name in ("ratios", "cost_model"):
        prefix = f"figure-linear_regression_{name}"
        assert f'id="{prefix}-mark"' in page
        assert f'xlink:href="#{prefix}-mark"' in page
        assert f'clip-path="url(#{prefix}-clip)"' in page
        assert f"#{prefix} * {{stroke-linejoin: round}}" in page
    assert "made by hand" not in page


def drop_field(path: Path) -> None:
    judgements = json.loads(path.read_text())
    del judgements[2]["verdict"]["reason"]
    path.write_text(json.dumps(judgements))


def cut(path: Path) -> None:
    path.write_text(path.read_text()[:-40])


def unknown_claim(path: Path) -> None:
    synthetic.write_verdicts(path.parent, [synthetic.verdict("Z9", "tf1.15-cpu", "reproduced")])


@pytest.mark.parametrize(
    ("file", "harm", "message"),
    [
        ("judgements.json", drop_field, r"judgements\.json: field 2\.verdict\.reason: missing"),
        ("judgements.json", cut, r"judgements\.json: not JSON, or cut short: .*line 1"),
        ("judgements.json", Path.unlink, r"judgements\.json: no such file; run `make reproduce`"),
        (
            "judgements.json",
            unknown_claim,
            r"judgements\.json: field claim: 'Z9' is no claim of scenario linear_regression",
        ),
        ("observations/linear_regression/tf2.0-cpu/1.jsonl", cut, r"1\.jsonl: line 2 is cut short"),
        ("../images/tf2.0-cpu.0123456789ab.json", cut, r"0123456789ab\.json: not JSON, or cut short"),
        ("figures/linear_regression_ratios.svg", cut, r"ratios\.svg: not an SVG figure"),
    ],
)
def test_broken_input_is_named(results: Path, file: str, harm: Any, message: str) -> None:
    harm(results / file)
    with pytest.raises(InputError, match=message):
        page_of(results)


def test_rules_that_were_changed_after_measuring_are_named(tmp_path: Path) -> None:
    results = synthetic.write_results(tmp_path)
    assert "not registered beforehand" in Page(page_of(results)).text
    registered = present_rules("quick", ["linear_regression"])
    for files in ({}, {"scripts/tf_claims/estimands/ratio.py": "another"}):
        rules = rules_of(registered.files | files)
        write_study(synthetic.STUDY._replace(rules=Registration(registered=rules)), results / "study.json")
        told = Page(page_of(results)).text
        assert rules.sha256 in told
        assert ("were registered before the first block: scripts/tf_claims/estimands/ratio.py." in told) == bool(files)


def test_a_word_that_is_not_robust_is_tagged_and_told(tmp_path: Path) -> None:
    results = synthetic.write_results(tmp_path)
    told = []
    for robust in (None, True, False):
        synthetic.write_verdicts(results, [synthetic.verdict("C1", "tf1.15-cpu", "reproduced", robust=robust)])
        told.append(Page(page_of(results)).text)
    assert ["not robust" in text for text in told] == [False, False, True]
    assert ["Robust: at least nine in ten" in text for text in told] == [False, True, False]
    assert "Not robust: more than one in ten" in told[2]
