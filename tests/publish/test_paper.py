"""The paper: what it says follows from the results alone, and it says it in the same bytes everywhere."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from tests.support import synthetic_results as synthetic

from runner import disturbed
from tf_claims.model.reason import because
from tf_claims.model.results import Results
from tf_claims.model.rules import Registration, present_rules, rules_of
from tf_claims.model.study import plan_study, write_study
from tf_claims.publish.page import TEMPLATES
from tf_claims.publish.paper import compile_paper
from tf_claims.publish.paper_content import read_paper
from tf_claims.publish.paper_model import Paper
from tf_claims.statistics import precision


def pdf_of(results: Path) -> PdfReader:
    return PdfReader(io.BytesIO(compile_paper(read_paper(Results(results)), results / "figures")))


def pages_of(results: Path) -> list[str]:
    return [" ".join(page.extract_text().split()) for page in pdf_of(results).pages]


def text_of(results: Path) -> str:
    return " ".join(pages_of(results))


@pytest.fixture(scope="module")
def ordinary(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The text of the paper of unchanged results, all pages."""
    results = synthetic.write_results(tmp_path_factory.mktemp("ordinary"))
    (results / "figures" / "of_all.svg").write_text(synthetic.SVG)
    return text_of(results)


def change(results: Path, claim: str, environment: str, **fields: Any) -> None:
    verdicts = json.loads((results / "verdicts.json").read_text())
    for verdict in verdicts:
        if (verdict["claim"], verdict["environment"]) == (claim, environment):
            verdict |= fields
    synthetic.write_verdicts(results, verdicts)


def test_a_changed_result_changes_the_counts_the_abstract_and_the_table(tmp_path: Path, ordinary: str):
    counts = "{} reproduced, 1 direction only, 2 contradicted, {} inconclusive and 1 not run"
    results = synthetic.write_results(tmp_path)
    change(results, "C1", "tf1.15-cpu", verdict="inconclusive", scaled_down=False, scaled_down_note="")
    change(results, "C1", "tf2.21-cpu", estimate=47.3, ci_low=45.9, ci_high=48.8)
    changed = text_of(results)
    assert counts.format(4, 1) in ordinary and counts.format(3, 2) in changed
    assert "took 31.0 times as long" in ordinary and "29.9 to 32.2" in ordinary
    assert "took 47.3 times as long" in changed and "45.9 to 48.8" in changed
    assert not re.search(r"47\.3|45\.9", ordinary) and not re.search(r"31\.0|29\.9", changed)
    assert "1.15 † 10 12.6 12.1 to 13.2 5 reproduced" in ordinary
    assert "1.15 10 12.6 12.1 to 13.2 5 inconclusive" in changed  # at the published size: no mark


def test_scaled_down_and_not_run_are_marked_with_their_legend(ordinary: str):
    assert f"† {synthetic.SHRUNK}" in ordinary
    assert "1.15 (GPU) ‡ 20 no NVIDIA GPU not run" in ordinary
    assert "† less than the published size; ‡ not run; § not robust." in ordinary


def test_a_word_that_is_not_robust_has_its_mark(tmp_path: Path, ordinary: str):
    results = synthetic.write_results(tmp_path)
    change(results, "C1", "tf1.15-cpu", robust=False)
    change(results, "C1", "tf2.0-cpu", robust=True)
    marked = text_of(results)
    assert "5 reproduced §" in marked and marked.count("reproduced §") == 1
    assert "reproduced §" not in ordinary
    assert "at least 90 % of other ways to judge" in marked and "0.8 and of 1.25 times" in marked


def test_rules_that_were_changed_after_measuring_are_named(tmp_path: Path, ordinary: str):
    results = synthetic.write_results(tmp_path)
    registered = present_rules("quick", ["linear_regression"])
    for study, files in (("same", {}), ("changed", {"scripts/tf_claims/estimands/ratio.py": "another"})):
        rules = rules_of(registered.files | files)
        write_study(synthetic.STUDY._replace(rules=Registration(registered=rules)), results / "study.json")
        told = text_of(results)
        assert rules.sha256 in told.replace(" ", "")
        named = "differ from those that were registered before the first block: scripts/tf_claims/estimands/ratio.py."
        assert (named in told) == (study == "changed")
    assert "were not registered before the first block" in ordinary


def test_the_method_has_the_numbers_of_the_configuration_and_of_the_rules(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    results = synthetic.write_results(tmp_path)
    design = read_paper(Results(results)).method.designs[0]
    assert (design.scenario, design.least, design.most) == ("linear_regression", "3", "12")
    monkeypatch.setattr(precision, "FURTHER", 71)
    monkeypatch.setattr(disturbed, "STEAL_MOST", 4321)
    text = text_of(results)
    assert "71 blocks are added" in text
    assert "took more than 4,321 s of CPU time a second" in text


def test_every_environment_has_its_versions_and_digests(ordinary: str):
    assert ordinary.count("sha256:" + "ef" * 32) == len(synthetic.ENVIRONMENTS)
    assert ordinary.count("ab" * 32) == 2 * len(synthetic.ENVIRONMENTS)  # as built, and as measured in
    assert ordinary.count("cd" * 32) == len(synthetic.ENVIRONMENTS)
    for tensorflow, numpy, python in synthetic.ENVIRONMENTS.values():
        assert f"numpy {numpy}, python {python}, tensorflow {tensorflow}" in ordinary


def test_the_record_of_another_build_is_not_taken_for_that_of_the_image_measured_in(tmp_path: Path):
    results = synthetic.write_results(tmp_path)
    path = tmp_path / "results" / "images" / f"tf2.0-cpu.{synthetic.KEY}.json"
    path.write_text(path.read_text().replace("ab" * 32, "99" * 32))
    of_name = {each.name: dict(each.facts) for each in read_paper(Results(results)).environments}
    rebuilt, other = of_name["TensorFlow 2.0 (CPU)"], of_name["TensorFlow 1.15 (CPU)"]
    assert rebuilt["Image’s record"] == "of another build" and "OCI digest" not in rebuilt
    assert rebuilt["Image as measured in, SHA-256"] == "ab" * 32
    assert "Image’s record" not in other and other["OCI digest"] == "sha256:" + "ef" * 32


@pytest.mark.parametrize(
    ("method", "shares", "told"),
    [
        (
            2.0,
            {"network": 0.77, "method": 0.23},
            "network × 10.0 (77\u00a0% of the change), method × 2.00 (23\u00a0% of the change); together × 20.0",
        ),
        (1 / 9, {}, "network × 10.0, method ÷ 9.00; together × 1.11"),
    ],
)
def test_effects_stand_in_the_sentence_and_shares_where_there_are_any(tmp_path: Path, method, shares, told):
    results = synthetic.write_results(tmp_path)
    facts = {
        "total": 10 * method,
        "effects": {"network": 10.0, "method": method},
        "interactions": {"network x method": 1.0},
        "weights": {"network": 0.7, "method": 0.3},
        "shares": shares,
    }
    fields = {"scenario": "mnist_fit_vs_tape", "estimand": "attribution", "published": None, "facts": facts}
    verdict = synthetic.verdict("A7", "tf2.0-cpu", "reproduced", estimate=10.0, ci_low=9.0, ci_high=11.0, **fields)
    write_study(plan_study("quick", lambda stack: None, [], ["mnist_fit_vs_tape"]), results / "study.json")
    synthetic.write_verdicts(results, [verdict])
    section = read_paper(Results(results)).sections[0]
    row = section.claims[0].rows[0]
    assert (row.estimate, row.interval) == ("×\u00a010.0", "9.00 to 11.0")
    assert section.causes[0].sentences == [f"In TensorFlow 2.0 (CPU): {told}. The network is the cause."]


def test_what_limits_the_answers_is_counted(tmp_path: Path):
    threats = " ".join(read_paper(Results(synthetic.write_results(tmp_path))).threats)
    assert "from 1 type of machine" in threats
    assert "8 of 8 measured verdicts were measured at less than the published size" in threats
    assert "Not run: 1 verdict of 9" in threats
    assert "1 process did not finish" in threats
    assert "places" not in threats


def test_the_paper_names_times_in_several_places(tmp_path: Path):
    places = [because("states.place", values=values, place=place) for values, place in ((3, 1.4), (4, 2.55))]
    named = because("states", variant="numpy", states=2, places=[*places])
    results = synthetic.write_results(tmp_path)
    change(
        results,
        "C1",
        "tf1.15-cpu",
        states=2,
        because=[because("few_blocks", blocks=3).model_dump(), named.model_dump()],
    )
    assert (
        "Some times lie in several places: C1 in TensorFlow 1.15 (CPU), the times of numpy lie in 2 places "
        "(3 near 1.40 s, 4 near 2.55 s)."
    ) in read_paper(Results(results)).threats


@pytest.mark.parametrize(
    ("preset", "engine", "warning"),
    [("smoke", "container", "mean nothing"), ("quick", "venv", "Not containerised")],
)
def test_what_a_reader_must_know_first_stands_on_the_first_page(tmp_path: Path, preset: str, engine: str, warning: str):
    results = synthetic.write_results(tmp_path, preset)
    change(results, "C1", "tf1.15-cpu", engine=engine)
    assert warning in read_paper(Results(results)).warnings[0]
    assert warning in pages_of(results)[0]


def test_an_ordinary_run_has_no_warning(tmp_path: Path):
    assert read_paper(Results(synthetic.write_results(tmp_path))).warnings == []


def test_every_figure_is_drawn_with_its_caption(tmp_path: Path, ordinary: str):
    results = synthetic.write_results(tmp_path)
    (results / "figures" / "of_all.svg").write_text(synthetic.SVG)
    paper = read_paper(Results(results))
    assert [each.file for each in paper.sections[0].figures] == [
        "linear_regression_ratios.svg",
        "linear_regression_cost_model.svg",
    ]
    assert [each.file for each in paper.figures] == ["of_all.svg"]
    assert "Figure 1: Published ratio <beside> ours." in ordinary and "Figure 3" in ordinary


def test_the_template_has_no_number_but_lengths():
    template = (TEMPLATES / "paper.typ").read_text()
    colours = r'rgb\("#\w+"\)'
    lengths = r"\b-?\d+(\.\d+)?(pt|em|cm|fr|%)"
    layout = r"level: \d|colspan: \d|\.first\(\) > 1|len\(\) [>+] [01]|slice\(0, -1\)|numbering: \"[1A.]+\"|update\(0\)"
    cited = r"@\w+"
    other = r'"a4"|\{32\}|a-f0-9|0-9a-f'
    left = re.sub("|".join((colours, lengths, layout, cited, other)), "", template)
    assert re.findall(r".*\d.*", left) == []


def test_nothing_starts_outside_of_the_margins(tmp_path: Path):
    for page in pdf_of(synthetic.write_results(tmp_path)).pages:
        width, height = float(page.mediabox.width), float(page.mediabox.height)
        places: list[tuple[float, float]] = []

        def note(text: str, page_matrix: list[float], matrix: list[float], *font: Any, to: Any = places) -> None:
            if text.strip():
                a, b, c, d, e, f = page_matrix
                x, y = matrix[4:]
                to.append((a * x + c * y + e, b * x + d * y + f))

        page.extract_text(visitor_text=note)
        assert places and all(60 < x < width - 60 and 20 < y < height - 20 for x, y in places)


def test_the_same_results_give_the_same_bytes_on_another_machine(tmp_path: Path):
    first = synthetic.write_results(tmp_path / "one")
    shutil.copytree(tmp_path / "one", tmp_path / "a longer name" / "two")
    second = tmp_path / "a longer name" / "two" / "results" / "quick"
    settings = [
        (first, {"TZ": "UTC", "LC_ALL": "C"}),
        (second, {"TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8", "LANG": "ja_JP.UTF-8", "SOURCE_DATE_EPOCH": "1000000000"}),
    ]
    papers = []
    for results, environment in settings:
        output = results / "paper.pdf"
        command = [
            sys.executable,
            "-m",
            "tf_claims",
            "paper",
            "--results",
            str(results),
        ]
        subprocess.run(command, env=os.environ | environment | {"PYTHONPATH": "scripts"}, check=True)
        papers.append(output.read_bytes())
    assert papers[0] == papers[1]


def test_broken_input_is_named_and_leaves_the_paper_as_it_was(tmp_path: Path):
    results = synthetic.write_results(tmp_path)
    output = results / "paper.pdf"
    output.write_bytes(b"the paper before")
    (results / "judgements.json").write_text('[{"verdict": "C1"')
    command = [
        sys.executable,
        "-m",
        "tf_claims",
        "paper",
        "--results",
        str(results),
    ]
    ended = subprocess.run(command, env=os.environ | {"PYTHONPATH": "scripts"}, capture_output=True, text=True)
    assert ended.returncode == 2
    assert "judgements.json: not JSON, or cut short" in ended.stderr and "Traceback" not in ended.stderr
    assert output.read_bytes() == b"the paper before"


def test_the_content_is_a_file_that_reads_back(tmp_path: Path):
    paper = read_paper(Results(synthetic.write_results(tmp_path)))
    assert Paper.model_validate_json(paper.model_dump_json()) == paper
