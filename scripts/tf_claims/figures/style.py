"""How all figures look, and how they are written: the same bytes for the same numbers."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import matplotlib

matplotlib.use("agg")

from matplotlib import pyplot as plt
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tf_claims.model.files import replaced, write_whole
from tf_claims.model.scenario import Scenario
from tf_claims.model.selectors import Level

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


_SVG = "http://www.w3.org/2000/svg"
_told: WeakKeyDictionary[Artist, list[str]] = WeakKeyDictionary()


def tell(artist: Artist, *words: str) -> None:
    """What the SVG says of an artist where a reader points at it: one text, or one for each of its markers."""
    _told[artist] = list(words)


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
    told = [(artist, _told[artist]) for artist in figure.findobj() if artist in _told]
    for place, (artist, _) in enumerate(told):
        artist.set_gid(f"told-{place}")
    for kind, metadata in nothing.items():
        with replaced(folder / f"{name}.{kind}") as draft:
            figure.savefig(draft, format=kind, metadata=metadata)
            if kind == "svg":
                _write_titles(draft, [words for _, words in told])
    write_whole(folder / f"{name}.txt", caption + "\n")


def _write_titles(svg: Path, told: list[list[str]]) -> None:
    """A ``<title>``, which browsers show beside the pointer, in each mark that has something to tell."""
    ET.register_namespace("", _SVG)
    ET.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    tree = ET.parse(svg)
    groups = {element.get("id"): element for element in tree.iter(f"{{{_SVG}}}g")}
    for place, words in enumerate(told):
        group = groups[f"told-{place}"]
        marks = [group] if len(words) == 1 else list(group.iter(f"{{{_SVG}}}use"))
        for mark, text in zip(marks, words, strict=True):
            title = ET.Element(f"{{{_SVG}}}title")
            title.text = text
            mark.insert(0, title)
    tree.write(svg, encoding="utf-8", xml_declaration=True)
