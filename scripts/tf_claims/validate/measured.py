"""What was measured to prove the harness: the same code under two names, and planted slow-downs.

The loops of the scenario ``harness`` use one thread, and are judged as claims. The claims' own programs use several;
each of them ran twice in every block of the preset ``twice``, and the two are compared here.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pandas as pd

from tf_claims.cells.conditions import disturbed_rows
from tf_claims.model.errors import InputError
from tf_claims.model.results import Results
from tf_claims.model.verdict import Verdict
from tf_claims.statistics.intervals import Estimate
from tf_claims.statistics.ratio import ratio
from tf_claims.verdicts.judgement import read_judgements

SCENARIO = "harness"
SENSITIVE = "slow-5-matrix-400"  # the loop whose time hangs on where its memory lies
METRIC = "run.wall_s"
FEWEST = 3  # good pairs, without which disturbed ones are used as well


class SameProgram(NamedTuple):
    """One program of a claim under two names: the ratio of its times, which should be 1."""

    scenario: str
    environment: str
    variant: str
    ratio: Estimate

    @property
    def holds_one(self) -> bool:
        """Whether the 95 % interval does."""
        low, high = self.ratio.interval or (0.0, 0.0)
        return low <= 1 <= high


class HarnessVerdicts(NamedTuple):
    """The verdicts of the A/A comparisons, and those on slow-downs by the share planted (0.05 for 5 %).

    ``twice`` are the comparisons of the claims' own programs.
    """

    same: list[Verdict]
    planted: dict[float, list[Verdict]]
    twice: list[SameProgram]


def read_measured(results: Path, twice: Path) -> HarnessVerdicts:
    """From the results folders of the presets ``validate`` and ``twice``. What could not be run there is left out.

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
    return HarnessVerdicts(same, dict(sorted(planted.items())), same_programs(Results(twice).observations))


def same_programs(path: Path) -> list[SameProgram]:
    """Of a table of observations: each program's second run in a block against its first.

    :raises InputError: where none ran twice in two blocks.
    """
    try:
        frame = pd.read_parquet(path)
    except (FileNotFoundError, OSError) as error:
        raise InputError(f"{path}: no table of observations: {error}; run `make validate`") from None
    frame["good"] = ~frame.index.isin(list(disturbed_rows(frame)))
    found = []
    for (scenario, environment, variant), rows in frame[frame["status"] == "ok"].groupby(
        ["scenario", "environment", "variant"], observed=True
    ):
        first, second = (rows[rows["attempt"] == attempt].set_index("block") for attempt in (1, 2))
        pairs = first[[METRIC, "good"]].merge(second[[METRIC, "good"]], on="block", suffixes=("", " again"))
        good = pairs[pairs["good"] & pairs["good again"]]
        used = good if len(good) >= FEWEST else pairs
        if len(used) > 1:
            compared = ratio(used[f"{METRIC} again"].to_numpy(float), used[METRIC].to_numpy(float))
            found.append(SameProgram(str(scenario), str(environment), str(variant), compared))
    if not found:
        raise InputError(f"{path}: no program ran twice in two blocks; run `make validate`")
    return found


def found(verdict: Verdict) -> bool:
    """Whether a planted slow-down was seen: the interval lies above 1."""
    return verdict.verdict in ("reproduced", "direction only")
