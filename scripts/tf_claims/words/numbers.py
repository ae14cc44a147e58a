"""Numbers and names as people read them."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_EVEN, Decimal

from tf_claims.words.joined import TOGETHER

_ENVIRONMENT = re.compile(r"tf(?P<version>\d+(?:\.\d+)*)-(?P<device>cpu|gpu)(?P<maker>-nv)?")
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
# Outside these powers of ten, a row of zeros is harder to read than the power.
_SMALLEST_EXPONENT, _LARGEST_EXPONENT = -6, 12


def number(value: float, digits: int = 3) -> str:
    """``value`` to so many significant digits, with thousands separators: ``12.6``, ``0.00001``, ``124,000``.

    Integers that are given as ``int`` keep all their digits.
    """
    if math.isnan(value):
        return "not a number"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if isinstance(value, int):
        return f"{value:,}".replace("-", "−")
    if value == 0:
        return "0"
    exact = Decimal(repr(value))
    rounded = exact.quantize(Decimal(1).scaleb(exact.adjusted() - digits + 1), rounding=ROUND_HALF_EVEN)
    exponent = rounded.adjusted()
    # 9.999 became 10.00: rounding has carried into one digit more.
    rounded = rounded.quantize(Decimal(1).scaleb(exponent - digits + 1), rounding=ROUND_HALF_EVEN)
    if not _SMALLEST_EXPONENT <= exponent <= _LARGEST_EXPONENT:
        mantissa = _plain(rounded.scaleb(-exponent))
        return f"{mantissa} × 10{str(exponent).translate(_SUPERSCRIPT)}"
    return _plain(rounded, keep_zeros=exponent >= 0)


def _plain(value: Decimal, keep_zeros: bool = False) -> str:
    text = f"{value:,f}"
    if "." in text and not keep_zeros:
        text = text.rstrip("0").rstrip(".")
    return text.replace("-", "−")


def published_number(value: float) -> str:
    """A number as somebody wrote it: all its digits and no zero more: ``10``, ``1.14``, ``1,000``."""
    return number(int(value)) if value == int(value) else _plain(Decimal(repr(value)))


def interval(low: float, high: float, digits: int = 3) -> str:
    """``12.1 to 13.2``."""
    return f"{number(low, digits)} to {number(high, digits)}"


def exact(value: float, digits: int = 7) -> str:
    """To at most so many digits, and no zero more than it has: ``0.9701213``, ``32``, ``0.00001``."""
    return published_number(float(f"{value:.{digits}g}")) if math.isfinite(value) else number(value)


def whole_percent(share: float) -> str:
    """A part of 1 without decimals: ``97 %``."""
    return f"{100 * share:.0f}\u00a0%".replace("-", "−")


def signed_percent(share: float) -> str:
    """A signed share of 1 to a tenth of a percent: ``+1.2 %``."""
    text = f"{100 * share:+.1f} %"
    return "0.0 %" if text in ("+0.0 %", "-0.0 %") else text.replace("-", "−")


def percent_of(share: float) -> str:
    """A part of 1 to two digits: ``5 %``, ``0.25 %``."""
    return f"{exact(100 * share, 2)} %"


def environment_name(environment: str) -> str:
    """``tf1.15-cpu`` in words: ``TensorFlow 1.15 (CPU)``; a name of another shape stays as it is.

    Several that are shown as one, ``tf1.15-gpu+tf2.0-gpu``, are ``TensorFlow 1.15, 2.0 (GPU)``.
    """
    matches = [_ENVIRONMENT.fullmatch(name) for name in environment.split(TOGETHER)]
    found = [match for match in matches if match]
    if len(found) < len(matches):
        return environment
    versions = ", ".join(dict.fromkeys(match["version"] for match in found))
    maker = ", NVIDIA’s build" if all(match["maker"] for match in found) else ""
    return f"TensorFlow {versions} ({found[0]['device'].upper()}{maker})"


def short_environment_name(environment: str) -> str:
    """``2.21`` for ``tf2.21-cpu``, ``2.21 (GPU)`` for ``tf2.21-gpu``: under a heading that says TensorFlow."""
    return environment_name(environment).removeprefix("TensorFlow ").removesuffix(" (CPU)")


def count(amount: int, singular: str, plural: str | None = None) -> str:
    """``1 block``, ``5 blocks``."""
    return f"{amount:,} {singular if amount == 1 else plural or singular + 's'}"


def title_of(name: str) -> str:
    """A file's stem as a heading: ``linear_regression_cost_model`` becomes ``Linear regression cost model``."""
    words = re.sub(r"[_-]+", " ", name).strip()
    return words[:1].upper() + words[1:]
