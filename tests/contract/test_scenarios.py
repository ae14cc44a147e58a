"""What every scenario must be; a new one is tested as soon as its folder is there."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from runner.plan import functions_in
from tf_claims.model.plan import plan_block
from tf_claims.model.scenario import SCENARIOS, Scenario, read_scenario, scenario_names
from tf_claims.model.selectors import matches
from tf_claims.model.stack import environments
from tf_claims.model.study import check_claims, covers

ROOT = Path(__file__).parents[2]
NAMES = sorted(path.parent.name for path in (ROOT / SCENARIOS).glob("*/scenario.yaml"))
PUBLISHED = {"smoke", "quick", "paper"}

pytestmark = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(autouse=True)
def _in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.fixture
def scenario(name: str) -> Scenario:
    return read_scenario(name)


def test_it_is_found(name: str) -> None:
    assert name in scenario_names()


def test_it_has_every_preset(name: str, scenario: Scenario) -> None:
    """A scenario without published sizes stands for no text and is in presets of its own only."""
    assert set(scenario.presets) >= PUBLISHED or not set(scenario.presets) & PUBLISHED


def test_every_called_level_is_a_function(name: str, scenario: Scenario) -> None:
    functions = functions_in(str(SCENARIOS / name / "variants.py"))
    assert {str(level) for level in scenario.factors[scenario.calls]} == functions


def test_its_code_is_python_3_7(name: str) -> None:
    ast.parse((SCENARIOS / name / "variants.py").read_text(), feature_version=(3, 7))


def test_tensorflow_is_only_imported_inside_a_variant(name: str) -> None:
    """So that a variant without it never pays for it, and tests can import the file."""
    tree = ast.parse((SCENARIOS / name / "variants.py").read_text())
    top = [each for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom)]
    modules = {alias.name for each in top if isinstance(each, ast.Import) for alias in each.names}
    modules |= {str(each.module) for each in top if isinstance(each, ast.ImportFrom)}
    assert not {module for module in modules if module.partition(".")[0] in ("tensorflow", "keras", "tf_keras")}


def test_it_tells_what_it_is(name: str, scenario: Scenario) -> None:
    text = (SCENARIOS / name / "README.md").read_text()
    assert text.startswith("# ")
    for level in scenario.factors[scenario.calls]:
        assert str(level) in text, f"README.md does not explain {level}"


def test_imports_are_for_functions_that_exist(name: str, scenario: Scenario) -> None:
    assert set(scenario.imports) - {"*"} <= {str(level) for level in scenario.factors[scenario.calls]}


@pytest.mark.parametrize("environment", environments(ROOT / "envs"))
def test_its_claims_select_what_they_compare(name: str, scenario: Scenario, environment: str) -> None:
    for preset in scenario.presets:
        check_claims(name, scenario, preset, environment)


@pytest.mark.parametrize("environment", environments(ROOT / "envs"))
def test_it_has_a_plan_wherever_it_runs(name: str, scenario: Scenario, environment: str) -> None:
    for preset in scenario.presets:
        plan = plan_block(preset, name, environment)
        if covers(scenario.preset(preset).environments or ["*"], environment):
            assert plan["variants"], preset
        labels = [str(variant["levels"]) for variant in plan["variants"]]
        assert len(set(labels)) == len(labels), preset


def test_every_exclusion_excludes_something(name: str, scenario: Scenario) -> None:
    for exclusion in scenario.exclude:
        assert any(
            matches(exclusion.selector, levels, environment)
            for levels in scenario.all_combinations()
            for environment in environments(ROOT / "envs")
        ), exclusion


def test_every_size_rule_is_used(name: str, scenario: Scenario) -> None:
    for preset in scenario.presets:
        for rule in scenario.preset(preset).sizes:
            assert any(
                matches(rule.when, levels, environment)
                for levels in scenario.combinations(preset)
                for environment in environments(ROOT / "envs")
            ), (preset, rule)
