"""What is written has nine significant digits."""

from __future__ import annotations

import math

from tf_claims.model.digits import settled


def test_floats_wherever_they_are() -> None:
    assert settled(2.928194306897188) == 2.92819431
    assert settled({"p": 9.132904237800887e-4, "of": [1 / 3, 7, "0.33333333333", None, True]}) == {
        "p": 9.13290424e-4,
        "of": [0.333333333, 7, "0.33333333333", None, True],
    }


def test_the_last_bits_of_another_processor_are_gone() -> None:
    assert settled(0.0009132904237800887) == settled(0.0009132904237800885)


def test_what_is_not_finite_stays() -> None:
    assert math.isnan(settled(math.nan)) and settled(-math.inf) == -math.inf
