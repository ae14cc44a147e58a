"""The figures of a study, as SVG and PDF.

``python -m tf_claims.figures.draw --preset quick --observations observations.parquet --verdicts verdicts.json
--output-dir figures``
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tf_claims.cells.measurements import Blocks, Cell, Column, curve_columns, read_measurements
from tf_claims.figures import cost_model as figure_cost_model
from tf_claims.figures import curves as figure_curves
from tf_claims.figures import factorial as figure_factorial
from tf_claims.figures import ratios as figure_ratios
from tf_claims.figures.style import COLOURS, colour_of
from tf_claims.model.errors import exit_clearly
from tf_claims.model.scenario import Attribution, CostModel, Curve, Curves, Ratio, Scenario
from tf_claims.model.selectors import label, matches
from tf_claims.model.study import Study
from tf_claims.model.verdict import Verdict
from tf_claims.statistics.attribution import attribute
from tf_claims.statistics.cost_model import compare
from tf_claims.tables.write import read_verdicts
from tf_claims.verdicts.options import add_study_options, study_of
from tf_claims.verdicts.questions import Question, ask
from tf_claims.words.wording import names, ratio_phrase

Cells = dict[tuple[str, str], Cell]
Answered = tuple[Verdict, Question, Blocks]


def draw_figures(study: Study, cells: Cells, verdicts: list[Verdict], folder: Path) -> None:
    """All figures of the claims that have numbers."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, scenario in study.scenarios.items():
        panels = []
        for claim_name, claim in scenario.claims.items():
            answered = list(
                _answered(study, cells, [v for v in verdicts if (v.scenario, v.claim) == (name, claim_name)])
            )
            if answered and isinstance(claim.estimand, Ratio):
                panels.append(_ratio_panel(claim_name, scenario, claim.estimand, answered))
            if answered and isinstance(claim.estimand, CostModel):
                _draw_cost_model(scenario, claim.estimand, answered, folder, f"{name}_cost_model_{claim_name}")
            if answered and isinstance(claim.estimand, Attribution):
                _draw_factorial(scenario, claim.estimand, answered, folder, f"{name}_{claim_name}")
        if panels:
            figure_ratios.draw_ratios(panels, folder, f"{name}_ratios")
        if scenario.curves is not None:
            measured = {
                cell.environment: cells[cell.scenario, cell.environment]
                for cell in study.running
                if (cell.scenario, cell.environment) in cells and cell.scenario == name
            }
            _draw_curves(scenario, scenario.curves, measured, folder, f"{name}_curves")


def _answered(study: Study, cells: Cells, verdicts: list[Verdict]) -> Iterator[Answered]:
    """The verdicts that rest on two blocks or more, with those blocks."""
    for verdict in verdicts:
        if verdict.blocks >= 2:
            cell = cells[verdict.scenario, verdict.environment]
            question = ask(study, verdict.scenario, verdict.claim, verdict.environment, cell)
            yield verdict, question, question.blocks()


def _ratio_panel(name: str, scenario: Scenario, estimand: Ratio, answered: list[Answered]) -> figure_ratios.Panel:
    of, to = (variant.levels for variant in answered[0][1].selection.variants)
    measured = [
        figure_ratios.Measured(
            verdict.environment,
            verdict.estimate or np.nan,
            verdict.ci_low or np.nan,
            verdict.ci_high or np.nan,
            blocks.values[:, 0] / blocks.values[:, 1],
        )
        for verdict, _, blocks in answered
    ]
    axis = ratio_phrase(estimand.metric, *names(of, to), "…")
    published = answered[0][0].published or np.nan
    colour = colour_of(scenario, of[scenario.calls])
    return figure_ratios.Panel(name, answered[0][0].says, axis, published, colour, measured)


def _draw_cost_model(
    scenario: Scenario, estimand: CostModel, answered: list[Answered], folder: Path, name: str
) -> None:
    panels = []
    for verdict, question, blocks in answered:
        sizes = np.array(question.selection.sizes, float)
        of, to = blocks.values[:, : len(sizes)], blocks.values[:, len(sizes) :]
        found = compare(sizes, of, to, blocks.strata)
        of_levels, to_levels = (question.selection.variants[place].levels for place in (0, len(sizes)))
        of_name, to_name = names(of_levels, to_levels)
        of_colour, to_colour = (colour_of(scenario, levels[scenario.calls]) for levels in (of_levels, to_levels))
        lines = [
            figure_cost_model.Line(of_name, of_colour, of, found.of_fixed.value, found.of_per_point.value),
            figure_cost_model.Line(to_name, to_colour, to, found.to_fixed.value, found.to_per_point.value),
        ]
        panels.append(figure_cost_model.Panel(verdict.environment, sizes, lines, found.crossover, found.crossing))
    figure_cost_model.draw_cost_model(panels, estimand.size, estimand.per.removesuffix("s"), folder, name)


def _draw_factorial(
    scenario: Scenario, estimand: Attribution, answered: list[Answered], folder: Path, name: str
) -> None:
    factors = [(factor, (str(before), str(after))) for factor, (before, after) in estimand.factors.items()]
    last, levels = list(estimand.factors.items())[-1]
    called = last == scenario.calls
    before, after = (colour_of(scenario, level) if called else COLOURS[place] for place, level in enumerate(levels))
    measured = [
        figure_factorial.Measured(
            verdict.environment, attribute(blocks.values, len(factors), blocks.strata), blocks.values
        )
        for verdict, _, blocks in answered
    ]
    first = answered[0][0]
    cause = list(estimand.factors).index(estimand.cause)
    figure_factorial.draw_factorial(
        figure_factorial.Factorial(
            first.claim,
            first.says,
            estimand.metric,
            factors,
            cause,
            _published_effect(scenario, estimand),
            (before, after),
            measured,
        ),
        folder,
        name,
    )


def _published_effect(scenario: Scenario, estimand: Attribution) -> float | None:
    """The published ratio between the two ends of an attribution, where another claim of the scenario states it."""
    for claim in scenario.claims.values():
        if claim.ratio is None or claim.ratio.metric != estimand.metric:
            continue
        before, after = claim.ratio.to, claim.ratio.of
        if all((before.get(factor), after.get(factor)) == ends for factor, ends in estimand.factors.items()):
            return claim.published.value
    return None


def _draw_curves(scenario: Scenario, curves: Curves, cells: dict[str, Cell], folder: Path, name: str) -> None:
    colours = [colour_of(scenario, str(line.of[scenario.calls])) for line in curves.lines]
    lines = [
        figure_curves.Line(line.name, colour, colour in colours[:place], line.published)
        for place, (line, colour) in enumerate(zip(curves.lines, colours, strict=True))
    ]
    panels = [
        figure_curves.Panel(environment, [_series(scenario, curves, line, cell) for line in curves.lines])
        for environment, cell in cells.items()
    ]
    figure_curves.draw_curves(lines, panels, curves.words, folder, name)


def _series(scenario: Scenario, curves: Curves, line: Curve, cell: Cell) -> figure_curves.Series | None:
    """What was measured of a line, in the blocks in which it is usable; None where it is in none."""
    chosen = [label(levels) for levels in scenario.all_combinations() if matches(line.of, levels)]
    ran = [variant for variant in chosen if variant in cell.variants]
    if not ran:
        return None
    steps = curve_columns(curves)[: len(line.published)]
    blocks = cell.complete([Column(ran[0], column) for kind in zip(*steps, strict=True) for column in kind], True)
    if not blocks.blocks:
        return None
    return figure_curves.Series(blocks.values[:, : len(steps)], blocks.values[:, len(steps) :])


def main() -> None:
    parser = argparse.ArgumentParser(description="The figures of a study.")
    add_study_options(parser)
    parser.add_argument("--verdicts", type=Path, required=True, help="verdicts.json of tf_claims.verdicts.judge")
    parser.add_argument("--output-dir", type=Path, required=True)
    options = parser.parse_args()
    study = study_of(options)
    cells = read_measurements(options.observations, study)
    draw_figures(study, cells, read_verdicts(options.verdicts), options.output_dir)


if __name__ == "__main__":
    exit_clearly(main)
