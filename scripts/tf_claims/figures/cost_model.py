"""What one repetition costs as the problem grows, for two programs: a panel an environment, log-log."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from tf_claims.figures.style import INK, QUIET, drawing, save, tell
from tf_claims.statistics.intervals import Estimate, Floats
from tf_claims.words.wording import number


class Line(NamedTuple):
    """One program: its times of a repetition (seconds), (blocks, sizes), and its fitted a and b."""

    name: str
    colour: str
    times: Floats
    fixed: float | None
    per_point: float | None


class Panel(NamedTuple):
    environment: str
    sizes: Floats
    lines: Sequence[Line]
    crossover: Estimate | None
    crossing: int  # blocks in which the lines cross


CAPTION = (
    "Time of one repetition against the size of the problem. Dots are the blocks, lines the fitted a + b x size. "
    "The dashed line marks the size at which both cost the same, the band its 95 % interval."
)
COLUMNS = 2


def draw_cost_model(panels: Sequence[Panel], size: str, repetition: str, folder: Path, name: str) -> None:
    """The figure ``name`` in ``folder``; ``size`` and ``repetition`` (singular) name the axes."""
    columns = min(COLUMNS, len(panels))
    rows = -(-len(panels) // columns)
    with drawing(columns, 3.4 * columns, [2.6] * rows) as (figure, axes):
        for panel, each in zip(panels, axes, strict=False):
            _draw(panel, each, size)
        for spare in axes[len(panels) :]:
            spare.set_visible(False)
        ends = _ends(panels)
        for index, each in enumerate(axes[: len(panels)]):
            each.set_ylim(*ends)
            if index % columns == 0:
                each.set_ylabel(f"time per {repetition} (µs)")
            if index + columns >= len(panels):
                each.set_xlabel(size)
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper left", ncols=len(labels))
        save(figure, folder, name, CAPTION)


def _draw(panel: Panel, axes: Axes, size: str) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    low, high = panel.sizes.min(), panel.sizes.max()
    crossing = panel.crossover if panel.crossover and panel.crossover.value else None
    if crossing is not None and crossing.value is not None:
        low, high = min(low, crossing.value / 2), max(high, crossing.value * 2)
    grid = np.geomspace(low, high, 100)
    for line in panel.lines:
        x = np.broadcast_to(panel.sizes, line.times.shape)
        times = 1e6 * line.times.ravel()
        (dots,) = axes.plot(x.ravel(), times, "o", color=line.colour, markersize=3, alpha=0.5, linewidth=0)
        here = f"{line.name}, {panel.environment}"
        tell(dots, *(f"{here}: {number(t)} µs at {size} = {n:,g}" for n, t in zip(x.ravel(), times, strict=True)))
        if line.fixed is not None and line.per_point is not None:
            fitted = 1e6 * (line.fixed + line.per_point * grid)
            (drawn,) = axes.plot(grid, fitted, color=line.colour, label=line.name)
            tell(drawn, f"{here}: {number(1e6 * line.fixed)} µs + {number(1e9 * line.per_point)} ns × {size}")
    if crossing is None or crossing.value is None:
        blocks = len(panel.lines[0].times)
        absent = f"crossover in {panel.crossing} of {blocks} blocks only" if panel.crossing else "no crossover"
        axes.text(0.04, 0.92, absent, transform=axes.transAxes, va="top")
    else:
        if crossing.low is not None and crossing.high is not None:
            axes.axvspan(crossing.low, crossing.high, color=QUIET, alpha=0.25, linewidth=0)
        axes.axvline(crossing.value, color=INK, linewidth=0.8, linestyle=(0, (4, 2)))
        beyond = "" if panel.sizes.min() <= crossing.value <= panel.sizes.max() else "\n(beyond the sizes measured)"
        axes.text(0.04, 0.92, f"equal at {size} = {number(crossing.value)}{beyond}", transform=axes.transAxes, va="top")
    axes.set_title(panel.environment)


def _ends(panels: Sequence[Panel]) -> tuple[float, float]:
    """Limits of the time axis that all panels share (µs)."""
    times = np.concatenate([line.times.ravel() for panel in panels for line in panel.lines])
    return 0.6e6 * float(times.min()), 3e6 * float(times.max())
