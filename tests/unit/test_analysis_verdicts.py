"""The truth table of the verdict rules."""

from __future__ import annotations

import pytest

from analysis.verdicts import judge_attribution, judge_cost_model, judge_equivalence, judge_ratio, judge_value

ABOVE, BELOW, ACROSS = (1.2, 1.5), (0.5, 0.8), (0.9, 1.1)


@pytest.mark.parametrize(
    ("estimate", "interval", "published", "factor", "word"),
    [
        (12.0, (11.0, 13.0), 10, 2, "reproduced"),
        (20.0, (19.0, 21.0), 10, 2, "reproduced"),  # the factor itself is within it
        (5.0, (4.0, 6.0), 10, 2, "reproduced"),
        (21.0, (20.0, 22.0), 10, 2, "direction only"),
        (4.0, (3.0, 5.0), 10, 2, "direction only"),
        (4.0, (3.0, 5.0), 10, 3, "reproduced"),
        (0.5, (0.4, 0.6), 10, 2, "contradicted"),
        (1.1, (0.9, 1.3), 10, 2, "inconclusive"),
        (10.0, (1.0, 100.0), 10, 2, "inconclusive"),  # an interval that ends at 1 includes it
        (10.0, None, 10, 2, "inconclusive"),
        (1.2, (1.1, 1.3), 1.14, 2, "reproduced"),
        (0.9, (0.85, 0.95), 1.14, 2, "contradicted"),
        (0.5, (0.4, 0.6), 0.4, 2, "reproduced"),
        (0.1, (0.09, 0.11), 0.4, 2, "direction only"),
        (1.5, (1.4, 1.6), 0.4, 2, "contradicted"),
        (0.8, (0.5, 1.2), 0.4, 2, "inconclusive"),
    ],
)
def test_ratio(estimate, interval, published, factor, word) -> None:
    assert judge_ratio(estimate, interval, published, factor) == word


@pytest.mark.parametrize(
    ("interval", "tests", "word"),
    [
        ((0.97, 1.05), (0.98, 1.04), "reproduced"),
        ((0.90, 1.12), (0.92, 1.09), "reproduced"),  # the 90 % interval decides
        ((0.80, 1.30), (0.85, 1.25), "inconclusive"),  # too wide to conclude anything
        ((1.05, 1.20), (1.06, 1.19), "inconclusive"),
        ((1.11, 1.20), (1.12, 1.19), "contradicted"),
        ((0.70, 0.85), (0.72, 0.83), "contradicted"),
        ((0.90, 1.10), (0.91, 1.10), "inconclusive"),  # at the margin is not inside it
        (None, None, "inconclusive"),
    ],
)
def test_equivalence(interval, tests, word) -> None:
    assert judge_equivalence(interval, tests, (1 / 1.1, 1.1)) == word


@pytest.mark.parametrize(
    ("found", "blocks", "word"),
    [
        ([(1.0, 1.0, 0.1)], 2, "reproduced"),
        ([(1.125, 1.0, 0.125)], 2, "reproduced"),
        ([(1.2, 1.0, 0.1)], 2, "contradicted"),
        ([(1.0, 1.0, 0.1), (2.2, 2.0, 0.1)], 5, "contradicted"),
        ([(1.0, 1.0, 0.1)], 1, "inconclusive"),
        ([], 0, "inconclusive"),
    ],
)
def test_value(found, blocks, word) -> None:
    assert judge_value(found, blocks) == word


@pytest.mark.parametrize(
    ("fixed", "fall", "per_point", "word"),
    [
        (ABOVE, ABOVE, BELOW, "reproduced"),
        (ABOVE, ABOVE, ACROSS, "direction only"),
        (ABOVE, ABOVE, ABOVE, "direction only"),
        (ABOVE, ACROSS, BELOW, "inconclusive"),
        (ABOVE, BELOW, ABOVE, "contradicted"),
        (ACROSS, ABOVE, BELOW, "inconclusive"),
        (ACROSS, ACROSS, ACROSS, "inconclusive"),
        (ACROSS, BELOW, ABOVE, "contradicted"),
        (BELOW, ABOVE, BELOW, "contradicted"),
        (BELOW, ACROSS, BELOW, "contradicted"),
        (BELOW, BELOW, ABOVE, "contradicted"),
        (None, ABOVE, BELOW, "inconclusive"),
        (ABOVE, None, BELOW, "inconclusive"),
        (ABOVE, ABOVE, None, "inconclusive"),
    ],
)
def test_cost_model(fixed, fall, per_point, word) -> None:
    assert judge_cost_model(fixed, fall, per_point) == word


@pytest.mark.parametrize(
    ("total", "share", "word"),
    [
        (ABOVE, (0.6, 0.9), "reproduced"),
        (BELOW, (0.6, 0.9), "reproduced"),
        (ABOVE, (0.1, 0.4), "contradicted"),
        (ABOVE, (0.4, 0.6), "inconclusive"),
        (ACROSS, (0.6, 0.9), "inconclusive"),  # no effect, nothing to attribute
        (None, (0.6, 0.9), "inconclusive"),
        (ABOVE, None, "inconclusive"),
    ],
)
def test_attribution(total, share, word) -> None:
    assert judge_attribution(total, share, 0.5) == word
