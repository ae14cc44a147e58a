"""The metrics that every variant has, whatever its scenario records besides."""

from __future__ import annotations

PHASES = ("import", "setup", "first_step", "run")
COST = ("process.wall_s", "process.cpu_s", "peak_rss_mb", "voluntary_switches", "involuntary_switches")
EPOCHS = ("epoch_wall_s", "epoch_seconds")
"""The results that have the elapsed time of each epoch, in seconds."""
OF_EVERY_VARIANT = (*(f"{phase}.{clock}" for phase in PHASES for clock in ("wall_s", "cpu_s")), *COST)


def is_time(metric: str) -> bool:
    """Whether a metric is in seconds. What else is recorded, losses and counts, a disturbance does not change."""
    return metric.endswith("_s")


def has_epochs(metric: str) -> bool:
    """Whether a metric is an elapsed time that holds epochs, where a scenario has these."""
    return is_time(metric) and not metric.endswith("cpu_s") and metric.partition(".")[0] not in PHASES[:-1]


def base_of(metric: str) -> str:
    """The result that a metric is an element of: ``loss`` for ``loss[5]``."""
    return metric.partition("[")[0]
