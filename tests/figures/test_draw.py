"""All figures of a study, from what is judged: which kinds have one, their files, and both languages."""

from __future__ import annotations

import argparse
import xml.etree.ElementTree as ET
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tf_claims.bench.made_up import study_files
from tf_claims.cells.measurements import read_measurements
from tf_claims.cells.tidy import tidy
from tf_claims.figures.draw import execute, figure_kinds
from tf_claims.model.results import Results
from tf_claims.model.study import plan_study, write_study
from tf_claims.verdicts.judge import write_verdicts

ENVIRONMENTS = ["tf1.15-cpu", "tf2.21-cpu"]
NAMES = ["linear_regression_cost_model_C5", "linear_regression_ratios"]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Made-up blocks of linear_regression, judged and drawn."""
    results = Results(tmp_path_factory.mktemp("run"))
    study = plan_study("quick", lambda stack: None, ENVIRONMENTS, ["linear_regression"])
    write_study(study, results.study)
    pq.write_table(tidy(study_files(results.blocks, ENVIRONMENTS, 3)), results.observations)
    write_verdicts(study, read_measurements(results.observations, study), results)
    execute(argparse.Namespace(results=results.folder))
    return results


def test_a_kind_is_drawn_by_the_module_of_its_name() -> None:
    assert set(figure_kinds()) == {"ratio", "cost_model", "attribution"}


@pytest.mark.parametrize("folder", ["", "ja"])
def test_every_figure_comes_with_its_caption_in_each_language(drawn: Results, folder: str) -> None:
    files = sorted(path.name for path in (drawn.figures / folder).iterdir() if path.is_file())
    assert files == [f"{name}.{kind}" for name in NAMES for kind in ("pdf", "svg", "txt")]


def test_marks_say_what_they_are(drawn: Results) -> None:
    def titles(path: Path) -> str:
        return "\n".join(title.text or "" for title in ET.parse(path).iter("{http://www.w3.org/2000/svg}title"))

    english, japanese = (titles(drawn.figures / folder / f"{NAMES[1]}.svg") for folder in ("", "ja"))
    assert "C1, published: 10" in english and "C1, tf1.15-cpu: 95 % interval" in english
    assert "C1, 文章の値: 10" in japanese and "C1, tf1.15-cpu: 95 % 信頼区間" in japanese
    costs = titles(drawn.figures / f"{NAMES[0]}.svg")
    assert "session_feed, tf1.15-cpu: " in costs and " µs at n = 1,000" in costs and " ns × n" in costs


def test_captions_are_in_the_language_of_the_figure(drawn: Results) -> None:
    english, japanese = ((drawn.figures / folder / f"{NAMES[0]}.txt").read_text() for folder in ("", "ja"))
    assert english.startswith("Time of one repetition") and japanese.startswith("問題の大きさ")
