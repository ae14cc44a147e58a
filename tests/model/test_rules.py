"""What is registered before the first block stays, and what was changed since is named."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tf_claims.model.reason import because
from tf_claims.model.results import Results
from tf_claims.model.rules import changed_files, present_rules, rules_of
from tf_claims.model.study import Study, plan_study, read_study, register_rules, write_study

SCENARIO = Path("scenarios/linear_regression/scenario.yaml")
OTHER = "scenarios/mnist_fit_vs_tape/scenario.yaml"


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Results:
    """In a copy of what people write, whose files may be changed."""
    for name in ("config", "scenarios", "envs"):
        shutil.copytree(name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return Results(Path("results/quick"))


def planned(results: Results, *scenarios: str) -> Study:
    """As the Snakefile does it."""
    study = plan_study("quick", lambda stack: because("gpu.none") if stack.gpu else None, [], scenarios)
    write_study(register_rules(study, results), results.study)
    return read_study(results.study)


def measure(results: Results, scenario: str = "linear_regression") -> Path:
    block = results.block(scenario, "tf1.15-cpu", 1)
    block.parent.mkdir(parents=True)
    block.write_text("{}\n")
    return block


def test_the_checksum_is_that_of_sha256sum(tmp_path: Path) -> None:
    rules = present_rules("quick", ["linear_regression"])
    assert {"scripts/tf_claims/estimands/ratio.py", "scripts/tf_claims/statistics/intervals.py"} <= rules.files.keys()
    assert {"scripts/tf_claims/cells/quality.py", "config/presets/quick.yaml", str(SCENARIO)} <= rules.files.keys()
    told = subprocess.check_output(f"sha256sum {' '.join(rules.files)} | sha256sum", shell=True, text=True)
    assert told.split()[0] == rules.sha256


def test_before_the_first_block_the_last_rules_are_registered(results: Results) -> None:
    first = planned(results, "linear_regression").rules.registered
    SCENARIO.write_text(SCENARIO.read_text() + "# another\n")
    second = planned(results, "linear_regression")
    assert first and second.rules.registered and first.sha256 != second.rules.registered.sha256
    assert second.rules.registered == second.rules.planned and second.changed_rules == []


def test_after_a_block_the_first_rules_stay_and_what_was_changed_is_named(results: Results) -> None:
    first = planned(results, "linear_regression").rules.registered
    block = measure(results)
    SCENARIO.write_text(SCENARIO.read_text() + "# another\n")
    second = planned(results, "linear_regression")
    assert second.rules.registered == first != second.rules.planned
    assert second.changed_rules == [str(SCENARIO)]
    assert second.only({("linear_regression", "tf1.15-cpu")}).changed_rules == [str(SCENARIO)]
    block.unlink()
    assert planned(results, "linear_regression").changed_rules == []  # from the beginning again


def test_a_scenario_joins_before_its_own_first_block_and_one_left_out_keeps_its_place(results: Results) -> None:
    planned(results, "linear_regression")
    measure(results)
    both = planned(results, "linear_regression", "mnist_fit_vs_tape")
    assert both.rules.registered is not None and OTHER in both.rules.registered.files and both.changed_rules == []
    measure(results, "mnist_fit_vs_tape")
    Path(OTHER).write_text(Path(OTHER).read_text() + "# another\n")
    assert planned(results, "linear_regression").changed_rules == []
    assert planned(results, "linear_regression", "mnist_fit_vs_tape").changed_rules == [OTHER]


@pytest.mark.parametrize("study", [None, "cut short", "earlier"])
def test_blocks_of_an_earlier_version_were_not_registered(results: Results, study: str | None) -> None:
    planned(results, "linear_regression")
    measure(results)
    if study is None:
        results.study.unlink()
    elif study == "cut short":
        results.study.write_text(results.study.read_text()[:100])
    else:
        earlier = {name: each for name, each in json.loads(results.study.read_text()).items() if name != "rules"}
        results.study.write_text(json.dumps(earlier))
        assert read_study(results.study).rules.registered is None
    found = planned(results, "linear_regression")
    assert found.rules.registered is None and found.rules.planned is not None and found.changed_rules == []


def test_a_rule_that_is_new_or_gone_is_a_changed_one() -> None:
    before, now = rules_of({"a": "1", "b": "2", "scenarios/x/scenario.yaml": "3"}), rules_of({"a": "1", "c": "4"})
    assert changed_files(before, now) == ["b", "c"]
