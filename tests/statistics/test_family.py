"""p-values and Holm's procedure against other people's code and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import ttost_paired

from tf_claims.statistics.equivalence import equivalence
from tf_claims.statistics.family import holm
from tf_claims.statistics.p_values import equivalence_p_value, ratio_p_value
from tf_claims.statistics.ratio import ratio

OF = np.array([1.31, 1.22, 1.45, 1.19, 1.27])
TO = np.array([1.02, 1.08, 1.21, 1.15, 1.01])


def test_holm_by_hand() -> None:
    # 4 · 0.01; then 3 · 0.02; then 2 · 0.02 = 0.04, but not below the one before; the last as it is.
    assert holm([0.02, 0.01, 0.5, 0.02]) == pytest.approx([0.06, 0.04, 0.5, 0.06])
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60))
def test_holm_agrees_with_statsmodels(p_values: list[float]) -> None:
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1], abs=1e-12)


def test_ratio_agrees_with_scipy() -> None:
    expected = stats.ttest_rel(np.log(OF), np.log(TO)).pvalue
    assert ratio_p_value(OF, TO) == pytest.approx(expected)
    assert ratio_p_value(TO, OF) == pytest.approx(expected)


def test_equivalence_agrees_with_statsmodels() -> None:
    expected = ttost_paired(np.log(OF), np.log(TO), -np.log(1.4), np.log(1.4))[0]
    assert equivalence_p_value(OF, TO, (1 / 1.4, 1.4), relative=True) == pytest.approx(expected)
    expected = ttost_paired(OF, TO, -0.3, 0.4)[0]
    assert equivalence_p_value(OF, TO, (-0.3, 0.4), relative=False) == pytest.approx(expected)


TIMES = st.lists(st.floats(0.5, 2.0), min_size=3, max_size=9).map(np.array)


@given(TIMES, st.floats(1.01, 3.0))
def test_a_test_rejects_exactly_where_its_interval_excludes(times: np.ndarray, margin: float) -> None:
    to = np.ones(len(times))
    low, high = ratio(times, to).interval
    if min(abs(np.log(low)), abs(np.log(high))) > 1e-6:
        assert (ratio_p_value(times, to) < 0.05) == (low > 1 or high < 1)
    found = equivalence(times, to, margin - 1, relative=True)
    low, high = found.tests.interval
    if abs(low - found.margin[0]) > 1e-6 and abs(high - found.margin[1]) > 1e-6:
        inside = found.margin[0] < low and high < found.margin[1]
        assert (equivalence_p_value(times, to, found.margin, relative=True) < 0.05) == inside


def test_counts_that_never_vary() -> None:
    same = np.full(4, 3.0)
    assert ratio_p_value(same, same) == 1
    assert ratio_p_value(2 * same, same) == 0
    assert equivalence_p_value(same, same, (-0.1, 0.1), relative=False) == 0
    assert equivalence_p_value(2 * same, same, (-0.1, 0.1), relative=False) == 1


def test_the_family_of_a_true_null_is_right_at_least_95_times_in_100() -> None:
    """20 claims, none of them true, and many runs: Holm calls some ratio of one in at most 5 % (3 standard errors)."""
    chance = np.random.default_rng(7)
    logs = chance.normal(0, 0.1, (1000, 20, 6))
    t = logs.mean(axis=2) / (logs.std(axis=2, ddof=1) / np.sqrt(6))
    p_values = 2 * stats.t.sf(np.abs(t), 5)
    wrong = np.mean([min(holm(row)) <= 0.05 for row in p_values.tolist()])
    assert wrong <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 1000)
    assert np.mean(p_values.min(axis=1) <= 0.05) > 0.5  # without it, most runs would call one
