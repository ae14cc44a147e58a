"""Published against measured ratios: a panel a claim, a line an environment."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from tf_claims.figures.style import INK, QUIET, drawing, save, tell
from tf_claims.statistics.intervals import Floats
from tf_claims.words.wording import number


class Measured(NamedTuple):
    """One environment's estimate, its interval and the ratio of every block."""

    environment: str
    estimate: float
    low: float
    high: float
    points: Floats


class Panel(NamedTuple):
    """One claim; ``of`` over ``to``, in the ``colour`` of ``of``."""

    claim: str
    title: str
    axis: str
    published: float
    colour: str
    measured: Sequence[Measured]


CAPTION = (
    "Published ratios (diamonds) beside ours: a dot is the geometric mean over blocks, the bar its 95 % interval, each "
    "small tick the ratio in one block, the number on the right the estimate. The vertical line is 1: no difference."
)


def draw_ratios(panels: Sequence[Panel], folder: Path, name: str) -> None:
    """The figure ``name`` in ``folder``."""
    with drawing(1, 6.4, [_height(panel) for panel in panels]) as (figure, axes):
        for panel, each in zip(panels, axes, strict=True):
            _draw(panel, each)
        save(figure, folder, name, CAPTION)


def _title(panel: Panel) -> str:
    return textwrap.fill(f"{panel.claim}  {panel.title}", 84)


def _height(panel: Panel) -> float:
    """Inches: a line for each environment, each line of the title, and the axis."""
    return 0.85 + 0.24 * len(panel.measured) + 0.16 * len(_title(panel).splitlines())


def _draw(panel: Panel, axes: Axes) -> None:
    axes.set_xscale("log")
    for place, measured in enumerate(panel.measured):
        (ticks,) = axes.plot(
            measured.points, [place] * len(measured.points), "|", color=panel.colour, alpha=0.45, markersize=9
        )
        (bar,) = axes.plot([measured.low, measured.high], [place, place], color=panel.colour, linewidth=2)
        (dot,) = axes.plot(measured.estimate, place, "o", color=panel.colour, markersize=5)
        text = f"{number(measured.estimate)}"
        here = f"{panel.claim}, {measured.environment}"
        tell(ticks, *(f"{here}: {number(point)} in one block" for point in measured.points))
        tell(bar, f"{here}: 95 % interval {number(measured.low)} to {number(measured.high)}")
        tell(dot, f"{here}: {text}")
        axes.annotate(
            text,
            (1.0, place),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
        )
    top = -0.9
    (diamond,) = axes.plot(panel.published, top, "D", color=INK, markersize=5, clip_on=False)
    tell(diamond, f"{panel.claim}, published: {panel.published:,g}")
    axes.annotate(
        f"published: {panel.published:,g}",
        (panel.published, top),
        xytext=(8, 0),
        textcoords="offset points",
        va="center",
    )
    axes.axvline(panel.published, color=INK, linewidth=0.6, linestyle=(0, (2, 2)))
    axes.axvline(1, color=QUIET, linewidth=0.8)
    axes.set_ylim(len(panel.measured) - 0.5, top - 0.5)
    axes.set_yticks(range(len(panel.measured)), [measured.environment for measured in panel.measured])
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(*_limits(panel))
    _tick(axes)
    axes.set_title(_title(panel))
    axes.set_xlabel(panel.axis)


def _limits(panel: Panel) -> tuple[float, float]:
    """All that is shown, 1 included, and room for the words on the right of the published value."""
    shown = [1.0, panel.published]
    for measured in panel.measured:
        shown += [measured.low, measured.high, float(measured.points.min()), float(measured.points.max())]
    low, high = min(shown), max(shown)
    spread = max(high / low, 2.0)
    return low / spread**0.06, max(high * spread**0.06, panel.published * spread**0.3)


def _tick(axes: Axes) -> None:
    low, high = axes.get_xlim()
    few = high / low < 50
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if few else (1.0,)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
