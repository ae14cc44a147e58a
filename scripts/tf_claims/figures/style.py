"""How all figures look, and how they are written: the same bytes for the same numbers."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width
from weakref import WeakKeyDictionary

import matplotlib

matplotlib.use("agg")

from matplotlib import pyplot as plt
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, fontManager
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from tf_claims.model.errors import InputError
from tf_claims.model.files import replaced, write_whole
from tf_claims.model.scenario import Scenario
from tf_claims.model.selectors import Level
from tf_claims.words.messages import ENGLISH, Messages

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
_TITLE_COLUMNS = 84
_NOT_FIRST = "、。，．・：；？！」』）］ーっッゃャゅュょョ～"
"""No line of Japanese begins with one of these."""


def colour_of(scenario: Scenario, level: Level) -> str:
    """The colour of what a variant calls, the same in every figure of a scenario."""
    return COLOURS[scenario.factors[scenario.calls].index(level) % len(COLOURS)]


_SVG = "http://www.w3.org/2000/svg"
_told: WeakKeyDictionary[Artist, list[str]] = WeakKeyDictionary()


def tell(artist: Artist, *words: str) -> None:
    """What the SVG says of an artist where a reader points at it: one text, or one for each of its markers."""
    _told[artist] = list(words)


@cache
def _japanese_font() -> str:
    """The family of a font that has Japanese; it comes with a package, since few hosts have one."""
    # The package is not imported: that alone would change the font of every figure.
    package = find_spec("matplotlib_fontja")
    if package is None or not package.submodule_search_locations:
        raise InputError("the package matplotlib-fontja is not installed; delete .venv and run again: that installs it")
    path = Path(package.submodule_search_locations[0], "fonts", "ipaexg.ttf")
    fontManager.addfont(path)
    return str(FontProperties(fname=path).get_name())


@contextmanager
def drawing(
    columns: int, width: float, heights: Sequence[float], messages: Messages = ENGLISH
) -> Iterator[tuple[Figure, list[Axes]]]:
    """A figure with a row of panels for each of ``heights`` (inches), in the style of all figures.

    :raises InputError: where the font for Japanese is missing.
    """
    # What a font lacks is taken from the next.
    fonts = {"font.family": [_japanese_font(), "DejaVu Sans"]} if messages.language == "ja" else {}
    with plt.rc_context(_STYLE | fonts):
        size = (width, sum(heights))
        figure, panels = plt.subplots(len(heights), columns, figsize=size, height_ratios=heights, squeeze=False)
        try:
            yield figure, list(panels.flat)
        finally:
            plt.close(figure)


def title_lines(text: str) -> list[str]:
    """A panel's title in lines that fit its width; Japanese may be broken between any two characters."""
    lines = [""]
    for piece in re.findall(r"\s+|[!-~]+|.", text):
        together = lines[-1] + piece
        if _width(together.rstrip()) > _TITLE_COLUMNS and piece.strip() and piece not in _NOT_FIRST:
            lines[-1] = lines[-1].rstrip()
            lines.append(piece)
        else:
            lines[-1] = together
    return [*lines[:-1], lines[-1].rstrip()]


def _width(text: str) -> int:
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def few_ticks(axis: Axis, ends: tuple[float, float]) -> None:
    """Plain numbers on a log axis: 1, 2 and 5 of each power of ten, or the powers alone where these are many."""
    few = ends[1] / ends[0] < 50
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if few else (1.0,)))
    plain_numbers(axis)


def plain_numbers(axis: Axis) -> None:
    """Numbers on a log axis that are no powers."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axis.set_minor_formatter(NullFormatter())


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
