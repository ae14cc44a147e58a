"""Figures inside the page: SVG that shares one document with other SVG and is read to people who do not see it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from tf_claims.model.errors import InputError
from tf_claims.words.messages import ENGLISH, Language, Messages
from tf_claims.words.numbers import title_of

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_REFERENCE = re.compile(r"url\(\s*['\"]?#([^)'\"]+)['\"]?\s*\)")
_NOT_DRAWN = {f"{{{_SVG}}}metadata", f"{{{_SVG}}}script"}


class Figure(NamedTuple):
    """A figure with its title, its caption in ``language``, and the files in which it comes."""

    anchor: str
    title: str
    caption: str
    language: Language
    svg: Markup
    files: list[Path]


def read_figures(folder: Path, messages: Messages = ENGLISH) -> list[Figure]:
    """Each ``*.svg`` of a folder, with the caption in the text file of the same name where there is one.

    It is drawn in another language than English where the folder of that language (``ja``) has it.

    :raises InputError: naming the file, for one that is not SVG.
    """
    figures = []
    for english in sorted(folder.glob("*.svg")):
        translated = folder / messages.language / english.name
        path, language = (translated, messages.language) if translated.exists() else (english, "en")
        figures.append(
            Figure(
                anchor=f"figure-{path.stem}",
                title=_title(path.stem, messages),
                caption=caption(path),
                language=language,
                svg=inline(path, f"figure-{path.stem}"),
                files=[file for suffix in (".svg", ".pdf") if (file := path.with_suffix(suffix)).exists()],
            )
        )
    return figures


_KINDS = {
    "ratios": r"(?P<scenario>.+)_ratios",
    "curves": r"(?P<scenario>.+)_curves",
    "cost_model": r"(?P<scenario>.+)_cost_model_(?P<claim>[^_]+)",
    "decomposition": r"(?P<scenario>.+)_(?P<claim>[^_]+)_decomposition",
    "interaction": r"(?P<scenario>.+)_(?P<claim>[^_]+)_interaction",
}


def _title(stem: str, messages: Messages) -> str:
    """By the kind of figure, which is the end of its file's name."""
    for kind, pattern in _KINDS.items():
        if match := re.fullmatch(pattern, stem):
            names = match.groupdict()
            return messages.text(f"figure.{kind}.title", **names | {"scenario": title_of(names["scenario"])})
    return title_of(stem)


def caption(path: Path) -> str:
    """The paragraph in the text file beside a figure or table; empty where there is none."""
    beside = path.with_suffix(".txt")
    return " ".join(beside.read_text().split()) if beside.exists() else ""


def inline(path: Path, prefix: str) -> Markup:
    """An SVG file as an element of a page: its ids and styles are its own, and its size is its container's.

    What has a ``<title>`` is a mark whose value can be read.

    :raises InputError: where the file is not SVG.
    """
    try:
        root = ET.fromstring(path.read_text())
    except (ET.ParseError, UnicodeDecodeError) as error:
        raise _not_svg(path, str(error)) from None
    if root.tag != f"{{{_SVG}}}svg":
        raise _not_svg(path, f"its outermost element is {root.tag}")
    for parent in list(root.iter()):
        for child in [child for child in parent if child.tag in _NOT_DRAWN]:
            parent.remove(child)
    for element in root.iter():
        _prefix(element, prefix)
        title = element.find(f"{{{_SVG}}}title")
        if title is not None and title.text:
            element.set("class", "mark")
    _fit(root)
    root.set("id", prefix)
    root.set("role", "img")
    root.set("aria-labelledby", f"{prefix}-title")
    ET.register_namespace("", _SVG)
    ET.register_namespace("xlink", _XLINK)
    return Markup(ET.tostring(root, encoding="unicode"))


def _prefix(element: ET.Element, prefix: str) -> None:
    for name, value in element.attrib.items():
        if name == "id":
            element.set(name, f"{prefix}-{value}")
        elif name in ("href", f"{{{_XLINK}}}href") and value.startswith("#"):
            element.set(name, f"#{prefix}-{value[1:]}")
        else:
            element.set(name, _REFERENCE.sub(rf"url(#{prefix}-\1)", value))
    if element.tag == f"{{{_SVG}}}style" and element.text:
        # A style sheet inside SVG holds for the whole page; `*` is the only selector that Matplotlib writes.
        element.text = re.sub(r"\*\s*\{", f"#{prefix} * {{", element.text)


def _fit(root: ET.Element) -> None:
    """Leave the size to the page: the view box keeps the proportions."""
    size = [re.match(r"[\d.]+", root.get(side, "")) for side in ("width", "height")]
    if root.get("viewBox") is None and all(size):
        root.set("viewBox", " ".join(["0 0", *(match[0] for match in size if match)]))
    for side in ("width", "height"):
        root.attrib.pop(side, None)


def _not_svg(path: Path, why: str) -> InputError:
    return InputError(f"{path}: not an SVG figure: {why}; delete it and run `make reproduce` again")
