"""How much CPU time the control groups around this process leave it."""

from __future__ import annotations

import math
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")
MEMBERSHIP = Path("/proc/self/cgroup")


def cpu_quota(groups: Path = GROUPS, membership: Path = MEMBERSHIP) -> float:
    """In CPUs, the smallest quota of this process' control group and those above it (v2); infinite where none is."""
    try:
        lines = membership.read_text().splitlines()
    except OSError:
        return math.inf
    own = next((line.removeprefix("0::/") for line in lines if line.startswith("0::/")), "")
    folder, found = groups / own, [math.inf]
    for each in (folder, *folder.parents):
        if not each.is_relative_to(groups):
            break
        try:
            quota, period = (each / "cpu.max").read_text().split()
        except (OSError, ValueError):
            continue  # the root has none
        if quota != "max":
            found.append(int(quota) / int(period))
    return min(found)
