"""Seeds that follow from names, so that every order and every initial weight can be had again."""

import hashlib

LARGEST = 2**31 - 1  # fits the seeds of Python, NumPy and TensorFlow alike


def derive(*parts: object) -> int:
    """A seed in [0, LARGEST] that follows from ``parts`` alone."""
    text = "\0".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % (LARGEST + 1)
