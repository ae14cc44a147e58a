from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
from pathlib import Path
from textwrap import dedent

import pytest
from tests.support.runner_blocks import FAIR, RUNNER, plan_of

from runner.errors import BAD_PLAN, Refusal
from runner.plan import functions_in, label, narrowed, order, read_plan, variant_seed
from tf_claims.model.selectors import label as host_label

NAMES = [f"v{index}" for index in range(20)]


@pytest.fixture
def plan() -> dict:
    return plan_of(Path("variants.py"), NAMES)


def functions(variants: list) -> list[str]:
    return [each["function"] for each in variants]


def test_an_order_is_complete_and_can_be_had_again(plan: dict) -> None:
    assert sorted(functions(order(plan, 3))) == sorted(NAMES)
    assert order(plan, 3) == order(plan, 3)


def test_the_order_is_another_one_in_another_block_environment_and_study(plan: dict) -> None:
    orders = [order(plan, 0), order(plan, 1), order(plan | {"environment": "x"}, 0), order(plan | {"seed": 8}, 0)]
    assert len({tuple(functions(each)) for each in orders}) == 4
    assert functions(plan["variants"]) == NAMES  # and the plan itself is left alone


def test_where_it_is_asked_for_each_variant_runs_twice_in_an_order_drawn_at_random(plan: dict) -> None:
    twice = functions(order(plan | {"twice": True}, 3))
    assert sorted(twice) == sorted(NAMES * 2) and twice != functions(order(plan, 3)) * 2


def test_each_variant_and_block_has_its_own_seed(plan: dict) -> None:
    seeds = {variant_seed(plan, block, each["levels"]) for block in range(5) for each in plan["variants"]}
    assert len(seeds) == 100
    assert all(0 <= seed < 2**31 for seed in seeds)


def test_a_variant_is_called_the_same_inside_and_outside_the_container() -> None:
    levels = {"implementation": "numpy", "n": 1000, "shuffle": True}
    assert label(levels) == host_label(levels) == "numpy n=1000 shuffle=True"


def test_a_function_that_is_missing_is_named_with_those_that_exist(tmp_path: Path) -> None:
    (tmp_path / "variants.py").write_text(FAIR + "\ndef _private(case): ...\n")
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(plan_of(tmp_path / "variants.py", ["fair", "fare"])))
    with pytest.raises(Refusal, match=r"variants\.py: function 'fare' .* it has: fair$") as caught:
        read_plan(str(path))
    assert caught.value.code == BAD_PLAN


def test_code_that_changed_since_it_was_planned_is_refused(tmp_path: Path) -> None:
    code = tmp_path / "variants.py"
    code.write_text(FAIR)
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(plan_of(code, ["fair"])))
    assert read_plan(str(path))["code"] == str(code)
    code.write_text(FAIR + "\n")
    with pytest.raises(Refusal, match=r"variants\.py: is no longer the code that .*plan\.json was made for; run again"):
        read_plan(str(path))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "no readable plan"),
        ("{}", "field scenario missing"),
        (json.dumps(plan_of(Path("v.py"), []) | {"schema": 2}), "schema is not 1"),
        (json.dumps(plan_of(Path("absent.py"), [])), "absent.py: cannot be read as Python"),
    ],
)
def test_a_plan_that_cannot_be_used_says_why(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "plan.json").write_text(text)
    with pytest.raises(Refusal, match=problem):
        read_plan(str(tmp_path / "plan.json"))


def test_a_missing_plan_is_named() -> None:
    with pytest.raises(Refusal, match=r"absent\.json: no readable plan"):
        read_plan("absent.json")


def test_functions_are_found_without_importing(tmp_path: Path) -> None:
    (tmp_path / "variants.py").write_text("import nowhere\ndef one(case): ...\nclass Two: ...\n")
    assert functions_in(str(tmp_path / "variants.py")) == {"one"}


@pytest.mark.parametrize("path", sorted(RUNNER.glob("*.py")), ids=lambda path: path.name)
def test_the_runner_is_python_3_7(path: Path) -> None:
    ast.parse(path.read_text(), feature_version=(3, 7))


def python37() -> str | None:
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found = [*map(str, root.glob("versions/3.7.*/bin/python3.7")), shutil.which("python3.7")]
    return found[0]


@pytest.mark.skipif(python37() is None, reason="no Python 3.7 on this host")
def test_python_3_7_runs_a_variant(tmp_path: Path) -> None:
    """Under the oldest Python of the images, by way of the runner's own process."""
    (tmp_path / "variants.py").write_text(FAIR)
    task = plan_of(tmp_path / "variants.py", ["fair"])["variants"][0] | {
        "imports": [],
        "code": str(tmp_path / "variants.py"),
        "results": ["loss"],
        "seed": 1,
        "block_seed": 2,
        "bytecode": str(tmp_path / "bytecode"),
        "heap": 4096,
        "threads": 1,
        "data": ".",
    }
    code = dedent(f"""
        import sys
        sys.path.insert(0, {str(RUNNER.parent)!r})
        import runner.command
        from runner import process
        ended = process.run("--variant", {task!r}, {{}}, 30)
        print(ended.code, ended.events[-1], ended.output)
    """)
    done = subprocess.run([str(python37()), "-I", "-B", "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "0 {'results': {'loss': 0.5}} \n"
    assert [path.name for path in (tmp_path / "bytecode").rglob("variants*")] == ["variants.pyc"]


def test_a_further_block_holds_what_the_last_look_before_it_asks_for(tmp_path: Path) -> None:
    plan = plan_of(tmp_path / "variants.py", ["a", "b", "c"])
    names = [label(each["levels"]) for each in plan["variants"]]
    looks = tmp_path / "looks"
    assert narrowed(plan, str(looks), 4) == plan  # before any look
    looks.mkdir()
    (looks / "3.json").write_text(json.dumps({"blocks": 5, "variants": names[:2], "why": None}))
    (looks / "5.json").write_text(json.dumps({"blocks": 8, "variants": names[1:2], "why": None}))
    (looks / "8.json").write_text(json.dumps({"blocks": 8, "variants": [], "why": "enough"}))
    (looks / "blocks.txt").write_text("")
    for block, kept in ((1, names), (3, names), (4, names[:2]), (5, names[:2]), (6, names[1:2]), (9, names)):
        found = narrowed(plan, str(looks), block)
        assert [label(each["levels"]) for each in found["variants"]] == kept
        assert found | {"variants": plan["variants"]} == plan


def test_a_broken_look_is_refused(tmp_path: Path) -> None:
    (tmp_path / "3.json").write_text("{")
    with pytest.raises(Refusal, match=r"3\.json: no readable look"):
        narrowed(plan_of(tmp_path / "variants.py", ["a"]), str(tmp_path), 4)
