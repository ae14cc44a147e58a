"""What all figures share: titles that fit, and a font for Japanese that leaves English figures as they are."""

from __future__ import annotations

import textwrap

import matplotlib
import pytest

from tf_claims.figures.style import drawing, title_lines
from tf_claims.model.scenario import read_scenario, scenario_names
from tf_claims.words.messages import Messages

CLAIMS = [claim for name in scenario_names() for claim in read_scenario(name).claims.values()]


def test_english_titles_are_broken_between_words() -> None:
    for claim in CLAIMS:
        assert "\n".join(title_lines(claim.says)) == textwrap.fill(claim.says, 84)


def test_japanese_titles_are_broken_where_nothing_is_torn() -> None:
    broken = [title_lines(claim.says_ja) for claim in CLAIMS if claim.says_ja]
    assert any(len(lines) > 1 for lines in broken)
    for lines in broken:
        assert all(len(line) <= 86 and line[0] not in "、。）」ー" for line in lines)
    assert title_lines("あ" * 38 + "TensorFlow の") == ["あ" * 38, "TensorFlow の"]


def test_the_font_for_japanese_is_used_for_japanese_alone() -> None:
    before = matplotlib.rcParams["font.family"]
    for language, family in (("ja", ["IPAexGothic", "DejaVu Sans"]), ("en", before)):
        with drawing(1, 2, [1], Messages(language)):  # type: ignore[arg-type]
            assert matplotlib.rcParams["font.family"] == family
    assert matplotlib.rcParams["font.family"] == before


@pytest.mark.parametrize("character", "×µ±…→、あ漢\u00a0－")
def test_every_character_has_a_picture(character: str, recwarn: pytest.WarningsRecorder) -> None:
    with drawing(1, 2, [1], Messages("ja")) as (figure, (axes,)):
        axes.set_title(character)
        figure.canvas.draw()
    assert [str(each.message) for each in recwarn if "missing" in str(each.message)] == []
