"""Several claims judged together: which of their tests still hold when the chance of any false one is to be small.

Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Statist. 6, 1979: valid whatever the tests
have to do with one another, which matters here, since claims share variants.
"""

from __future__ import annotations

from collections.abc import Sequence

LEVEL = 0.05  # the chance that at least one of all tests that hold is wrong


def holm(p_values: Sequence[float], family: int = 0) -> list[float]:
    """The adjusted p-values: a test holds family-wise where its own is at most :data:`LEVEL`.

    :param family: how many tests there are in all; those that were not made count as tests that fail
    """
    # Imported here: it takes longer than all else that judges.
    from statsmodels.stats.multitest import multipletests

    if not p_values:
        return []
    missing = [1.0] * max(0, family - len(p_values))
    adjusted: list[float] = multipletests([*p_values, *missing], method="holm")[1][: len(p_values)].tolist()
    return adjusted
