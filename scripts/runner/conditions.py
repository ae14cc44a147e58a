"""The machine as a block finds it, and what happened on it while a process ran."""

import glob
import os
import re
import resource
import time
from typing import Any, Dict, Iterable, List, Optional

FREQUENCY = "/sys/devices/system/cpu/cpu{}/cpufreq/scaling_cur_freq"
CPUINFO = "/proc/cpuinfo"
GOVERNOR = "/sys/devices/system/cpu/cpu{}/cpufreq/scaling_governor"
STAT = "/proc/stat"
PRESSURE = "/proc/pressure/cpu"
CGROUP = "/proc/self/cgroup"
CGROUPS = "/sys/fs/cgroup"
GPU_DRIVER = "/proc/driver/nvidia/version"
GPU_CARDS = "/proc/driver/nvidia/gpus/*/information"
BUSY_FIELDS = (1, 2, 3, 6, 7)  # user, nice, system, irq and softirq of the line "cpu" in /proc/stat, see proc(5)
STEAL_FIELD = 8


def host(cpu: int) -> Dict[str, Any]:
    """The fingerprint of the machine; ``cpu`` is one of those measured on."""
    system = os.uname()
    memory = _find(r"MemTotal:\s+(\d+) kB", "/proc/meminfo")
    return {
        "node": system.nodename,
        "cpu_model": _find(r"model name\s*: (.+)", CPUINFO) or system.machine,
        "cpus": os.cpu_count() or 0,
        "memory_mb": int(memory or 0) // 1024,
        "kernel": system.release,
        "governor": _find(r"(\S+)", GOVERNOR.format(cpu)),
        "load_1m": os.getloadavg()[0],
        "gpu": _gpu(),
    }


def disturbance() -> Dict[str, Optional[float]]:
    """Seconds since some moment; None: unknown. The difference of two calls is what happened between them.

    ``steal_s``: CPU time that the hypervisor gave to others; ``cpu_pressure_s``: time with a task waiting for a CPU;
    ``other_cpu_s``: CPU time of the whole host less that of this process and of those that it started and that ended;
    ``throttled_s``: time in which a quota of CPU time stopped this group; ``wall_s``: elapsed time.
    """
    first = _find(r"cpu +(.+)", STAT)
    ticks = [int(tick) / os.sysconf("SC_CLK_TCK") for tick in (first or "").split()]
    waited = _find(r"some .*total=(\d+)", PRESSURE)
    known = len(ticks) >= STEAL_FIELD
    return {
        "steal_s": ticks[STEAL_FIELD - 1] if known else None,
        "cpu_pressure_s": None if waited is None else int(waited) / 1e6,
        "other_cpu_s": sum(ticks[field - 1] for field in BUSY_FIELDS) - _own_cpu_s() if known else None,
        "throttled_s": _throttled_s(),
        "wall_s": time.perf_counter(),
    }


def mhz(cpus: Iterable[int]) -> Optional[float]:
    """The highest frequency of ``cpus`` just now; None where the host does not tell."""
    found = [_find(r"(\d+)", FREQUENCY.format(cpu)) for cpu in cpus]
    khz = [float(each) for each in found if each is not None]
    if khz:
        return max(khz) / 1000
    told = _find(r"cpu MHz\s*: ([\d.]+)", CPUINFO)
    return None if told is None else float(told)


def between(before: Dict[str, Optional[float]], after: Dict[str, Optional[float]]) -> Dict[str, Optional[float]]:
    """What happened between two calls of :func:`disturbance`.

    Never below 0: the clocks that a difference is made of tick at different rates.
    """
    pairs = {name: (before[name], after[name]) for name in before}
    return {
        name: None if None in (old, new) else max(0.0, new - old)  # type: ignore[operator]
        for name, (old, new) in pairs.items()
    }


def _own_cpu_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _throttled_s() -> Optional[float]:
    """Of this process's control group and of those above it, the longest; None where the host does not tell."""
    found = [_find(r"throttled_usec (\d+)", folder + "/cpu.stat") for folder in control_groups(CGROUP, CGROUPS)]
    known = [int(each) / 1e6 for each in found if each is not None]
    return max(known) if known else None


def control_groups(membership: str, groups: str) -> List[str]:
    """The folders of this process's control group (v2) and of those above it, the root last."""
    group = (_find(r"0::(/.*)", membership) or "").rstrip("/")
    found = [groups + group]
    while group:
        group = group.rpartition("/")[0]
        found.append(groups + group)
    return found


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
