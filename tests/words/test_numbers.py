from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tf_claims.words.numbers import (
    count,
    environment_name,
    exact,
    interval,
    number,
    published_number,
    signed_percent,
    title_of,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (12.58, "12.6"),
        (12.0, "12.0"),
        (0.61849, "0.618"),
        (0.00001, "0.00001"),
        (0.0002405, "0.00024"),
        (1.2345e-9, "1.23 × 10⁻⁹"),
        (9.999, "10.0"),
        (0.9996, "1.00"),
        (999.6, "1,000"),
        (123456.7, "123,000"),
        (2.5e15, "2.5 × 10¹⁵"),
        (-1.5, "−1.50"),
        (0.0, "0"),
        (1000000, "1,000,000"),
        (math.inf, "∞"),
        (math.nan, "not a number"),
    ],
)
def test_numbers_have_three_digits_and_no_exponent_where_it_reads_better(value: float, text: str) -> None:
    assert number(value) == text


@given(st.floats(min_value=1e-6, max_value=1e12))
def test_a_number_is_within_half_a_step_of_what_it_says(value: float) -> None:
    said = float(number(value).replace(",", ""))
    assert abs(said - value) <= 0.005001 * value


def test_a_published_number_has_the_digits_that_were_written() -> None:
    assert [published_number(value) for value in (10.0, 1.14, 1000.0, 1.029)] == ["10", "1.14", "1,000", "1.029"]


def test_names_and_ranges() -> None:
    assert environment_name("tf1.15-cpu") == "TensorFlow 1.15 (CPU)"
    assert environment_name("tf2.21-gpu") == "TensorFlow 2.21 (GPU)"
    assert environment_name("elsewhere") == "elsewhere"
    assert environment_name("tf1.15-gpu-nv") == "TensorFlow 1.15 (GPU, NVIDIA’s build)"
    assert environment_name("tf1.15-gpu+tf1.15-gpu-nv+tf2.0-gpu") == "TensorFlow 1.15, 2.0 (GPU)"
    assert interval(12.07, 13.21) == "12.1 to 13.2"
    assert [signed_percent(share) for share in (0.0123, -0.0004, -0.02)] == ["+1.2 %", "0.0 %", "−2.0 %"]
    assert count(1, "block") == "1 block"
    assert count(5, "process", "processes") == "5 processes"
    assert title_of("linear_regression_ratios") == "Linear regression ratios"


@pytest.mark.parametrize(("value", "text"), [(0.97018134, "0.9701813"), (32.0, "32"), (0.00001, "0.00001"), (-2, "−2")])
def test_a_known_value_has_its_digits_and_no_zero_more(value: float, text: str) -> None:
    assert exact(value) == text
