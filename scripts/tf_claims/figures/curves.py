"""Series, such as the loss after each epoch: as published on the left, and as measured, a panel an environment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, MaxNLocator

from tf_claims.cells.cell import Cell
from tf_claims.cells.measurements import curve_columns
from tf_claims.figures.style import INK, colour_of, drawing, plain_numbers, save, tell
from tf_claims.model.estimand import Column
from tf_claims.model.reason import Text
from tf_claims.model.scenario import Curve, Curves, Scenario
from tf_claims.model.selectors import label, matches
from tf_claims.statistics.intervals import Floats
from tf_claims.words.messages import ENGLISH, Messages


class PublishedCurve(NamedTuple):
    """A published series; ``dashed`` tells it from another of the same colour."""

    name: str
    colour: str
    dashed: bool
    values: Sequence[float]


class MeasuredCurve(NamedTuple):
    """One environment's blocks of one series, (blocks, steps): what was told, and what a common check found."""

    told: Floats
    checked: Floats


class CurvePanel(NamedTuple):
    """One environment; None for a series that was not measured there."""

    environment: str
    measured: Sequence[MeasuredCurve | None]


class CurveWords(NamedTuple):
    """How a reader calls what was told, what was checked, and a step."""

    told: str
    checked: str
    step: str


COLUMNS = 3
LEGEND = 6.0
"""Inches that the legend needs."""


def draw(name: str, scenario: Scenario, cells: Mapping[str, Cell], folder: Path, messages: Messages) -> None:
    """``<scenario>_curves``, where the scenario has published series; ``cells`` are those measured, by environment."""
    curves = scenario.curves
    if curves is None:
        return
    colours = [colour_of(scenario, str(line.of[scenario.calls])) for line in curves.lines]
    published = [
        PublishedCurve(_name(line, messages), colour, colour in colours[:place], line.published)
        for place, (line, colour) in enumerate(zip(curves.lines, colours, strict=True))
    ]
    panels = [
        CurvePanel(environment, [_measured(scenario, curves, line, cell) for line in curves.lines])
        for environment, cell in cells.items()
    ]
    words = curves.words_ja if messages.language == "ja" and curves.words_ja else curves.words
    draw_curves(published, panels, CurveWords(*words), folder, f"{name}_curves", messages)


def _name(line: Curve, messages: Messages) -> str:
    return messages.written(Text(en=line.name, ja=line.name_ja))


def _measured(scenario: Scenario, curves: Curves, line: Curve, cell: Cell) -> MeasuredCurve | None:
    """What was measured of a series, in the blocks in which it is usable; None where it is in none."""
    chosen = [label(levels) for levels in scenario.all_combinations() if matches(line.of, levels)]
    ran = [variant for variant in chosen if variant in cell.variants]
    if not ran:
        return None
    steps = curve_columns(curves)[: len(line.published)]
    blocks = cell.complete([Column(ran[0], column) for kind in zip(*steps, strict=True) for column in kind], True)
    if not blocks.used:
        return None
    return MeasuredCurve(blocks.values[:, : len(steps)], blocks.values[:, len(steps) :])


def draw_curves(
    published: Sequence[PublishedCurve],
    panels: Sequence[CurvePanel],
    words: CurveWords,
    folder: Path,
    name: str,
    messages: Messages = ENGLISH,
) -> None:
    """The figure ``name`` in ``folder``."""
    count = len(panels) + 1
    columns = min(COLUMNS, count)
    rows = -(-count // columns)
    with drawing(columns, max(2.5 * columns, LEGEND), [2.5] * rows, messages) as (figure, axes):
        _draw_published(published, axes[0], messages)
        for panel, each in zip(panels, axes[1:], strict=False):
            _draw_measured(published, panel, each, messages)
        ends = _ends(published, panels)
        for index, each in enumerate(axes[:count]):
            _set_axes(each, ends)
            if index % columns == 0:
                each.set_ylabel(words.told)
            if index + columns >= count:
                each.set_xlabel(words.step)
        for spare in axes[count:]:
            spare.set_visible(False)
        handles = [Line2D([], [], color=each.colour, linestyle=_style(each), label=each.name) for each in published]
        handles.append(Line2D([], [], color=INK, linestyle="none", marker="x", markersize=5, label=words.checked))
        figure.legend(handles=handles, loc="outside upper left", ncols=2)
        told = words.told[:1].upper() + words.told[1:]
        caption = messages.text("figure.curves.caption", told=told, checked=words.checked, step=words.step)
        save(figure, folder, name, caption)


def _draw_published(published: Sequence[PublishedCurve], axes: Axes, messages: Messages) -> None:
    for each in published:
        steps = range(1, len(each.values) + 1)
        (drawn,) = axes.plot(steps, each.values, color=each.colour, linestyle=_style(each), marker="D", markersize=3)
        tell(drawn, *_marks("step.published", each.name, steps, each.values, messages))
    axes.set_title(messages.text("figure.the_text"))


def _marks(what: str, name: str, steps: Iterable[int], values: Iterable[float], messages: Messages) -> Iterable[str]:
    key = f"figure.mark.{what}"
    return (
        messages.text(key, mark=name, value=float(value), step=int(step))
        for step, value in zip(steps, values, strict=True)
    )


def _draw_measured(published: Sequence[PublishedCurve], panel: CurvePanel, axes: Axes, messages: Messages) -> None:
    for each, measured in zip(published, panel.measured, strict=True):
        if measured is None:
            continue
        steps = np.arange(1, measured.told.shape[1] + 1)
        places = np.broadcast_to(steps, measured.told.shape)
        (dots,) = axes.plot(
            places.ravel(), measured.told.ravel(), "o", color=each.colour, markersize=2, alpha=0.5, linewidth=0
        )
        axes.plot(steps, _middle(measured.told), color=each.colour, linestyle=_style(each))
        (crosses,) = axes.plot(
            steps, _middle(measured.checked), color=each.colour, linestyle="none", marker="x", markersize=5
        )
        here = f"{each.name}, {panel.environment}"
        tell(dots, *_marks("step.block", here, places.ravel(), measured.told.ravel(), messages))
        tell(crosses, *_marks("step.checked", here, steps, _middle(measured.checked), messages))
    axes.set_title(panel.environment)


def _middle(blocks: Floats) -> Floats:
    return np.exp(np.log(blocks).mean(axis=0))  # type: ignore[no-any-return]


def _style(curve: PublishedCurve) -> Literal["-", "--"]:
    return "--" if curve.dashed else "-"


def _ends(published: Sequence[PublishedCurve], panels: Sequence[CurvePanel]) -> tuple[float, float]:
    """Limits of the axis that all panels share."""
    shown = [np.asarray(each.values, float) for each in published]
    for panel in panels:
        for measured in panel.measured:
            shown += [] if measured is None else [measured.told.ravel(), measured.checked.ravel()]
    every = np.concatenate(shown)
    return float(every.min()) / 1.2, float(every.max()) * 1.2


def _set_axes(axes: Axes, ends: tuple[float, float]) -> None:
    axes.set_yscale("log")
    axes.set_ylim(*ends)
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    plain_numbers(axes.yaxis)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
