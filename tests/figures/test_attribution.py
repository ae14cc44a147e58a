"""The figure of an attribution: the numbers it shows, and the published effect found for it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tf_claims.estimands.attribution import Attribution
from tf_claims.estimands.kind import Asked, Chosen
from tf_claims.figures import attribution, style
from tf_claims.model.scenario import Scenario, read_scenario
from tf_claims.model.verdict import Verdict
from tf_claims.verdicts.judgement import Evidence, Judgement
from tf_claims.words.messages import ENGLISH, Messages

# Two blocks, of which network does a factor of 10, method of 2, and together half as much again.
TIMES = [[1.0, 2.0, 10.0, 30.0], [2.0, 4.0, 20.0, 60.0]]


def scenario(published: bool = True) -> Scenario:
    """That of the claim A7 with two of its factors; without the claims that have its effect if not ``published``."""
    found = read_scenario("mnist_fit_vs_tape")
    factors = {"network": ("dense", "conv"), "method": ("fit", "tape_step")}
    two = Attribution(metric="run.wall_s", where={"pipeline": "published"}, factors=factors, cause="network")
    found = found.model_copy(
        update={"claims": found.claims | {"A7": found.claims["A7"].model_copy(update={"attribution": two})}}
    )
    return found if published else found.model_copy(update={"claims": {"A7": found.claims["A7"]}})


def estimand() -> Attribution:
    found = scenario().claims["A7"].estimand
    assert isinstance(found, Attribution)
    return found


def judgement() -> Judgement:
    chosen = [Chosen({"network": str(corner)}, {}, {}) for corner in range(4)]
    finding = estimand().find(Asked(np.array(TIMES), ["", ""], chosen, None))
    claim = scenario().claims["A7"]
    verdict = Verdict(
        claim="A7",
        scenario="mnist_fit_vs_tape",
        environment="tf2.0-cpu",
        says=claim.says,
        estimand="attribution",
        verdict=finding.verdict,
        reason="",
        because=[],
        published=None,
        published_figures="",
        blocks=2,
        facts=finding.facts,
    )
    evidence = Evidence(
        described=estimand().described,
        columns=["a", "b", "c", "d"],
        result="",
        numbers=[0, 1],
        values=[list(row) for row in TIMES],
        why_unused={},
    )
    return Judgement(verdict=verdict, evidence=evidence)


def draw(folder: Path, published: bool = True, messages: Messages = ENGLISH) -> None:
    attribution.draw("x", scenario(published), {"A7": [judgement()]}, folder, messages)


def test_it_shows_the_effects_of_a_known_factorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(style._STYLE, "svg.fonttype", "none")
    draw(tmp_path)
    shown = (tmp_path / "x_A7_decomposition.svg").read_text()
    effects = [
        f"network × {np.sqrt(150):.1f}",
        f"method × {np.sqrt(6):.2f}",
        "× 30.0",
        "× 24.7",
        "the text",
        "tf2.0-cpu",
    ]
    assert [each for each in effects if each not in shown] == []
    assert f"interaction × {np.sqrt(1.5):.2f}" in (tmp_path / "x_A7_interaction.svg").read_text()
    assert "dark is what network does, light what method does" in (tmp_path / "x_A7_decomposition.txt").read_text()


def test_it_speaks_japanese(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(style._STYLE, "svg.fonttype", "none")
    draw(tmp_path, messages=Messages("ja"))
    shown = (tmp_path / "x_A7_decomposition.svg").read_text()
    says = scenario().claims["A7"].says_ja
    assert [each for each in (says[:10], "文章", "の所要時間は", "IPAexGothic") if each not in shown] == []
    assert "交互作用 × 1.22" in (tmp_path / "x_A7_interaction.svg").read_text()


def test_without_a_published_effect_only_ours_is_drawn_and_twice_the_same_bytes(tmp_path: Path) -> None:
    for folder in ("once", "again"):
        draw(tmp_path / folder, published=False)
    names = sorted(path.name for path in (tmp_path / "once").iterdir())
    parts = ("decomposition", "interaction")
    assert names == [f"x_A7_{part}.{kind}" for part in parts for kind in ("pdf", "svg", "txt")]
    assert "published" not in (tmp_path / "once" / "x_A7_decomposition.svg").read_text()
    for name in names:
        assert (tmp_path / "once" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_shares_stand_beside_effects_only_where_they_can_be_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(style._STYLE, "svg.fonttype", "none")
    opposing = [[1.0, 1 / 9, 10.0, 10 / 9], [1.0, 1 / 9, 10.0, 10 / 9]]
    for times, shown in ((TIMES, True), (opposing, False)):
        monkeypatch.setattr("tests.figures.test_attribution.TIMES", times)
        draw(tmp_path)
        svg = (tmp_path / "x_A7_decomposition.svg").read_text()
        assert ("%)" in svg) == shown


def test_the_published_effect_is_that_of_the_claim_between_the_same_ends() -> None:
    assert attribution.published_effect(scenario(), estimand()) == 24.7
    other = estimand().model_copy(update={"factors": {"network": ("conv", "dense"), "method": ("fit", "tape_step")}})
    assert attribution.published_effect(scenario(), other) is None
