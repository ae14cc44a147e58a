"""Scenarios: selection, sizes, exclusions, and a clear message for each kind of mistake."""

from pathlib import Path

import pytest
import yaml

from tf_claims.model.errors import InputError
from tf_claims.model.reason import Text, because
from tf_claims.model.scenario import read_scenario
from tf_claims.model.selection import Offered
from tf_claims.model.selectors import matches
from tf_claims.model.study import plan_study

SCENARIO = yaml.safe_load(
    """
title: t
source: {text: t.txt, title: t, stack: s}
calls: method
imports: {"*": [numpy]}
factors: {method: [slow, fast], n: [10, 100]}
exclude: [{method: fast, n: 10, environment: "tf1*", because: too small}]
metrics: [x]
presets:
  quick: {blocks: {least: 3, most: 3}, sizes: [{steps: 5}, {when: {n: 100}, steps: 2}]}
  paper: {blocks: {least: 3, most: 3}, levels: {n: [100]}, sizes: [{steps: 50}]}
claims:
  K1:
    says: slow is slower
    published: {value: 2, figures: 2 s against 1 s}
    ratio: {metric: run.wall_s, of: {method: slow, n: 10}, to: {method: fast, n: 10}}
"""
)


def write(root: Path, content: object) -> None:
    folder = root / "toy"
    folder.mkdir(exist_ok=True)
    (folder / "scenario.yaml").write_text(yaml.safe_dump(content))


def changed(path: str, value: object) -> dict:
    content = yaml.safe_load(yaml.safe_dump(SCENARIO))
    *parents, last = path.split(".")
    place = content
    for name in parents:
        place = place[int(name) if isinstance(place, list) else name]
    place[last] = value
    return content


def test_levels_sizes_and_exclusions(tmp_path):
    write(tmp_path, SCENARIO)
    scenario = read_scenario("toy", tmp_path)
    assert [tuple(v.levels.values()) for v in scenario.variants("quick", "tf1.15-cpu")] == [
        ("slow", 10),
        ("slow", 100),
        ("fast", 100),
    ]
    assert len(scenario.variants("quick", "tf2.0-cpu")) == 4
    assert len(scenario.variants("paper", "tf2.0-cpu")) == 2
    assert scenario.sizes("quick", {"method": "slow", "n": 100}, "tf2.0-cpu") == {"steps": 2}
    assert scenario.sizes("quick", {"method": "slow", "n": 10}, "tf2.0-cpu") == {"steps": 5}
    offered = Offered(scenario, "quick", "tf1.15-cpu")
    assert offered.why_excluded({"method": "fast", "n": 10}) == because("as_told", text=Text(en="too small"))
    assert offered.why_excluded({"method": "fast"}) is None
    elsewhere = Offered(scenario, "paper", "tf2.0-cpu")
    assert elsewhere.why_excluded({"n": 10}) == because("not_part_of_preset", preset="paper")


def test_selector_patterns_and_alternatives():
    assert matches({"a": [1, 2], "environment": "tf1*"}, {"a": 2}, "tf1.15-cpu")
    assert not matches({"a": 3}, {"a": 2})
    assert not matches({"environment": "tf1*"}, {}, "tf2.0-cpu")
    assert not matches({"absent": 3}, {"a": 3})


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            "claims.K1.ratio.of",
            {"method": "slow"},
            "claims.K1.ratio.of must select one variant in tf2.0-cpu, but selects 2",
        ),
        ("claims.K1.ratio.of", {"method": "slwo"}, "K1.ratio.of: 'slwo' is no level of method (known: slow, fast)"),
        ("claims.K1.ratio.of", {"methud": "slow"}, "'methud' is none of the factors method, n"),
        ("claims.K1.ratio.only_side", "so", "claims.K1.ratio.only_side: Input should be a valid boolean"),
        ("claims.K1.published", {"figures": "none"}, "value: missing; a ratio claim needs the published number"),
        ("claims.K1.published.value", 1, "published.value: a ratio is positive and not 1 (found 1)"),
        ("claims.K1.published.value", -2, "published.value: a ratio is positive and not 1 (found -2)"),
        ("claims.K1.ratio.metric", "run.wal_s", "claims.K1.ratio: 'run.wal_s' is none of the metrics; known: "),
        ("claims.K1.ratio.at_paper_size", "stepz", "claims.K1.ratio.at_paper_size: 'stepz' is no size of the preset"),
        ("gates", [{"metric": "los", "equals": 1, "within": 1}], "gates[0].metric: 'los' is none of the metrics"),
        ("gates", [{"metric": "x", "equals": 1, "within": 1, "where": {"m": 1}}], "gates[0].where: 'm' is none of"),
        ("claims.K1.value", {"of": {}, "metrics": {}}, "claims.K1.value.metrics"),
        ("exclude.0.because", None, "field exclude.0.because"),
        ("exclude.0.n", 11, "exclude[0]: 11 is no level of n (known: 10, 100)"),
        ("presets.quick.levels", {"n": [7]}, "presets.quick.levels: 7 is no level of n"),
        ("presets.quick.blocks", {"least": 1, "most": 3}, "presets.quick.blocks.least"),
        ("presets.quick.blocks", {"least": 3, "most": 2}, "most (2) is smaller than least (3)"),
        ("calls", "mehtod", "calls: 'mehtod' is none of the factors"),
        ("colour", "red", "field colour: not a known field"),
    ],
)
def test_a_mistake_names_file_and_field(tmp_path, path, value, message):
    write(tmp_path, changed(path, value))
    with pytest.raises(InputError) as error:
        scenario = read_scenario("toy", tmp_path)
        scenario.select_one(scenario.claims["K1"].ratio.of, "quick", "tf2.0-cpu", f"{tmp_path}/toy: claims.K1.ratio.of")
    assert message in str(error.value)
    assert str(tmp_path) in str(error.value)


def test_a_file_that_is_no_yaml_is_named(tmp_path):
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "scenario.yaml").write_text("title: [")
    with pytest.raises(InputError, match=r"toy/scenario\.yaml: not YAML"):
        read_scenario("toy", tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("big",), "preset 'big' is unknown; known: paper, quick, smoke, twice, validate"),
        (("../presets/quick",), "preset '../presets/quick' is unknown"),
        (("quick", ["tf3-cpu"]), "environment 'tf3-cpu' is unknown; known: tf1.15-cpu"),
        (("quick", [], ["linear"]), "scenario 'linear' is unknown; known: "),
    ],
)
def test_unknown_names(arguments, message):
    preset, *narrowed = arguments
    with pytest.raises(InputError) as error:
        plan_study(preset, lambda stack: None, *narrowed)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"title: a\nmetrics: [x]\ntitle: b\n", "not YAML: 'title' is there twice in \"<unicode string>\", line 3"),
        (b"title: \xff\n", "not UTF-8 text: invalid start byte at byte 7"),
        (b"title: 2026-99-99\n", "not YAML: month must be in 1..12"),
    ],
)
def test_what_yaml_s_library_lets_through_or_breaks_at_is_one_message(tmp_path, content, message):
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy/scenario.yaml").write_bytes(content)
    with pytest.raises(InputError) as error:
        read_scenario("toy", tmp_path)
    assert str(error.value).startswith(f"{tmp_path}/toy/scenario.yaml: {message}")


@pytest.mark.parametrize("name", ["$(touch x)", "two words", "a;b", "-rf", "Über", "a'b", "_x"])
def test_a_folder_with_another_name_than_a_scenario_can_have_is_refused(tmp_path, name):
    (tmp_path / name).mkdir()
    (tmp_path / name / "scenario.yaml").touch()
    with pytest.raises(InputError, match=r"rename it: a name here has small letters, digits, '_', '\.' and '-' alone"):
        read_scenario("toy", tmp_path)


def test_a_study_takes_the_scenarios_that_have_its_preset():
    def runs(stack):
        return None

    validate, quick = (plan_study(preset, runs) for preset in ("validate", "quick"))
    assert list(validate.scenarios) == ["harness"]
    assert "harness" not in quick.scenarios and "linear_regression" in quick.scenarios
    assert list(plan_study("quick", runs, [], ["*r*"]).scenarios) == [name for name in quick.scenarios if "r" in name]
    with pytest.raises(InputError, match=r"preset 'quick': scenario 'The harness itself.*' has only validate"):
        plan_study("quick", runs, [], ["harness"])
    with pytest.raises(InputError, match=r"preset 'quick': none of harness has it"):
        plan_study("quick", runs, [], ["harn*"])


def test_planning_says_which_environments_do_not_run():
    study = plan_study("quick", lambda stack: because("gpu.none") if stack.device == "cuda" else None)
    reasons = {cell.environment: cell.why_not for cell in study.cells if cell.scenario == "linear_regression"}
    assert reasons["tf1.15-gpu"] == reasons["tf2.21-gpu"] == because("gpu.none")
    assert reasons["tf1.15-cpu"] is None
