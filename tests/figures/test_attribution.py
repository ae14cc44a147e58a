"""The figure of an attribution: the numbers it shows, and the published effect found for it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tf_claims.figures.draw import _published_effect
from tf_claims.figures.factorial import Factorial, Measured, draw_factorial
from tf_claims.model.scenario import Attribution, read_scenario
from tf_claims.statistics.attribution import attribute

# Two blocks, of which network does a factor of 10, method of 2, and together half as much again.
TIMES = np.array([[1.0, 2.0, 10.0, 30.0], [2.0, 4.0, 20.0, 60.0]])


def factorial(published: float | None) -> Factorial:
    factors = [("network", ("dense", "conv")), ("method", ("fit", "tape_step"))]
    measured = [Measured("tf2.0-cpu", attribute(TIMES, 2), TIMES)]
    colours = ("#0072B2", "#D55E00")
    return Factorial("A7", "It is the network.", "run.wall_s", factors, 0, published, colours, measured)


def test_it_shows_the_effects_of_a_known_factorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("tf_claims.figures.style", fromlist=["_STYLE"])._STYLE, "svg.fonttype", "none")
    draw_factorial(factorial(24.7), tmp_path, "x")
    shown = (tmp_path / "x_decomposition.svg").read_text()
    effects = [
        f"network × {np.sqrt(150):.1f}",
        f"method × {np.sqrt(6):.2f}",
        "× 30.0",
        "× 24.7",
        "the text",
        "tf2.0-cpu",
    ]
    assert [each for each in effects if each not in shown] == []
    assert f"interaction × {np.sqrt(1.5):.2f}" in (tmp_path / "x_interaction.svg").read_text()


def test_without_a_published_effect_only_ours_is_drawn_and_twice_the_same_bytes(tmp_path: Path) -> None:
    for folder in ("once", "again"):
        draw_factorial(factorial(None), tmp_path / folder, "x")
    names = sorted(path.name for path in (tmp_path / "once").iterdir())
    assert names == [f"x_{part}.{kind}" for part in ("decomposition", "interaction") for kind in ("pdf", "svg", "txt")]
    for name in names:
        assert (tmp_path / "once" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_the_published_effect_is_that_of_the_claim_between_the_same_ends() -> None:
    scenario = read_scenario("mnist_fit_vs_tape")
    estimand = scenario.claims["A7"].estimand
    assert isinstance(estimand, Attribution)
    assert _published_effect(scenario, estimand) == 24.7
    other = estimand.model_copy(update={"factors": {"network": ("conv", "dense"), "method": ("fit", "tape_step")}})
    assert _published_effect(scenario, other) is None
