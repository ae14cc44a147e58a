"""The whole experiment: which scenario runs in which environment, in how many blocks, and what does not run and why.

It is planned once, on the host that measures, and kept as ``results/<preset>/study.json``. Whatever is derived later
reads that file, so that neither another host nor another choice changes what is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field

from tf_claims.model.errors import InputError
from tf_claims.model.files import Strict, check, read_json, write_whole
from tf_claims.model.preset import BlockRule, Preset, read_preset
from tf_claims.model.reason import Reason, because
from tf_claims.model.results import Results
from tf_claims.model.rules import Registration, Rules, changed_files, present_rules, rules_of, scenario_file
from tf_claims.model.scenario import SCENARIOS, Scenario, read_scenario, scenario_names
from tf_claims.model.selection import select
from tf_claims.model.stack import Stack, environments, read_stack


class Planned(Strict):
    """One scenario in one environment; ``why_not`` says why it is not run, where it is not."""

    scenario: str
    environment: str
    blocks: BlockRule
    why_not: Reason | None = None


class Study(NamedTuple):
    """What one run of the pipeline consists of."""

    name: str
    preset: Preset
    scenarios: dict[str, Scenario]
    stacks: dict[str, Stack]
    cells: list[Planned]
    seed: int = 0
    rules: Registration = Registration()

    @property
    def running(self) -> list[Planned]:
        """What is measured."""
        return [cell for cell in self.cells if cell.why_not is None]

    def blocks(self, scenario: str, environment: str) -> BlockRule:
        """How many blocks of a cell are measured."""
        return next(cell.blocks for cell in self.cells if (cell.scenario, cell.environment) == (scenario, environment))

    @property
    def changed_rules(self) -> list[str]:
        """The files whose rules are not those registered before the first block; none where none were registered."""
        registered = self.rules.registered
        return [] if registered is None else changed_files(registered, present_rules(self.name, self.scenarios))

    def cells_of(self, scenario: str, claim: str) -> list[Planned]:
        """Where a claim is judged: in all environments that it speaks about.

        Those that need another GPU than this host's are left out, unless the claim speaks about GPUs alone.
        """
        patterns = self.scenarios[scenario].claims[claim].environments
        cells = [cell for cell in self.cells if cell.scenario == scenario and covers(patterns, cell.environment)]
        lacking = [cell for cell in cells if self.stacks[cell.environment].gpu and cell.why_not is not None]
        about_gpus = all(self.stacks[cell.environment].gpu for cell in cells)
        return cells if about_gpus else [cell for cell in cells if cell not in lacking]

    def family(self, scenario: str, claim: str, tested: set[str]) -> int:
        """In how many environments a claim can be tested: all of this project that it speaks about, run or not.

        Those on GPUs count only where one of the ``tested`` is.
        """
        patterns = self.scenarios[scenario].claims[claim].environments
        on_gpus = any(self.stacks[name].gpu for name in tested)
        others = {
            name for name in environments() if covers(patterns, name) and (on_gpus or read_stack(name).gpu is None)
        }
        return len(others | tested)

    def without(self, unbuilt: Mapping[str, Reason]) -> Study:
        """The same, but that the environments ``unbuilt`` do not run, for the reason given."""
        cells = [
            cell.model_copy(update={"why_not": cell.why_not or unbuilt.get(cell.environment)}) for cell in self.cells
        ]
        return self._replace(cells=cells)

    def only(self, measured: set[tuple[str, str]]) -> Study:
        """The part of it in the scenarios and environments of ``measured`` pairs."""
        chosen_scenarios, chosen_environments = ({pair[index] for pair in measured} for index in (0, 1))
        return self._replace(
            scenarios={name: each for name, each in self.scenarios.items() if name in chosen_scenarios},
            stacks={name: stack for name, stack in self.stacks.items() if name in chosen_environments},
            cells=[
                cell
                for cell in self.cells
                if cell.scenario in chosen_scenarios and cell.environment in chosen_environments
            ],
        )


class _File(Strict):
    """``study.json``: the claims themselves are read from the scenarios, which may word them better by now."""

    version: Literal[1] = 1
    name: str
    seed: int = Field(description="from which every order, every initial weight and every memory layout follows")
    preset: Preset
    scenarios: list[str]
    stacks: dict[str, Stack]
    cells: list[Planned]
    rules: Registration = Registration()


def register_rules(study: Study, results: Results) -> Study:
    """The study with the rules of this checkout, which are registered where nothing is measured yet.

    Once there are blocks, what was registered before the first of them stays. A scenario without any may still join.
    """
    now = present_rules(study.name, study.scenarios)
    return study._replace(rules=Registration(registered=_registered(study, results, now), planned=now))


def _registered(study: Study, results: Results, now: Rules) -> Rules | None:
    measured = {folder.name for folder in results.blocks.glob("*") if any(folder.glob("*/*.jsonl"))}
    if not measured:
        return now
    try:
        before = check(results.study, _File, read_json(results.study)).rules.registered
    except InputError:
        return None  # of an earlier version, or lost: nobody knows what was registered
    if before is None:
        return None
    joining = [str(scenario_file(name)) for name in study.scenarios if name not in measured]
    return rules_of(before.files | {name: now.files[name] for name in joining})


def write_study(study: Study, path: Path) -> None:
    """Write ``study.json``, and do not touch one that is already right: what is derived is as old as its content."""
    file = _File(
        name=study.name,
        seed=study.seed,
        preset=study.preset,
        scenarios=list(study.scenarios),
        stacks=study.stacks,
        cells=study.cells,
        rules=study.rules,
    )
    text = file.model_dump_json(indent=1) + "\n"
    if not path.exists() or path.read_text() != text:
        write_whole(path, text)


def read_study(path: Path, scenarios: Path = SCENARIOS) -> Study:
    """The study that a run wrote.

    :raises InputError: where it is missing or does not fit, or where a scenario does not.
    """
    file = check(path, _File, read_json(path))
    read = {name: read_scenario(name, scenarios) for name in file.scenarios}
    study = Study(file.name, file.preset, read, file.stacks, file.cells, file.seed, file.rules)
    for cell in study.cells:
        check_claims(cell.scenario, read[cell.scenario], study.name, cell.environment)
    return study


def plan_study(
    preset_name: str,
    why_not: Callable[[Stack], Reason | None],
    only_environments: Sequence[str] = (),
    only_scenarios: Sequence[str] = (),
    seed: int = 0,
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
                reason = because("not_part_of_preset", preset=preset_name)
            cells.append(Planned(scenario=name, environment=environment, blocks=size.blocks, why_not=reason))
            check_claims(name, scenario, preset_name, environment)
    return Study(preset_name, preset, scenarios, stacks, cells, seed)


def check_claims(name: str, scenario: Scenario, preset: str, environment: str) -> None:
    """That each claim about an environment selects its variants there, or is excluded there for a reason given.

    :raises InputError: for a claim whose selector names no variant without a reason, or several.
    """
    for claim_name, claim in scenario.claims.items():
        if covers(claim.environments, environment):
            select(name, scenario, claim_name, preset, environment)


def covers(patterns: Sequence[str], name: str) -> bool:
    """Whether one of the patterns fits the name."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _choose(what: str, known: list[str], patterns: Sequence[str]) -> list[str]:
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in known):
            raise InputError(f"{what} {pattern!r} is unknown; known: {', '.join(known)}")
    return [name for name in known if covers(patterns, name)]
