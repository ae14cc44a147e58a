"""The difference of two independent means whose variances differ."""

from __future__ import annotations

from typing import NamedTuple


class Error(NamedTuple):
    """The standard error of a difference, and its degrees of freedom (0 where nothing varies)."""

    value: float
    freedom: float


def error_of_difference(variances: tuple[float, float], freedoms: tuple[float, float]) -> Error:
    """From the variances of the two means and the degrees of freedom that each was estimated with.

    (Welch, "The generalization of 'Student's' problem when several different population variances are involved",
    Biometrika 34, 1947, with the degrees of freedom of Satterthwaite.)
    """
    total = sum(variances)
    if total == 0:
        return Error(0.0, 0.0)
    weights = (variance**2 / freedom for variance, freedom in zip(variances, freedoms, strict=True))
    return Error(total**0.5, total**2 / sum(weights))
