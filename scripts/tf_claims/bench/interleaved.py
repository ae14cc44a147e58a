"""Two things timed in turn, A B A B …, and the ratio of their times with its interval."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import stats


class Comparison(NamedTuple):
    """Geometric mean of A / B over the pairs, its 95 % Student interval on the log scale, and the medians (s)."""

    ratio: float
    low: float
    high: float
    median_a: float
    median_b: float

    def __str__(self) -> str:
        return (
            f"{self.ratio:.3f} (95 % interval {self.low:.3f} to {self.high:.3f}; "
            f"medians {self.median_a:.2f} s and {self.median_b:.2f} s)"
        )


def compare(a: Callable[[], float], b: Callable[[], float], pairs: int) -> Comparison:
    """Time ``a`` and ``b`` in ``pairs`` pairs, the first of a pair changing each time; both return seconds."""
    times_a: list[float] = []
    times_b: list[float] = []
    for pair in range(pairs):
        order = ((a, times_a), (b, times_b))
        for function, times in order if pair % 2 == 0 else order[::-1]:
            times.append(function())
    logs = np.log(times_a) - np.log(times_b)
    half = stats.t.ppf(0.975, pairs - 1) * logs.std(ddof=1) / np.sqrt(pairs)
    mean = logs.mean()
    return Comparison(
        float(np.exp(mean)),
        float(np.exp(mean - half)),
        float(np.exp(mean + half)),
        float(np.median(times_a)),
        float(np.median(times_b)),
    )
