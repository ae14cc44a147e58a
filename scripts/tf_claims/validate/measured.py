"""The verdicts on the scenario ``harness``: the same code under two names, and planted slow-downs."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tf_claims.model.errors import InputError
from tf_claims.model.results import Results
from tf_claims.model.verdict import Verdict
from tf_claims.verdicts.judgement import read_judgements

SCENARIO = "harness"


class HarnessVerdicts(NamedTuple):
    """The verdicts of the A/A comparisons, and those on slow-downs by the share planted (0.05 for 5 %)."""

    same: list[Verdict]
    planted: dict[float, list[Verdict]]


def read_measured(results: Path) -> HarnessVerdicts:
    """From the results folder of the preset ``validate``. Claims that could not be run there are left out.

    :raises InputError: where there are no A/A comparisons or no slow-downs.
    """
    path = Results(results).judgements
    verdicts = [judgement.verdict for judgement in read_judgements(path)]
    ran = [each for each in verdicts if each.scenario == SCENARIO and each.estimate is not None and not each.disturbed]
    same = [each for each in ran if each.estimand == "equivalence"]
    planted: dict[float, list[Verdict]] = {}
    for each in ran:
        if each.published is not None:
            planted.setdefault(round(each.published - 1, 2), []).append(each)
    if not same or not planted:
        raise InputError(
            f"{path}: no verdict of scenario {SCENARIO} rests on two undisturbed blocks; stop other programs, delete "
            f"{results} and run `make validate` again"
        )
    return HarnessVerdicts(same, dict(sorted(planted.items())))


def found(verdict: Verdict) -> bool:
    """Whether a planted slow-down was seen: the interval lies above 1."""
    return verdict.verdict in ("reproduced", "direction only")
