"""``tf-claims figures``: the figures of a study as SVG and PDF, in English, and in Japanese in the folder ``ja``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, cast

from tf_claims.cells.cell import Cell
from tf_claims.cells.measurements import read_measurements
from tf_claims.figures import curves
from tf_claims.model.estimand import kinds
from tf_claims.model.results import Results
from tf_claims.model.scenario import Scenario
from tf_claims.model.study import Study, read_study
from tf_claims.options import add_results_option
from tf_claims.verdicts.judgement import Judgement, read_judgements
from tf_claims.words.messages import LANGUAGES, Messages

PACKAGE = "tf_claims.figures"

Cells = dict[tuple[str, str], Cell]


class Draw(Protocol):
    """The function ``draw`` of a kind's module: all figures of one scenario's claims of that kind.

    ``judged`` has, by claim, the judgements that rest on two blocks or more.
    """

    def __call__(
        self, name: str, scenario: Scenario, judged: Mapping[str, Sequence[Judgement]], folder: Path, messages: Messages
    ) -> None:
        """Draw into ``folder``, which is there."""


@cache
def figure_kinds() -> dict[str, Draw]:
    """How each kind of claim is drawn, where it is: the module of this folder that has the kind's name."""
    drawn = (kind for kind in kinds() if find_spec(f"{PACKAGE}.{kind}"))
    return {kind: cast(Draw, import_module(f"{PACKAGE}.{kind}").draw) for kind in drawn}


def draw_figures(study: Study, cells: Cells, judgements: Sequence[Judgement], folder: Path, messages: Messages) -> None:
    """All figures in one language; series that are published are drawn from ``cells``, all else from judgements."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, scenario in study.scenarios.items():
        for kind, draw in figure_kinds().items():
            judged = dict(_judged(scenario, kind, [each for each in judgements if each.verdict.scenario == name]))
            if judged:
                draw(name, scenario, judged, folder, messages)
        curves.draw(name, scenario, _measured(study, cells, name), folder, messages)


def _judged(scenario: Scenario, kind: str, judgements: Sequence[Judgement]) -> Iterator[tuple[str, list[Judgement]]]:
    for name, claim in scenario.claims.items():
        chosen = [each for each in judgements if each.verdict.claim == name and each.verdict.blocks >= 2]
        if claim.kind == kind and chosen:
            yield name, chosen


def _measured(study: Study, cells: Cells, scenario: str) -> dict[str, Cell]:
    """What was measured of a scenario, by environment."""
    environments = [planned.environment for planned in study.running if planned.scenario == scenario]
    return {each: cells[scenario, each] for each in environments if (scenario, each) in cells}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Those of the command."""
    add_results_option(parser)


def execute(options: argparse.Namespace) -> None:
    """Draw every figure in each language."""
    results = Results(options.results)
    study = read_study(results.study)
    cells = read_measurements(results.observations, study)
    judgements = read_judgements(results.judgements)
    for language in LANGUAGES:
        folder = results.figures if language == "en" else results.figures / language
        draw_figures(study, cells, judgements, folder, Messages(language))
