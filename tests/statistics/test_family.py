"""p-values and Holm's procedure against other people's code and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import ttost_paired

from tf_claims.estimands.ratio import judge, judge_side
from tf_claims.estimands.ratio import p_value as ratio_p_value
from tf_claims.statistics.equivalence import equivalence
from tf_claims.statistics.family import holm
from tf_claims.statistics.p_values import above, below, inside, outside, two_sided
from tf_claims.statistics.ratio import effect_share, ratio, shares

OF = np.array([1.31, 1.22, 1.45, 1.19, 1.27])
TO = np.array([1.02, 1.08, 1.21, 1.15, 1.01])


def test_holm_by_hand() -> None:
    # 4 · 0.01; then 3 · 0.02; then 2 · 0.02 = 0.04, but not below the one before; the last as it is.
    assert holm([0.02, 0.01, 0.5, 0.02]) == pytest.approx([0.06, 0.04, 0.5, 0.06])
    assert holm([]) == []


@settings(max_examples=20)  # each call collects garbage
@given(st.lists(st.floats(0, 1), min_size=1, max_size=60))
def test_holm_agrees_with_statsmodels(p_values: list[float]) -> None:
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1], abs=1e-12)


def test_environments_that_were_not_run_count_as_tests_that_fail() -> None:
    assert holm([0.01, 0.02], family=4) == pytest.approx([0.04, 0.06])
    assert holm([0.01, 0.02], family=1) == holm([0.01, 0.02])


def test_a_mean_beyond_a_limit_agrees_with_scipy() -> None:
    logs = np.log(OF / TO)
    assert above(logs, 0.0) == pytest.approx(stats.ttest_1samp(logs, 0.0, alternative="greater").pvalue)
    assert below(logs, 0.3) == pytest.approx(stats.ttest_1samp(logs, 0.3, alternative="less").pvalue)
    assert two_sided(above(logs, 0.0)) == pytest.approx(stats.ttest_rel(np.log(OF), np.log(TO)).pvalue)


def test_two_one_sided_tests_agree_with_statsmodels() -> None:
    expected = ttost_paired(OF, TO, -0.3, 0.4)[0]
    assert inside(OF - TO, (-0.3, 0.4)) == pytest.approx(expected)


TIMES = st.lists(st.floats(0.5, 2.0), min_size=3, max_size=9).map(np.array)


@given(TIMES, st.floats(1.01, 3.0))
def test_a_test_rejects_exactly_where_its_interval_excludes(times: np.ndarray, margin: float) -> None:
    to = np.ones(len(times))
    found = equivalence(times, to, margin - 1, relative=True)
    low, high = found.tests.interval
    if np.ptp(times) < 1e-6 or min(abs(a - b) for a in (low, high) for b in found.margin) < 1e-6:
        return
    limits = tuple(np.log(found.margin))
    assert (inside(np.log(times), limits) < 0.05) == (found.margin[0] < low and high < found.margin[1])
    assert (outside(np.log(times), limits) < 0.05) == (high < found.margin[0] or low > found.margin[1])


@given(TIMES, st.floats(1.05, 30.0), st.booleans())
def test_the_test_of_a_ratio_is_that_of_its_word(times: np.ndarray, published: float, only_side: bool) -> None:
    """At most 0.05 for every word but "inconclusive", which has none: the word stands on its 95 % interval."""
    to = np.ones(len(times))
    share = effect_share(times, to, published)
    ruling = judge_side(share.interval) if only_side else judge(share.interval, published)
    p_value = ratio_p_value(ruling, shares(times, to, published), published)
    if ruling.word == "inconclusive" or np.ptp(times) < 1e-9:
        assert p_value is None
    else:
        assert p_value is not None and p_value <= 0.05 + 1e-9


def test_the_share_of_an_effect_by_hand() -> None:
    of, to = np.array([10.0, 10.0, 10.0]), np.ones(3)
    assert effect_share(of, to, 100.0).value == pytest.approx(0.5)
    assert effect_share(of, to, 10.0).value == pytest.approx(1)
    assert effect_share(of, to, 0.1).value == pytest.approx(-1)
    assert effect_share(to, of, 0.1).value == pytest.approx(1)
    assert ratio(of, to).value == pytest.approx(10.0 ** effect_share(of, to, 10.0).value)


def test_counts_that_never_vary_have_no_test() -> None:
    same = np.full(4, 3.0)
    assert (
        above(same, 1.0) is below(same, 1.0) is inside(same, (0, 9)) is outside(same, (0, 1)) is two_sided(None) is None
    )


def test_the_family_of_a_true_null_is_right_at_least_95_times_in_100() -> None:
    """20 claims, none of them true, and many runs: Holm calls some ratio of one in at most 5 % (3 standard errors)."""
    chance = np.random.default_rng(7)
    logs = chance.normal(0, 0.1, (200, 20, 6))
    t = logs.mean(axis=2) / (logs.std(axis=2, ddof=1) / np.sqrt(6))
    p_values = 2 * stats.t.sf(np.abs(t), 5)
    wrong = np.mean([min(holm(row)) <= 0.05 for row in p_values.tolist()])
    assert wrong <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)
    assert np.mean(p_values.min(axis=1) <= 0.05) > 0.5  # without it, most runs would call one
