"""What one repetition costs as the problem grows, for two programs: a panel an environment, log-log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
from matplotlib.axes import Axes

from tf_claims.estimands.cost_model import CostFacts, CostModel
from tf_claims.figures.style import INK, QUIET, colour_of, drawing, save, tell
from tf_claims.model.scenario import Scenario
from tf_claims.statistics.intervals import Floats
from tf_claims.verdicts.judgement import Judgement
from tf_claims.words.messages import ENGLISH, Messages


class FittedLine(NamedTuple):
    """One program: its times of a repetition (seconds), (blocks, sizes), and its fitted a and b."""

    name: str
    colour: str
    times: Floats
    fixed: float | None
    per_point: float | None


class CostPanel(NamedTuple):
    """One environment: where both cost the same, with its interval, or None, and in how many blocks the lines cross."""

    environment: str
    sizes: Floats
    lines: Sequence[FittedLine]
    crossover: float | None
    low: float | None
    high: float | None
    crossing: int


COLUMNS = 2


def draw(
    name: str, scenario: Scenario, judged: Mapping[str, Sequence[Judgement]], folder: Path, messages: Messages
) -> None:
    """``<scenario>_cost_model_<claim>`` for each claim about a crossing; a fixed cost has the same lines."""
    for claim, judgements in judged.items():
        estimand = cast(CostModel, scenario.claims[claim].estimand)
        if estimand.about != "crossing":
            continue
        panels = [_panel(scenario, judgement) for judgement in judgements]
        repetition = estimand.per.removesuffix("s")
        draw_cost_model(panels, estimand.size, repetition, folder, f"{name}_cost_model_{claim}", messages)


def _panel(scenario: Scenario, judgement: Judgement) -> CostPanel:
    verdict, evidence, facts = judgement.verdict, judgement.evidence, judgement.verdict.facts
    assert evidence is not None and isinstance(facts, CostFacts)
    of, to = np.hsplit(evidence.used, 2)
    colours = [colour_of(scenario, judgement.variants[place][scenario.calls]) for place in (0, len(facts.sizes))]
    lines = [
        FittedLine(facts.of, colours[0], of, facts.of_fixed, facts.of_per_point),
        FittedLine(facts.to, colours[1], to, facts.to_fixed, facts.to_per_point),
    ]
    crossover = verdict.estimate, verdict.ci_low, verdict.ci_high
    return CostPanel(verdict.environment, np.array(facts.sizes), lines, *crossover, facts.crossing)


def draw_cost_model(
    panels: Sequence[CostPanel], size: str, repetition: str, folder: Path, name: str, messages: Messages = ENGLISH
) -> None:
    """The figure ``name`` in ``folder``; ``size`` and ``repetition`` (singular) name the axes."""
    columns = min(COLUMNS, len(panels))
    rows = -(-len(panels) // columns)
    with drawing(columns, 3.4 * columns, [2.6] * rows, messages) as (figure, axes):
        for panel, each in zip(panels, axes, strict=False):
            _draw(panel, each, size, messages)
        for spare in axes[len(panels) :]:
            spare.set_visible(False)
        ends = _ends(panels)
        for index, each in enumerate(axes[: len(panels)]):
            each.set_ylim(*ends)
            if index % columns == 0:
                each.set_ylabel(messages.text("figure.cost_model.axis", repetition=repetition))
            if index + columns >= len(panels):
                each.set_xlabel(size)
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper left", ncols=len(labels))
        save(figure, folder, name, messages.text("figure.cost_model.caption"))


def _draw(panel: CostPanel, axes: Axes, size: str, messages: Messages) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    low, high = panel.sizes.min(), panel.sizes.max()
    if panel.crossover:
        low, high = min(low, panel.crossover / 2), max(high, panel.crossover * 2)
    grid = np.geomspace(low, high, 100)
    for line in panel.lines:
        x = np.broadcast_to(panel.sizes, line.times.shape)
        times = 1e6 * line.times.ravel()
        (dots,) = axes.plot(x.ravel(), times, "o", color=line.colour, markersize=3, alpha=0.5, linewidth=0)
        here = f"{line.name}, {panel.environment}"
        marks = zip(times.tolist(), x.ravel().tolist(), strict=True)
        tell(dots, *(messages.text("figure.mark.time", mark=here, time=t, size=size, at=int(n)) for t, n in marks))
        if line.fixed is not None and line.per_point is not None:
            fitted = 1e6 * (line.fixed + line.per_point * grid)
            (drawn,) = axes.plot(grid, fitted, color=line.colour, label=line.name)
            costs = {"fixed": 1e6 * line.fixed, "per_point": 1e9 * line.per_point}
            tell(drawn, messages.text("figure.mark.costs", mark=here, size=size, **costs))
    if panel.crossover and panel.low is not None and panel.high is not None:
        axes.axvspan(panel.low, panel.high, color=QUIET, alpha=0.25, linewidth=0)
    if panel.crossover:
        axes.axvline(panel.crossover, color=INK, linewidth=0.8, linestyle=(0, (4, 2)))
    axes.text(0.04, 0.92, _crossing(panel, size, messages), transform=axes.transAxes, va="top")
    axes.set_title(panel.environment)


def _crossing(panel: CostPanel, size: str, messages: Messages) -> str:
    """Where the two cost the same, in words."""
    if panel.crossover:
        inside = panel.sizes.min() <= panel.crossover <= panel.sizes.max()
        key = "figure.cost_model.equal" if inside else "figure.cost_model.equal_beyond"
        return messages.text(key, size=size, at=panel.crossover)
    if panel.crossing:
        blocks = len(panel.lines[0].times)
        return messages.text("figure.cost_model.crosses_in_some", crossing=panel.crossing, blocks=blocks)
    return messages.text("figure.cost_model.no_crossover")


def _ends(panels: Sequence[CostPanel]) -> tuple[float, float]:
    """Limits of the time axis that all panels share (µs)."""
    times = np.concatenate([line.times.ravel() for panel in panels for line in panel.lines])
    return 0.6e6 * float(times.min()), 3e6 * float(times.max())
