"""How many times as long a variant runs in one environment as in another: unpaired, since no block spans two.

Both ratios are given, as measured and adjusted by the calibrations of the blocks, and neither replaces the other. The
adjustment takes out how fast the machine was, so it is for environments measured on different machines or days. It is
itself NumPy code, and environments differ in their NumPy: on one machine the plain ratio is the one to read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.stats import ttest_ind

from tf_claims.cells.cell import Cell
from tf_claims.model.estimand import Column
from tf_claims.model.study import Study
from tf_claims.statistics.intervals import Floats

METRIC = "run.wall_s"


class Ratio(NamedTuple):
    """A ratio of geometric means with its 95 % interval."""

    value: float
    low: float
    high: float


class Comparison(NamedTuple):
    """``environment`` against ``against``, with how many usable blocks each has."""

    scenario: str
    variant: str
    environment: str
    against: str
    plain: Ratio
    adjusted: Ratio
    blocks: int
    blocks_against: int


def unpaired_ratio(of: Floats, to: Floats) -> Ratio:
    """The ratio of the geometric means of two independent samples of at least two positive values each.

    The interval is Welch's on the log scale; where neither sample varies it is a point.
    """
    logs = np.log(of), np.log(to)
    difference = float(np.mean(logs[0]) - np.mean(logs[1]))
    if not any(np.ptp(each) for each in logs):
        return Ratio(*[float(np.exp(difference))] * 3)
    low, high = ttest_ind(*logs, equal_var=False).confidence_interval(0.95)
    return Ratio(*np.exp([difference, low, high]).tolist())


def across_environments(study: Study, cells: dict[tuple[str, str], Cell]) -> Iterator[Comparison]:
    """Each variant in each environment against the first that ran it at the same sizes, in two usable blocks each."""
    for name in study.scenarios:
        here = {planned.environment: cells.get((name, planned.environment)) for planned in study.cells}
        measured = {environment: cell for environment, cell in here.items() if cell is not None}
        for variant in dict.fromkeys(variant for cell in measured.values() for variant in cell.variants):
            samples = {environment: _sample(cell, variant) for environment, cell in measured.items()}
            having = [environment for environment, sample in samples.items() if len(sample) >= 2]
            for environment in having[1:]:
                if measured[environment].sizes(variant) != measured[having[0]].sizes(variant):
                    continue
                (times, speeds), (first_times, first_speeds) = (samples[each].T for each in (environment, having[0]))
                plain = unpaired_ratio(times, first_times)
                adjusted = unpaired_ratio(times / speeds, first_times / first_speeds)
                ends = len(times), len(first_times)
                yield Comparison(name, variant, environment, having[0], plain, adjusted, *ends)


def _sample(cell: Cell, variant: str) -> Floats:
    """Time of the run and calibration of each usable block (seconds), (blocks, 2)."""
    if variant not in cell.variants:
        return np.empty((0, 2))
    found = cell.complete([Column(variant, METRIC)], positive=True)
    return np.column_stack([found.values[:, 0], [cell.calibration[block] for block in found.used]])
