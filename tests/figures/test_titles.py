"""What the marks of an SVG figure say of themselves."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tf_claims.figures.style import drawing, save, tell

SVG = "{http://www.w3.org/2000/svg}"


def titles(path: Path) -> list[str]:
    return [title.text or "" for title in ET.parse(path).iter(f"{SVG}title")]


def draw(folder: Path, *words: str) -> None:
    with drawing(1, 3, [2]) as (figure, (axes,)):
        (dots,) = axes.plot([1, 2, 3], [3, 2, 1], "o")
        (line,) = axes.plot([1, 2], [1, 2])
        tell(line, "a line")
        tell(dots, *words)
        save(figure, folder, "drawn", "A caption.")


def test_a_line_has_one_title_and_each_marker_its_own(tmp_path: Path) -> None:
    draw(tmp_path, "first <", "second", "third")
    assert titles(tmp_path / "drawn.svg") == ["first <", "second", "third", "a line"]
    markers = [
        each for each in ET.parse(tmp_path / "drawn.svg").iter(f"{SVG}use") if each.find(f"{SVG}title") is not None
    ]
    assert [each[0].text for each in markers] == ["first <", "second", "third"]
    assert float(markers[0].get("x", 0)) < float(markers[2].get("x", 0))


def test_the_same_numbers_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        draw(tmp_path / name, "1", "2", "3")
    assert (tmp_path / "a" / "drawn.svg").read_bytes() == (tmp_path / "b" / "drawn.svg").read_bytes()


def test_words_that_do_not_fit_the_markers_are_a_fault(tmp_path: Path) -> None:
    with pytest.raises(ValueError):
        draw(tmp_path, "1", "2")
