"""Series, such as the loss after each epoch: as published on the left, and as measured, a panel an environment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from tf_claims.figures.style import INK, drawing, save, tell
from tf_claims.statistics.intervals import Floats
from tf_claims.words.wording import number


class Line(NamedTuple):
    """A published series; ``dashed`` tells it from another of the same colour."""

    name: str
    colour: str
    dashed: bool
    published: Sequence[float]


class Series(NamedTuple):
    """One environment's blocks of one line, (blocks, steps): what was told, and what a common check found."""

    told: Floats
    checked: Floats


class Panel(NamedTuple):
    """One environment; None for a line that was not measured there."""

    environment: str
    series: Sequence[Series | None]


COLUMNS = 3
LEGEND = 6.0
"""Inches that the legend needs."""
CAPTION = (
    "{told} after each {step}: the published figures, and ours, a panel an environment. Small dots are the blocks, "
    "lines join their geometric means. Crosses are the {checked}, evaluated in the same way for every line: only they "
    "compare like with like. Published and measured data differ, so compare the order of the lines, not their heights."
)


def draw_curves(
    lines: Sequence[Line], panels: Sequence[Panel], words: tuple[str, str, str], folder: Path, name: str
) -> None:
    """The figure ``name`` in ``folder``; ``words`` name what was told, what was checked, and a step."""
    told, checked, step = words
    count = len(panels) + 1
    columns = min(COLUMNS, count)
    rows = -(-count // columns)
    with drawing(columns, max(2.5 * columns, LEGEND), [2.5] * rows) as (figure, axes):
        _draw_published(lines, axes[0])
        for panel, each in zip(panels, axes[1:], strict=False):
            _draw_measured(lines, panel, each)
        ends = _ends(lines, panels)
        for index, each in enumerate(axes[:count]):
            _set_axes(each, ends)
            if index % columns == 0:
                each.set_ylabel(told)
            if index + columns >= count:
                each.set_xlabel(step)
        for spare in axes[count:]:
            spare.set_visible(False)
        handles = [Line2D([], [], color=each.colour, linestyle=_style(each), label=each.name) for each in lines]
        handles.append(Line2D([], [], color=INK, linestyle="none", marker="x", markersize=5, label=checked))
        figure.legend(handles=handles, loc="outside upper left", ncols=2)
        caption = CAPTION.format(told=told[:1].upper() + told[1:], checked=checked, step=step)
        save(figure, folder, name, caption)


def _draw_published(lines: Sequence[Line], axes: Axes) -> None:
    for line in lines:
        steps = np.arange(1, len(line.published) + 1)
        (drawn,) = axes.plot(steps, line.published, color=line.colour, linestyle=_style(line), marker="D", markersize=3)
        _tell(drawn, f"{line.name}, published", steps, line.published)
    axes.set_title("the text")


def _tell(drawn: Line2D, name: str, steps: Iterable[int], values: Iterable[float]) -> None:
    tell(drawn, *(f"{name}: {number(value)} after step {step}" for step, value in zip(steps, values, strict=True)))


def _draw_measured(lines: Sequence[Line], panel: Panel, axes: Axes) -> None:
    for line, series in zip(lines, panel.series, strict=True):
        if series is None:
            continue
        steps = np.arange(1, series.told.shape[1] + 1)
        places = np.broadcast_to(steps, series.told.shape)
        (dots,) = axes.plot(
            places.ravel(), series.told.ravel(), "o", color=line.colour, markersize=2, alpha=0.5, linewidth=0
        )
        axes.plot(steps, _middle(series.told), color=line.colour, linestyle=_style(line))
        (crosses,) = axes.plot(
            steps, _middle(series.checked), color=line.colour, linestyle="none", marker="x", markersize=5
        )
        here = f"{line.name}, {panel.environment}"
        _tell(dots, f"{here}, one block", places.ravel(), series.told.ravel())
        _tell(crosses, f"{here}, checked", steps, _middle(series.checked))
    axes.set_title(panel.environment)


def _middle(blocks: Floats) -> Floats:
    return np.exp(np.log(blocks).mean(axis=0))  # type: ignore[no-any-return]


def _style(line: Line) -> Literal["-", "--"]:
    return "--" if line.dashed else "-"


def _ends(lines: Sequence[Line], panels: Sequence[Panel]) -> tuple[float, float]:
    """Limits of the axis that all panels share."""
    shown = [np.asarray(line.published, float) for line in lines]
    for panel in panels:
        for series in panel.series:
            shown += [] if series is None else [series.told.ravel(), series.checked.ravel()]
    every = np.concatenate(shown)
    return float(every.min()) / 1.2, float(every.max()) * 1.2


def _set_axes(axes: Axes, ends: tuple[float, float]) -> None:
    axes.set_yscale("log")
    axes.set_ylim(*ends)
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
