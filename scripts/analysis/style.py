"""How all figures look, and how they are written: the same bytes for the same numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("agg")

from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.atomic import replaced
from model.files import write_whole
from model.scenario import Scenario
from model.selectors import Level

INK, QUIET = "#222222", "#8a8a8a"

# Okabe & Ito, "Color Universal Design", 2008: told apart by colour-blind readers; two greys follow.
COLOURS = "#0072B2 #D55E00 #E69F00 #009E73 #CC79A7 #56B4E9 #F0E442 #000000 #999999 #555555".split()  # noqa: SIM905

_STYLE: dict[Any, Any] = {
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "axes.edgecolor": QUIET,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
    "svg.hashsalt": "tf-claims",
    "pdf.fonttype": 42,
}


def colour_of(scenario: Scenario, level: Level) -> str:
    """The colour of what a variant calls, the same in every figure of a scenario."""
    return COLOURS[scenario.factors[scenario.calls].index(level) % len(COLOURS)]


@contextmanager
def drawing(columns: int, width: float, heights: Sequence[float]) -> Iterator[tuple[Figure, list[Axes]]]:
    """A figure with a row of panels for each of ``heights`` (inches), in the style of all figures."""
    with plt.rc_context(_STYLE):
        size = (width, sum(heights))
        figure, panels = plt.subplots(len(heights), columns, figsize=size, height_ratios=heights, squeeze=False)
        try:
            yield figure, list(panels.flat)
        finally:
            plt.close(figure)


def save(figure: Figure, folder: Path, name: str, caption: str) -> None:
    """``<name>.svg`` and ``.pdf``, without dates, and ``.txt`` with the caption."""
    nothing = {"svg": {"Date": None, "Creator": None}, "pdf": {"CreationDate": None, "Creator": None, "Producer": None}}
    for kind, metadata in nothing.items():
        with replaced(folder / f"{name}.{kind}") as draft:
            figure.savefig(draft, format=kind, metadata=metadata)
    write_whole(folder / f"{name}.txt", caption + "\n")
