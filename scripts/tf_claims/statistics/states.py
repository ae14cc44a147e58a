"""Several states: do the times of one variant lie in one place, or in two and more with nothing between them?

A mean of a mixture is none of its states, and with few blocks Student's interval does not hold it: a timer that some
processes wait for, a cache that some find warm. The question is put to values over blocks, and to the epochs inside
processes, of which there are more.

The test is that of Engelman & Hartigan ("Percentage points of a test for clusters", J. Am. Stat. Assoc. 64, 1969): of
all ways to cut the sorted values in two, the largest ratio of the sum of squares between the two parts to that inside
them. It is the likelihood ratio of two normal states with a common variance to one, and does not depend on place and
scale, so its distribution for normal values is simulated once for each number of values. Neither the dip test nor a
likelihood ratio with bootstrap is any good at 5 to 12 values: the first finds nothing there, the limit theory of the
second does not hold.

Two rules beside it. A state is where two values lie at least: one alone is late, not a state. And the gap is
wider than either part: a long tail is none. At a level of half a per cent one variant in a hundred at most is said to
have states where it has none, normal or log-normal, and less than one in forty with an exponential tail.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tf_claims.statistics.intervals import Floats

LEVEL = 0.005
FEWEST = 2  # values in a state
RUNS = 20_000


class State(NamedTuple):
    """A place where times lie: their geometric mean, and how many."""

    place: float
    values: int


def states(values: Floats) -> list[State]:
    """The states of positive, independent ``values`` by size: one, or those found, each part being looked at again."""
    logs = np.sort(np.log(values))
    return [_state(part) for part in _parts(logs)]


def states_inside(epochs: Floats) -> list[State]:
    """Those of the epochs inside processes, (processes, epochs).

    The values are not independent: a process may be slower as a whole, and its first epoch slower than the others. So
    states count only where neither the process nor the number of the epoch tells which it is: at least one process was
    in two of them, and so was at least one epoch of the same number.
    """
    found = states(epochs.ravel())
    limits = [np.sqrt(low.place * high.place) for low, high in pairwise(found)]
    which = np.searchsorted(limits, epochs)
    if (np.ptp(which, axis=0) > 0).any() and (np.ptp(which, axis=1) > 0).any():
        return found
    return [_state(np.log(epochs.ravel()))]


def _state(logs: Floats) -> State:
    return State(float(np.exp(logs.mean())), len(logs))


def _parts(logs: Floats) -> list[Floats]:
    if len(logs) < 2 * FEWEST:
        return [logs]
    score, cut = _best_cut(logs[None])
    low, high = logs[: cut[0]], logs[cut[0] :]
    gap = high[0] - low[-1]
    if score[0] <= _limit(len(logs)) or gap <= max(np.ptp(low), np.ptp(high)):
        return [logs]
    return [*_parts(low), *_parts(high)]


def _best_cut(rows: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """For each of the sorted ``rows``: the largest ratio of squares between to inside, and how many lie below."""
    size = rows.shape[1]
    below = np.arange(FEWEST, size - FEWEST + 1)
    centred = rows - rows.mean(axis=1, keepdims=True)
    sums = np.cumsum(centred, axis=1)[:, below - 1]
    between = sums**2 * size / (below * (size - below))
    best = np.argmax(between, axis=1)
    largest = np.take_along_axis(between, best[:, None], 1)[:, 0]
    inside = np.maximum((centred**2).sum(axis=1) - largest, np.finfo(float).tiny)
    return largest / inside, below[best]


@cache
def _limit(size: int) -> float:
    """What the ratio exceeds in :data:`LEVEL` of all samples of normal values."""
    rows = np.sort(np.random.default_rng(size).standard_normal((RUNS, size)), axis=1)
    return float(np.quantile(_best_cut(rows)[0], 1 - LEVEL))
