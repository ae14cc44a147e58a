"""The plan of a block: all that the runner needs to know, as JSON, since a container has no YAML reader.

``python -m model.plan --preset quick --scenario linear_regression --environment tf1.15-cpu --output plan.json``
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from model.errors import exit_clearly
from model.files import write_whole
from model.scenario import SCENARIOS, read_scenario
from model.selectors import label
from model.study import read_preset


def plan_block(preset_name: str, scenario_name: str, environment: str) -> dict[str, Any]:
    """The plan of every block of one scenario in one environment.

    :raises InputError: where preset or scenario is unknown or does not fit.
    """
    scenario = read_scenario(scenario_name)
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
    excluded = [
        {"variant": label(levels), "because": reason}
        for levels in scenario.combinations(preset_name)
        if (reason := scenario.why_excluded(levels, environment, preset_name)) is not None
    ]
    return {
        "schema": 1,
        "scenario": scenario_name,
        "environment": environment,
        "preset": preset_name,
        "seed": read_preset(preset_name).seed,
        "timeout_s": size.timeout_s,
        "code": str(SCENARIOS / scenario_name / "variants.py"),
        "data": scenario.data,
        "results": scenario.metrics,
        "variants": variants,
        "excluded": excluded,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("--preset", "--scenario", "--environment"):
        parser.add_argument(option, required=True)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    plan = plan_block(options.preset, options.scenario, options.environment)
    write_whole(options.output, json.dumps(plan, indent=1) + "\n")


if __name__ == "__main__":
    exit_clearly(main)
