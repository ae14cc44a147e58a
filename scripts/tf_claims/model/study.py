"""The whole experiment: which scenario runs in which environment, in how many blocks, and what does not run and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from tf_claims.model.errors import InputError
from tf_claims.model.files import Strict, read_yaml
from tf_claims.model.scenario import BlockRule, Scenario, read_scenario, scenario_names
from tf_claims.model.selectors import Selector, matches
from tf_claims.model.stack import Stack, environments, read_stack

PRESETS = Path("config/presets")


class Preset(Strict):
    """``config/presets/<name>.yaml``: a size of the whole experiment."""

    description: str
    scenarios: list[str] = Field(default=["*"], description="patterns of the scenarios")
    environments: list[str] = Field(default=["*"], description="patterns of the environments")
    threads: int = Field(default=2, ge=1, description="CPUs of a measured process")
    seed: int = Field(description="from which every order and every initial weight follows")


class Cell(NamedTuple):
    """One scenario in one environment; ``why_not`` says why it is not run, where it is not."""

    scenario: str
    environment: str
    blocks: BlockRule
    why_not: str | None


class Study(NamedTuple):
    """What one run of the pipeline consists of."""

    name: str
    preset: Preset
    scenarios: dict[str, Scenario]
    stacks: dict[str, Stack]
    cells: list[Cell]

    @property
    def running(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.why_not is None]

    def cells_of(self, scenario: str, claim: str) -> list[Cell]:
        """Where a claim is judged: in all environments that it speaks about.

        Those that need another GPU than this host's are left out, unless the claim speaks about GPUs alone.
        """
        patterns = self.scenarios[scenario].claims[claim].environments
        cells = [cell for cell in self.cells if cell.scenario == scenario and covers(patterns, cell.environment)]
        lacking = [cell for cell in cells if self.stacks[cell.environment].gpu and cell.why_not is not None]
        about_gpus = all(self.stacks[cell.environment].gpu for cell in cells)
        return cells if about_gpus else [cell for cell in cells if cell not in lacking]


def read_preset(name: str, root: Path = PRESETS) -> Preset:
    """:raises InputError: for an unknown preset or a file that does not fit."""
    if not (root / f"{name}.yaml").exists():
        known = ", ".join(sorted(path.stem for path in root.glob("*.yaml")))
        raise InputError(f"preset {name!r} is unknown; known: {known}")
    return read_yaml(root / f"{name}.yaml", Preset)


def plan_study(
    preset_name: str,
    why_not: Callable[[Stack], str | None],
    only_environments: Sequence[str] = (),
    only_scenarios: Sequence[str] = (),
) -> Study:
    """The study of one preset: the scenarios that have it, narrowed to the environments and scenarios named.

    ``why_not`` says why a stack cannot run on this host; None where it can.

    :raises InputError: for an unknown name, a scenario named that does not have the preset, and a claim that does not
        select one variant.
    """
    preset = read_preset(preset_name)
    chosen_scenarios = _choose("scenario", scenario_names(), only_scenarios or preset.scenarios)
    chosen_environments = _choose("environment", environments(), only_environments or preset.environments)
    read = {name: read_scenario(name) for name in chosen_scenarios}
    scenarios = {
        name: scenario for name, scenario in read.items() if preset_name in scenario.presets or name in only_scenarios
    }
    if not scenarios:
        raise InputError(f"preset {preset_name!r}: none of {', '.join(read)} has it; add it to a scenario's presets")
    stacks = {name: read_stack(name) for name in chosen_environments}
    cells = []
    for name, scenario in scenarios.items():
        size = scenario.preset(preset_name)
        for environment, stack in stacks.items():
            reason = why_not(stack)
            if reason is None and not covers(size.environments or ["*"], environment):
                reason = f"not part of the preset {preset_name}"
            cells.append(Cell(name, environment, size.blocks, reason))
            check_claims(name, scenario, preset_name, environment)
    return Study(preset_name, preset, scenarios, stacks, cells)


def check_claims(name: str, scenario: Scenario, preset: str, environment: str) -> None:
    """That each claim about an environment selects its variants there, or is excluded there for a reason given.

    :raises InputError: for a claim whose selector names no variant without a reason, or several.
    """
    for claim_name, claim in scenario.claims.items():
        if not covers(claim.environments, environment) or claim.kind in ("cost_model", "attribution"):
            continue
        for field in ("of", "to"):
            selector = getattr(claim.estimand, field, None)
            if selector is not None and why_excluded(scenario, selector, preset, environment) is None:
                place = f"scenarios/{name}/scenario.yaml: field claims.{claim_name}.{claim.kind}.{field}"
                scenario.select_one(selector, preset, environment, place)


def why_excluded(scenario: Scenario, selector: Selector, preset: str, environment: str) -> str | None:
    """The scenario's own reason for which none of the variants that a selector names is run in an environment.

    None where one is run, or where the selector names no combination at all.
    """

    selected = [levels for levels in scenario.combinations(preset) if matches(selector, levels)]
    if not selected and any(matches(selector, levels) for levels in scenario.all_combinations()):
        return f"not part of the preset {preset}"
    reasons = [scenario.why_excluded(levels, environment, preset) for levels in selected]
    return reasons[0] if reasons and all(reasons) else None


def covers(patterns: Sequence[str], name: str) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _choose(what: str, known: list[str], patterns: Sequence[str]) -> list[str]:
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in known):
            raise InputError(f"{what} {pattern!r} is unknown; known: {', '.join(known)}")
    return [name for name in known if covers(patterns, name)]
