"""The chance of a decision against the power of the t-test, and where the answer is certain."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

from tf_claims.statistics import power as module
from tf_claims.statistics.intervals import Floats, mean_over_blocks
from tf_claims.statistics.power import power
from tf_claims.statistics.ratio import ratio


def excludes(values: Floats, limit: float) -> bool:
    found = mean_over_blocks(values[:, 0])
    assert found.low is not None and found.high is not None
    return not found.low <= limit <= found.high


@pytest.mark.parametrize(("blocks", "effect"), [(3, 1.0), (4, 1.5), (6, 1.0), (12, 0.9), (12, 0.0)])
def test_it_is_the_power_of_the_t_test(monkeypatch: pytest.MonkeyPatch, blocks: int, effect: float) -> None:
    monkeypatch.setattr(module, "RUNS", 4000)
    recorded = effect + np.array([[-1.0], [0.0], [1.0]])  # of standard deviation 1
    expected = TTestPower().power(effect, blocks, 0.05, alternative="two-sided")
    assert power(recorded, blocks, lambda values: excludes(values, 0.0), False) == pytest.approx(expected, abs=0.025)


def test_what_acts_on_both_variants_of_a_block_cancels() -> None:
    shared = np.array([1.0, 3.0, 0.4, 2.0])
    recorded = np.column_stack([2.0 * shared * [1.01, 1.0, 0.99, 1.0], shared])

    def found(values: Floats) -> bool:
        return (ratio(*values.T).low or 0.0) > 1.8

    assert power(recorded, 4, found, True) == 1
    assert power(recorded[:, [0]], 4, lambda values: excludes(np.log(values), 0.0), True) < 0.6


def test_what_never_varies_is_tried_once() -> None:
    seen: list[Floats] = []
    assert power(np.ones((3, 2)), 5, lambda values: not seen.append(values), True) == 1
    assert [each.shape for each in seen] == [(5, 2)] and np.all(seen[0] == 1)


def test_it_is_the_same_every_time() -> None:
    recorded = np.array([[0.5], [1.0], [2.0]])
    first, second = (power(recorded, 5, lambda values: excludes(values, 0.5), False) for _ in range(2))
    assert first == second
