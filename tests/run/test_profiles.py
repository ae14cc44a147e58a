"""What the profiles have in common, and what they ask the batch systems for."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from tf_claims.model.stack import read_stack

PROFILES = sorted(file.parent.name for file in Path("profiles").glob("*/config.yaml"))
ENVIRONMENTS = sorted(file.parent.name for file in Path("envs").glob("*/stack.yaml"))


def read(profile: str) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load(Path(f"profiles/{profile}/config.yaml").read_text())
    return content


@pytest.mark.parametrize("profile", PROFILES)
def test_failures_are_treated_alike_everywhere(profile: str) -> None:
    for field in ("keep-going", "rerun-incomplete", "logger"):
        assert read(profile)[field] == read("local")[field], field


@pytest.mark.parametrize(("profile", "resource", "one"), [("slurm", "gres", "gpu:1"), ("kubernetes", "gpus", 1)])
@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_a_block_asks_for_a_gpu_where_its_environment_needs_one(
    profile: str, resource: str, one: object, environment: str
) -> None:
    expression = read(profile)["set-resources"]["measure_block"][resource]
    asked = eval(expression, {"wildcards": SimpleNamespace(environment=environment)})  # as Snakemake does
    assert asked == one if read_stack(environment).gpu else not asked
