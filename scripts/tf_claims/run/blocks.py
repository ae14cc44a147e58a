"""The blocks of a cell: how many there are to be, how many are measured, and what the others will take."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

import pandas as pd

from tf_claims.model.observation import read_observations
from tf_claims.model.plan import plan_text
from tf_claims.model.preset import BlockRule
from tf_claims.model.results import Results
from tf_claims.model.study import Planned, Study

LOOKED_AT = 5  # blocks of a cell that tell what one takes
CALIBRATION_REPEATS = 10


class Cost(NamedTuple):
    """One block: its seconds, and the largest memory of a process (MB); ``source`` is where both were seen."""

    seconds: float
    memory_mb: float
    source: str


class Blocks(NamedTuple):
    """``measured`` blocks count as they are; ``outdated`` ones will be measured again."""

    cell: Planned
    variants: int
    measured: int
    outdated: int
    cost: Cost | None

    @property
    def fitting(self) -> int:
        """The most that the rule allows; where nobody knows what one takes, a limit in minutes allows the least."""
        return block_range(self.cell.blocks, math.inf if self.cost is None else self.cost.seconds)[1]

    def seconds_left(self) -> tuple[float, float] | None:
        """At the least and at the most, by the rule that ends measuring; None where no block was ever seen."""
        if self.cost is None:
            return None
        least, most = block_range(self.cell.blocks, self.cost.seconds)
        return tuple(max(0, blocks - self.measured) * self.cost.seconds for blocks in (least, most))  # type: ignore[return-value]


def block_range(rule: BlockRule, seconds: float) -> tuple[int, int]:
    """The fewest and the most blocks, where one takes so many seconds."""
    affordable = rule.most if rule.minutes is None else int(rule.minutes * 60 // seconds)
    return rule.least, max(rule.least, min(rule.most, affordable))


def blocks_of(study: Study, cell: Planned, image_key: str, results: Results, reference: Path) -> Blocks:
    """The blocks of one cell. What one takes is seen in these results, else in the reference results of the preset.

    :raises InputError: for an observation file that is cut short.
    """
    files = list((results.blocks / cell.scenario / cell.environment).glob("*.jsonl"))
    plan = results.plan(cell.scenario, cell.environment)
    recent = sorted(files, key=lambda file: file.stat().st_mtime)[-LOOKED_AT:]
    seen = [_cost_and_key(file) for file in recent]
    same = plan.exists() and plan.read_text() == plan_text(study, cell) and all(key == image_key for _, key in seen)
    changed = plan.stat().st_mtime if same else 0
    current = sum(file.stat().st_mtime >= changed for file in files) if same else 0
    costs = [cost for cost, _ in seen] or list(_reference_costs(reference / study.name, cell))
    cost = (
        Cost(median(each.seconds for each in costs), max(each.memory_mb for each in costs), costs[0].source)
        if costs
        else None
    )
    variants = len(study.scenarios[cell.scenario].variants(study.name, cell.environment))
    return Blocks(cell, variants, current, len(files) - current, cost)


def _cost_and_key(file: Path) -> tuple[Cost, str]:
    observations = list(read_observations(file))
    conditions = observations[0].conditions
    calibration = CALIBRATION_REPEATS * (conditions.calibration.before_s + conditions.calibration.after_s)
    seconds = sum(each.cost.wall_s for each in observations) + calibration
    memory = max(each.cost.peak_rss_mb for each in observations)
    return Cost(seconds, memory, str(file.parents[3])), conditions.image.key


def _reference_costs(folder: Path, cell: Planned) -> Iterator[Cost]:
    path = folder / "observations.parquet"
    if not path.exists():
        return
    columns = ["block", "process.wall_s", "peak_rss_mb"]
    chosen = [("scenario", "==", cell.scenario), ("environment", "==", cell.environment)]
    for _, rows in pd.read_parquet(path, columns=columns, filters=chosen).groupby("block"):
        yield Cost(float(rows["process.wall_s"].sum()), float(rows["peak_rss_mb"].max()), str(folder))
