"""Numbers as they are written to files: the same bytes from the same observations, whatever the processor.

Logarithms, exponentials and matrix products differ in their last bits between processors, since NumPy, its BLAS and
the C library choose their code by the processor. Nine significant digits are more than any measurement has.
"""

from __future__ import annotations

from typing import Any

DIGITS = 9


def settled(value: Any) -> Any:
    """``value`` with each float in it, also in dictionaries and sequences, rounded to :data:`DIGITS` digits."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS - 1}e}")
    if isinstance(value, dict):
        return {key: settled(each) for key, each in value.items()}
    return [settled(each) for each in value] if isinstance(value, list | tuple) else value
