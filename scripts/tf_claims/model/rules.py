"""The rules of the analysis as a checksum: whether they are those that were there before anything was measured."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from tf_claims.model.files import Strict
from tf_claims.model.preset import PRESETS
from tf_claims.model.scenario import SCENARIOS

# What turns values into a word, and what makes a value usable; all else only arranges and shows.
CODE = (
    "runner/disturbed.py",
    "tf_claims/cells/cell.py",
    "tf_claims/cells/conditions.py",
    "tf_claims/cells/gates.py",
    "tf_claims/cells/quality.py",
    "tf_claims/estimands/*.py",
    "tf_claims/statistics/*.py",
    "tf_claims/verdicts/several_states.py",
)
SCRIPTS = Path(__file__).parents[2]


class Rules(Strict):
    """``files``: the SHA-256 of each, by its path in the checkout; ``sha256``: that of all of them.

    It is what ``sha256sum FILES | sha256sum`` prints, the files in the order of their paths.
    """

    sha256: str
    files: dict[str, str]


class Registration(Strict):
    """The rules ``registered`` before the first block (None where none were), and those of the last planning."""

    registered: Rules | None = None
    planned: Rules | None = None


def rules_of(files: Mapping[str, str]) -> Rules:
    """The rules that have these files, given by their SHA-256."""
    ordered = dict(sorted(files.items()))
    lines = "".join(f"{checksum}  {path}\n" for path, checksum in ordered.items())
    return Rules(sha256=hashlib.sha256(lines.encode()).hexdigest(), files=ordered)


def present_rules(preset: str, scenarios: Iterable[str]) -> Rules:
    """Those of this checkout: the code that judges, the preset, and the scenarios with their claims and margins."""
    code = {f"{SCRIPTS.name}/{path.relative_to(SCRIPTS)}": path for each in CODE for path in SCRIPTS.glob(each)}
    written = [PRESETS / f"{preset}.yaml", *(scenario_file(name) for name in scenarios)]
    files = code | {str(path): path for path in written}
    return rules_of({name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()})


def scenario_file(scenario: str) -> Path:
    """Where a scenario's claims are, relative to the checkout."""
    return SCENARIOS / scenario / "scenario.yaml"


def changed_files(registered: Rules, now: Rules) -> list[str]:
    """The files that are not as they were registered; those of scenarios that are not judged ``now`` do not count."""
    judged = {name for name in registered.files if not name.startswith(f"{SCENARIOS}/") or name in now.files}
    names = sorted(judged | now.files.keys())
    return [name for name in names if registered.files.get(name) != now.files.get(name)]
