"""The statistics against answers by hand, against scipy and statsmodels, and by simulation with a known truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from statsmodels.stats.weightstats import ttost_paired

from tf_claims.statistics.attribution import attribute, corners
from tf_claims.statistics.cost_model import compare, fit
from tf_claims.statistics.equivalence import equivalence
from tf_claims.statistics.intervals import geometric_mean_over_blocks, mean_over_blocks, median_over_blocks
from tf_claims.statistics.ratio import ratio

TIMES = st.floats(1e-3, 1e3)
BLOCKS = st.integers(2, 12)


def pairs() -> st.SearchStrategy[tuple[np.ndarray, np.ndarray]]:
    return BLOCKS.flatmap(lambda k: st.tuples(arrays(float, k, elements=TIMES), arrays(float, k, elements=TIMES)))


def test_mean_and_interval_of_two_blocks_by_hand() -> None:
    # Mean 2, s = √2, half width t(0.975; 1) · √2 / √2 = 12.7062.
    found = mean_over_blocks(np.array([1.0, 3.0]))
    assert found.value == 2
    assert found.interval == pytest.approx((2 - 12.7062, 2 + 12.7062), abs=1e-4)


def test_interval_agrees_with_scipy() -> None:
    values = np.array([1.1, 0.9, 1.3, 1.0, 1.25, 0.97])
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert mean_over_blocks(values).interval == pytest.approx((expected.low, expected.high))


def test_ratio_by_hand() -> None:
    # Ratios 2 and 8: geometric mean 4; logs ln 4 ± ln 2, half width 12.7062 · ln 2.
    found = ratio(np.array([2.0, 8.0]), np.array([1.0, 1.0]))
    assert found.value == pytest.approx(4)
    assert found.high == pytest.approx(4 * 2**12.7062, rel=1e-4)


def test_fewer_than_two_blocks_give_no_interval() -> None:
    assert mean_over_blocks(np.array([3.0])) == (3.0, None, None, 1)
    assert mean_over_blocks(np.array([])) == (None, None, None, 0)


def test_no_variance_gives_a_point() -> None:
    found = ratio(np.full(5, 200.0), np.full(5, 100.0))
    assert (found.low, found.value, found.high) == pytest.approx((2, 2, 2))


def test_zero_has_no_geometric_mean() -> None:
    assert geometric_mean_over_blocks(np.array([0.0, 1.0])).value is None


@given(pairs(), st.floats(1e-3, 1e3))
def test_ratio_does_not_depend_on_the_unit(sides: tuple[np.ndarray, np.ndarray], unit: float) -> None:
    of, to = sides
    assert ratio(of * unit, to * unit)[:3] == pytest.approx(ratio(of, to)[:3], rel=1e-9)


@given(pairs())
def test_ratio_turned_round_is_its_inverse(sides: tuple[np.ndarray, np.ndarray]) -> None:
    forward, back = ratio(*sides), ratio(*reversed(sides))
    assert (back.value, back.low, back.high) == pytest.approx(
        (1 / forward.value, 1 / forward.high, 1 / forward.low), rel=1e-6
    )


@given(arrays(float, BLOCKS, elements=TIMES))
def test_a_variant_against_itself_is_one(times: np.ndarray) -> None:
    assert ratio(times, times)[:3] == (1, 1, 1)


@settings(max_examples=30)
@given(pairs(), st.floats(0.5, 2.0))
def test_what_disturbs_a_whole_block_cancels(sides: tuple[np.ndarray, np.ndarray], slow: float) -> None:
    of, to = sides
    speed = np.linspace(1, slow, len(of))
    assert ratio(of * speed, to * speed)[:3] == pytest.approx(ratio(of, to)[:3], rel=1e-9)


def test_equivalence_agrees_with_statsmodels() -> None:
    chance = np.random.default_rng(7)
    for shift in (0.0, 0.3, 0.45, 0.6):
        to = chance.normal(10, 1, 12)
        of = to + chance.normal(shift, 0.3, 12)
        result = equivalence(of, to, 0.5, relative=False)
        low, high = result.tests.interval
        both_reject = ttost_paired(of, to, -0.5, 0.5)[0] < 0.05
        assert (low > -0.5 and high < 0.5) == both_reject


def test_relative_margin_is_symmetric_for_ratios() -> None:
    assert equivalence(np.ones(3), np.ones(3), 0.25, relative=True).margin == (0.8, 1.25)


def test_cost_model_finds_exact_costs() -> None:
    sizes = np.array([1e2, 1e3, 1e5, 1e6])
    costs = fit(sizes, np.array([20e-6 + 9e-9 * sizes, 240e-6 + 3e-9 * sizes]))
    assert costs.fixed == pytest.approx([20e-6, 240e-6])
    assert costs.per_point == pytest.approx([9e-9, 3e-9])


def test_cost_model_is_never_negative() -> None:
    sizes = np.array([1.0, 2.0, 4.0])
    costs = fit(sizes, np.array([[4.0, 3.0, 2.0], [1.0, 3.0, 9.0]]))
    assert costs.per_point[0] == 0 and costs.fixed[0] > 0
    assert costs.fixed[1] == 0 and costs.per_point[1] > 0


def test_crossover_by_hand() -> None:
    # 240 + 3n = 20 + 9n at n = 220 / 6.
    sizes, drift = np.array([1.0, 10.0, 100.0]), np.array([[1.0], [1.1], [0.9]])
    found = compare(sizes, drift * (240 + 3 * sizes), drift * (20 + 9 * sizes))
    assert found.crossover is not None
    assert found.crossover[:3] == pytest.approx((220 / 6,) * 3)
    assert found.fixed_ratio.value == pytest.approx(12)
    assert found.per_point_ratio.value == pytest.approx(1 / 3)
    assert found.fall.value == pytest.approx(36)
    assert found.half.value == pytest.approx(240 / 3)
    assert found.misfit == pytest.approx(0, abs=1e-9)


def test_parallel_lines_do_not_cross() -> None:
    sizes = np.array([1.0, 10.0, 100.0])
    found = compare(sizes, np.tile(240 + 12 * sizes, (3, 1)), np.tile(20 + 9 * sizes, (3, 1)))
    assert found.crossover is None and found.crossing == 0


def test_shares_without_interaction_are_those_of_the_logarithms() -> None:
    # Factor 1 multiplies by 8, factor 2 by 2: shares 3/4 and 1/4.
    measured = np.array([[8.0**a * 2.0**b for a, b in corners(2)]] * 3)
    found = attribute(measured, 2)
    assert found.shares == pytest.approx([0.75, 0.25])
    assert [each.value for each in found.weights] == pytest.approx([0.75, 0.25])
    assert found.total.value == pytest.approx(16)
    assert [effect.value for effect in found.effects] == pytest.approx([8, 2])
    assert found.interactions[0, 1].value == pytest.approx(1)


def test_what_only_both_do_is_halved_and_no_share_is_given() -> None:
    found = attribute(np.array([[1.0, 1.0, 1.0, 4.0]] * 2), 2)
    assert [effect.value for effect in found.effects] == pytest.approx([2, 2])
    assert found.interactions[0, 1].value == pytest.approx(2)
    assert found.shares is None


def test_opposing_factors_have_weights_and_no_shares() -> None:
    # x10 and /9: of the x1.11 that is left the first would be 2185 %.
    found = attribute(np.array([[1.0, 1 / 9, 10.0, 10 / 9]] * 3), 2)
    whole = math.log(10) + math.log(9)
    assert [each.value for each in found.weights] == pytest.approx([math.log(10) / whole, -math.log(9) / whole])
    assert found.shares is None


def test_a_share_needs_a_small_interaction() -> None:
    # A contrast of a third of the whole, on the log scale, is the limit.
    for size, given_ in ((0.33, True), (0.34, False)):
        both = 1.0
        first, second = (both - 2 * size) / 2 + 0.1, (both - 2 * size) / 2 - 0.1
        found = attribute(np.exp([[0.0, second, first, both]] * 3), 2)
        assert found.interactions[0, 1].value == pytest.approx(math.exp(size))
        assert (found.shares is not None) == given_


def test_three_factors_by_hand() -> None:
    # Factors of 8, 2 and 1/2, without interactions: all that they do is 5 doublings, the whole 3.
    measured = np.array([[8.0**a * 2.0**b * 0.5**c for a, b, c in corners(3)]] * 2)
    found = attribute(measured, 3)
    assert [each.value for each in found.weights] == pytest.approx([0.6, 0.2, -0.2])
    assert found.shares is None
    assert [each.value for each in found.interactions.values()] == pytest.approx([1] * 4)


def test_no_change_has_no_weights_beyond_zero() -> None:
    found = attribute(np.ones((3, 4)), 2)
    assert [each.value for each in found.weights] == [0, 0] and found.shares is None


@given(st.integers(1, 3).flatmap(lambda k: arrays(float, (3, 2**k), elements=st.floats(0.1, 10))))
def test_effects_multiply_to_the_whole(measured: np.ndarray) -> None:
    factors = int(math.log2(measured.shape[1]))
    found = attribute(measured, factors)
    product = math.prod(effect.value for effect in found.effects)
    assert product == pytest.approx(found.total.value, rel=1e-9)


@pytest.mark.parametrize("blocks", [5, 20])
def test_intervals_cover_the_truth(blocks: int) -> None:
    # Log-normal noise and a block effect; 600 seeded runs have a standard error of 0.9 %.
    chance = np.random.default_rng(blocks)
    covered = 0
    for _ in range(600):
        machine = chance.lognormal(0, 0.2, blocks)
        of = 10 * machine * chance.lognormal(0, 0.05, blocks)
        to = machine * chance.lognormal(0, 0.05, blocks)
        low, high = ratio(of, to).interval
        covered += low <= 10 <= high
    assert 0.925 <= covered / 600 <= 0.975


def test_cost_model_intervals_cover_the_crossover() -> None:
    chance = np.random.default_rng(5)
    sizes = np.array([1e2, 1e3, 1e5, 1e6])
    truth, covered = 220e-6 / 6e-9, 0
    for _ in range(300):
        noise = chance.lognormal(0, 0.03, (2, 10, 4))
        found = compare(sizes, (240e-6 + 3e-9 * sizes) * noise[0], (20e-6 + 9e-9 * sizes) * noise[1])
        low, high = found.crossover.interval
        covered += low <= truth <= high
    assert 0.92 <= covered / 300 <= 0.98


def test_a_bent_cost_is_told_by_its_misfit() -> None:
    sizes = np.array([1.0, 10.0, 100.0, 1000.0])
    straight, bent = 1 + sizes, 1 + sizes**2
    assert compare(sizes, np.tile(straight, (2, 1)), np.tile(straight, (2, 1))).misfit < 1e-9
    assert compare(sizes, np.tile(straight, (2, 1)), np.tile(bent, (2, 1))).misfit > 1


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([3.0], (3.0, None, None, 1)),
        ([3.0, 1.0, 2.0], (2.0, 1.0, 3.0, 3)),
        # Of nine values the second and the eighth: P(at most one below the median) = 10 / 512.
        ([9.0, 1.0, 2.0, 8.0, 3.0, 7.0, 4.0, 6.0, 5.0], (5.0, 2.0, 8.0, 9)),
        ([1.0, np.nan], (None, None, None, 2)),
    ],
)
def test_the_median_and_its_interval_by_hand(values, expected) -> None:
    assert median_over_blocks(np.array(values)) == expected


@pytest.mark.parametrize("blocks", [6, 9, 12, 20, 40])
def test_the_median_has_the_interval_of_scipys_quantile_test(blocks: int) -> None:
    values = np.random.default_rng(blocks).exponential(size=blocks)
    found = median_over_blocks(values)
    expected = stats.quantile_test(values, q=np.median(values)).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize(("blocks", "least"), [(3, 0.75), (5, 0.9375), (12, 0.95), (20, 0.95)])
def test_the_interval_of_the_median_holds_as_often_as_it_says_for_skewed_values(blocks: int, least: float) -> None:
    chance = np.random.default_rng(20191030)
    found = [median_over_blocks(chance.exponential(size=blocks)) for _ in range(4000)]
    held = np.mean([each.low <= math.log(2) <= each.high for each in found])
    assert held >= least - 0.015
