"""The machine as a block finds it, and what disturbed it meanwhile."""

import glob
import os
import re
from typing import Any, Dict, Optional

GOVERNOR = "/sys/devices/system/cpu/cpu{}/cpufreq/scaling_governor"
STAT = "/proc/stat"
PRESSURE = "/proc/pressure/cpu"
GPU_DRIVER = "/proc/driver/nvidia/version"
GPU_CARDS = "/proc/driver/nvidia/gpus/*/information"
STEAL_FIELD = 8  # of the line "cpu" in /proc/stat, see proc(5)


def host(cpu: int) -> Dict[str, Any]:
    """The fingerprint of the machine; ``cpu`` is one of those measured on."""
    system = os.uname()
    memory = _find(r"MemTotal:\s+(\d+) kB", "/proc/meminfo")
    return {
        "node": system.nodename,
        "cpu_model": _find(r"model name\s*: (.+)", "/proc/cpuinfo") or system.machine,
        "cpus": os.cpu_count() or 0,
        "memory_mb": int(memory or 0) // 1024,
        "kernel": system.release,
        "governor": _find(r"(\S+)", GOVERNOR.format(cpu)),
        "load_1m": os.getloadavg()[0],
        "gpu": _gpu(),
    }


def disturbance() -> Dict[str, Optional[float]]:
    """Seconds since the machine started: stolen by the hypervisor, and with a task waiting for a CPU; None: unknown."""
    first = _find(r"cpu +(.+)", STAT)
    ticks = (first or "").split()
    waited = _find(r"some .*total=(\d+)", PRESSURE)
    return {
        "steal_s": int(ticks[STEAL_FIELD - 1]) / os.sysconf("SC_CLK_TCK") if len(ticks) >= STEAL_FIELD else None,
        "cpu_pressure_s": None if waited is None else int(waited) / 1e6,
    }


def between(before: Dict[str, Optional[float]], after: Dict[str, Optional[float]]) -> Dict[str, Optional[float]]:
    """What was disturbed between two calls of :func:`disturbance`."""
    pairs = {name: (before[name], after[name]) for name in before}
    return {name: None if None in (old, new) else new - old for name, (old, new) in pairs.items()}  # type: ignore[operator]


def _gpu() -> Optional[str]:
    cards = [_find(r"Model:\s+(.+)", path) for path in sorted(glob.glob(GPU_CARDS))]
    if not cards:
        return None
    driver = _find(r"Kernel Module(?: for \S+)?\s+(\d[\d.]+)", GPU_DRIVER)
    return "{}, driver {}".format(" + ".join(str(card) for card in cards), driver or "unknown")


def _find(pattern: str, path: str) -> Optional[str]:
    try:
        with open(path) as file:
            found = re.search(pattern, file.read())
    except OSError:
        return None
    return found.group(1).strip() if found else None
