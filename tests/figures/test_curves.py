"""The figure of published and measured series."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tf_claims.figures import style
from tf_claims.figures.curves import CurvePanel, CurveWords, MeasuredCurve, PublishedCurve, _ends, _middle, draw_curves
from tf_claims.words.messages import Messages

PUBLISHED = [
    PublishedCurve("fit", "#0072B2", False, [0.9, 0.1]),
    PublishedCurve("tape, fixed", "#D55E00", True, [0.3, 0.06]),
]
SERIES = MeasuredCurve(np.array([[1.0, 0.2], [4.0, 0.2]]), np.array([[1.0, 0.05], [4.0, 0.05]]))
PANELS = [CurvePanel("tf2.0-cpu", [SERIES, None]), CurvePanel("tf2.21-cpu", [SERIES, SERIES])]
WORDS = CurveWords("loss", "correct loss over the whole set", "epoch")


def test_it_names_every_line_and_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(style._STYLE, "svg.fonttype", "none")
    draw_curves(PUBLISHED, PANELS, WORDS, tmp_path, "x")
    shown = (tmp_path / "x.svg").read_text()
    wanted = ["the text", "tf2.0-cpu", "tf2.21-cpu", "fit", "tape, fixed", WORDS.checked, "epoch"]
    assert [each for each in wanted if each not in shown] == []
    assert "fit, tf2.0-cpu, one block: 4.00 after step 1" in shown
    assert (tmp_path / "x.txt").read_text().startswith("Loss after each epoch")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_same_numbers_give_the_same_bytes(tmp_path: Path, language: str) -> None:
    for folder in ("once", "again"):
        draw_curves(PUBLISHED, PANELS, WORDS, tmp_path / folder, "x", Messages(language))  # type: ignore[arg-type]
    for kind in ("svg", "pdf", "txt"):
        assert (tmp_path / "once" / f"x.{kind}").read_bytes() == (tmp_path / "again" / f"x.{kind}").read_bytes()


def test_blocks_are_averaged_as_factors_and_all_panels_share_an_axis() -> None:
    assert _middle(SERIES.told) == pytest.approx([2.0, 0.2])
    assert _ends(PUBLISHED, PANELS) == pytest.approx((0.05 / 1.2, 4.0 * 1.2))
