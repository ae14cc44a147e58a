"""Several claims judged together: which of their tests still hold when the chance of any false one is to be small.

Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Statist. 6, 1979: valid whatever the tests
have to do with one another, which matters here, since claims share variants.
"""

from __future__ import annotations

from collections.abc import Sequence

LEVEL = 0.05  # the chance that at least one of all tests that hold is wrong


def holm(p_values: Sequence[float]) -> list[float]:
    """The adjusted p-values: a test holds family-wise where its own is at most :data:`LEVEL`.

    The smallest is multiplied by the number m of tests, the next by m - 1, and so on, and none is less than the one
    before it nor more than 1.
    """
    adjusted = [1.0] * len(p_values)
    least = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = least
    return adjusted
