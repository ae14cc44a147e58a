"""What kind of thing a metric is: each kind has messages of its own."""

from __future__ import annotations

from fnmatch import fnmatchcase

# First match wins.
_KINDS = (
    ("*.wall_s", "time"),
    ("*.cpu_s", "cpu"),
    ("iterations*", "iterations"),
    ("*loss*", "loss"),
    ("*_s", "time"),
    ("*accuracy", "accuracy"),
    ("peak_rss_mb", "memory"),
    ("*", "other"),
)


def metric_kind(metric: str) -> str:
    """``time`` for ``run.wall_s``, ``loss`` for ``printed_loss[5]``."""
    return next(kind for pattern, kind in _KINDS if fnmatchcase(metric, pattern))
