"""Whether something from outside disturbed a process: a rule fixed beforehand, of what the host told while it ran.

A rule on the conditions, never on the times that are compared: it cannot favour an answer. The limits leave room above
what a quiet host shows, and each says how much.
"""

from typing import Dict, List, Optional, Tuple

# CPU seconds of all other programs, each second. Where an unprivileged user's container reads its image through
# squashfuse, that is such a program, with 0.03. One program that keeps a CPU busy takes 0.5 to 1.
OTHERS_MOST = 0.25
# The same as a part of all CPUs of the host: a large machine has services that disturb nobody.
OTHERS_SHARE_MOST = 0.05
# CPU seconds that the hypervisor gave to other virtual machines, each second: a quiet host shows 0.001.
STEAL_MOST = 0.02
# What the kernel's clock can misplace at the two ends of a short process: a tick on each CPU.
TICKS_S = 0.02
# The part of a process's life in which a quota of CPU time stopped the processes of its group.
THROTTLED_MOST = 0.02

Why = Tuple[str, Dict[str, float]]


def why_disturbed(told: Dict[str, Optional[float]], cpus: int) -> List[Why]:
    """Every measured reason, the most telling first, each with its values; none for a process that ran in peace.

    :param told: of :func:`runner.conditions.between` (seconds); None and a missing measure are not judged. How often
        its own processes were interrupted or waited is no measure: that hangs on what they do, which is what is
        compared.
    """
    wall_s = told.get("wall_s")
    if wall_s is None:
        return []
    limits = (
        ("others", "other_cpu_s", max(OTHERS_MOST, OTHERS_SHARE_MOST * cpus)),
        ("steal", "steal_s", STEAL_MOST),
        ("throttled", "throttled_s", THROTTLED_MOST),
    )
    found = [(name, told.get(measure), most) for name, measure, most in limits]
    return [
        ("disturbed." + name, {"seconds": seconds, "wall_s": wall_s})
        for name, seconds, most in found
        if seconds is not None and seconds > most * wall_s + TICKS_S
    ]
