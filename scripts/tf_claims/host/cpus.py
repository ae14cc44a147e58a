"""How much CPU time the control groups around this process leave it."""

from __future__ import annotations

import math
from pathlib import Path

from runner.conditions import CGROUP, CGROUPS, control_groups


def cpu_quota(groups: Path = Path(CGROUPS), membership: Path = Path(CGROUP)) -> float:
    """In CPUs, the smallest quota of this process' control group and those above it (v2); infinite where none is."""
    found = [math.inf]
    for folder in control_groups(str(membership), str(groups)):
        try:
            quota, period = Path(folder, "cpu.max").read_text().split()
        except (OSError, ValueError):
            continue  # the root has none
        if quota != "max":
            found.append(int(quota) / int(period))
    return min(found)
