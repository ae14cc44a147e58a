"""The scenario that the harness is validated with: its loops descend, and what is planted is what is said."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path
from statistics import NormalDist
from types import ModuleType, SimpleNamespace

import pytest

from tf_claims.model.scenario import read_scenario

ROOT = Path(__file__).parents[2]
PLANTED = {"a": 0.0, "b": 0.0, "slow_3": 0.03, "slow_5": 0.05, "slow_10": 0.10}


class Clock:
    """Each look at it takes a microsecond; work takes what the test says."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        self.now += 1e-6
        return self.now


@pytest.fixture
def variants() -> ModuleType:
    spec = importlib.util.spec_from_file_location("harness_variants", ROOT / "scenarios/harness/variants.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def case(n: int = 100, name: str = "a", iterations: int = 400) -> SimpleNamespace:
    return SimpleNamespace(levels={"n": n, "name": name}, sizes={"iterations": iterations})


@pytest.mark.parametrize("loop", ["numpy", "matrix", "python"])
def test_every_loop_finds_the_slope(variants: ModuleType, loop: str) -> None:
    first_step, run = getattr(variants, loop)(case())
    first_step()
    found = run()
    assert found["W"] == pytest.approx(3.0, abs=1e-3)
    assert found["planted"] == 0.0


@pytest.mark.parametrize(("name", "share"), PLANTED.items())
def test_a_slow_down_is_a_share_of_the_work(variants: ModuleType, monkeypatch, name: str, share: float) -> None:
    clock = Clock()
    monkeypatch.setattr(variants, "time", clock)
    steps = []

    def step() -> None:
        steps.append(clock.now)
        clock.now += 0.01

    _, run = variants._timed(case(name=name, iterations=1000), step, lambda: 3.0)
    assert run()["planted"] == pytest.approx(share, abs=1e-4)
    assert len(steps) == 1000
    assert clock.now == pytest.approx(1000 * 0.01 * (1 + share), rel=1e-3)


def test_the_slow_downs_are_those_that_the_claims_and_gates_state(variants: ModuleType) -> None:
    scenario = read_scenario("harness", ROOT / "scenarios")
    assert variants.SLOW_DOWN == PLANTED
    published = {
        str(claim.ratio.of["name"]): claim.published.value for claim in scenario.claims.values() if claim.ratio
    }
    assert published == {name: 1 + share for name, share in PLANTED.items() if share}
    gates = {str(gate.where["name"]): gate.equals for gate in scenario.gates if gate.where and gate.equals}
    assert gates == {name: share for name, share in PLANTED.items() if share}


def test_there_are_enough_comparisons_of_the_same_code() -> None:
    scenario = read_scenario("harness", ROOT / "scenarios")
    same = [claim.equivalence for claim in scenario.claims.values() if claim.equivalence]
    assert {each.margin for each in same} == {0.05}
    for each in same:
        assert (each.of["name"], each.to["name"]) == ("b", "a")
        assert {**each.of, "name": "a"} == each.to
    run = [
        variant.levels
        for environment in ("tf1.15-cpu", "tf2.0-cpu", "tf2.15-cpu", "tf2.21-cpu")
        for variant in scenario.variants("validate", environment)
    ]
    assert sum(run.count(each.of) for each in same) == 42


def test_every_claim_asks_for_half_of_what_it_is_to_show() -> None:
    """A slow-down of 5 % is then found in 97 % of all runs, and sameness within 5 % in 98 % (normal quantiles)."""
    scenario = read_scenario("harness", ROOT / "scenarios")
    assert {claim.precision for claim in scenario.claims.values()} == {0.025}
    normal, asked = NormalDist(), math.log1p(0.025)
    error, margin = asked / normal.inv_cdf(0.975), math.log1p(0.05)
    assert normal.cdf((margin - asked) / error) == pytest.approx(0.97, abs=0.005)
    within = normal.cdf((margin - normal.inv_cdf(0.95) * error) / error)
    assert 2 * within - 1 == pytest.approx(0.98, abs=0.01)
