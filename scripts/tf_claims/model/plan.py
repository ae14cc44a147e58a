"""The plan of a block: all that the runner needs to know, as JSON, since a container has no YAML reader."""

from __future__ import annotations

import hashlib
import json
import secrets
from contextlib import suppress
from typing import Any

from runner.seeds import LARGEST
from tf_claims.model.errors import InputError
from tf_claims.model.files import read_json, write_whole
from tf_claims.model.results import Results
from tf_claims.model.scenario import SCENARIOS, Scenario, read_scenario
from tf_claims.model.study import Planned, Study


def write_plans(study: Study, results: Results) -> None:
    """Write the plan of whatever runs, and touch none that is already right.

    A plan is an input of the blocks: a file as old as its content measures nothing anew when, say, a claim is worded
    better.
    """
    for cell in study.running:
        path = results.plan(cell.scenario, cell.environment)
        text = plan_text(study, cell)
        if not path.exists() or path.read_text() != text:
            write_whole(path, text)


def choose_seed(results: Results, asked: str = "") -> int:
    """The seed of a study: the one asked for, else that of the results that are there, else a new one.

    So weights, orders and layouts are drawn anew in each run, and one that goes on, or is repeated, has its own again.

    :raises InputError: where what is asked for is no seed.
    """
    if asked:
        if not asked.isdecimal() or int(asked) > LARGEST:
            raise InputError(f"seed {asked!r} is no whole number from 0 to {LARGEST}")
        return int(asked)
    for path in (results.study, *sorted(results.plans.glob("*/*.json"))):
        with suppress(InputError, KeyError, TypeError, ValueError):
            return int(read_json(path)["seed"])
    return secrets.randbelow(LARGEST + 1)


def plan_text(study: Study, cell: Planned) -> str:
    """What the file of one cell's plan says."""
    plan = _plan(study.name, study.seed, cell.scenario, study.scenarios[cell.scenario], cell.environment)
    if study.preset.twice:
        plan["twice"] = True
    if study.stacks[cell.environment].gpu is not None:
        plan["needs_gpu"] = True
    return json.dumps(plan, indent=1) + "\n"


def plan_block(preset_name: str, scenario_name: str, environment: str) -> dict[str, Any]:
    """The plan of every block of one scenario in one environment, with the seed 0.

    :raises InputError: where preset or scenario is unknown or does not fit.
    """
    return _plan(preset_name, 0, scenario_name, read_scenario(scenario_name), environment)


def _plan(preset_name: str, seed: int, scenario_name: str, scenario: Scenario, environment: str) -> dict[str, Any]:
    size = scenario.preset(preset_name)
    variants = [
        {
            "levels": variant.levels,
            "sizes": variant.sizes,
            "function": str(variant.levels[scenario.calls]),
            "imports": scenario.imports_of(variant.levels),
        }
        for variant in scenario.variants(preset_name, environment)
    ]
    code = SCENARIOS / scenario_name / "variants.py"
    return {
        "schema": 1,
        "scenario": scenario_name,
        "environment": environment,
        "preset": preset_name,
        "seed": seed,
        "timeout_s": size.timeout_s,
        "code": str(code),
        # Other code is another plan, whose blocks are measured anew.
        "code_sha256": hashlib.sha256(code.read_bytes()).hexdigest(),
        "data": scenario.data_of(preset_name),
        "results": scenario.metrics,
        "variants": variants,
    }
