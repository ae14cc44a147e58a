"""Whether something from outside disturbed a block: a rule fixed beforehand, of what the host told during the block.

A rule on the conditions, never on the times that are compared: it cannot favour an answer. The limits leave room above
what a quiet host shows, and each says how much.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tf_claims.model.reason import Reason, because

# CPU seconds of all other programs, each second of a block. Where an unprivileged user's container reads its image
# through squashfuse, that is such a program, with 0.03. One program that keeps a CPU busy takes 0.5 to 1.
OTHERS_MOST = 0.25
# The same as a part of all CPUs of the host: a large machine has services that disturb nobody.
OTHERS_SHARE_MOST = 0.05
# CPU seconds that the hypervisor gave to other virtual machines, each second of a block: a quiet host shows 0.001.
STEAL_MOST = 0.02
# The part of a block in which some task waited for a CPU: a block's own threads came to 0.11 on a quiet host.
PRESSURE_MOST = 0.25
# Change of the calibration from before to after a block, either way: it came to 0.27 on a quiet host, where a process
# keeps the memory layout that it started with. So it finds only what slows a machine much, such as overheating.
DRIFT_MOST = 0.40
# Change of the CPU frequency under full load, from before to after a block: steps of the turbo stay within a tenth.
FREQUENCY_CHANGE_MOST = 0.20


class Measures(NamedTuple):
    """What was measured during a block (seconds, MHz); None where the host does not tell.

    ``wall_s`` is the block's length, ``cpus`` the host's. How often its own processes were interrupted is no measure:
    that hangs on what they do, which is what is compared.
    """

    wall_s: float
    cpus: int = 1
    other_cpu_s: float | None = None
    steal_s: float | None = None
    pressure_s: float | None = None
    drift: float | None = None
    mhz_before: float | None = None
    mhz_after: float | None = None


def why_disturbed(block: Measures) -> list[Reason]:
    """Every measured reason why a block is disturbed, the most telling first; none for a good one."""
    return list(_reasons(block))


def _reasons(block: Measures) -> Iterator[Reason]:
    wall = block.wall_s
    others_most = max(OTHERS_MOST, OTHERS_SHARE_MOST * block.cpus)
    if block.other_cpu_s is not None and block.other_cpu_s > others_most * wall:
        yield because("disturbed.others", cpu_s=block.other_cpu_s, wall_s=wall)
    if block.steal_s is not None and block.steal_s > STEAL_MOST * wall:
        yield because("disturbed.steal", cpu_s=block.steal_s, wall_s=wall)
    if block.pressure_s is not None and block.pressure_s > PRESSURE_MOST * wall:
        yield because("disturbed.pressure", waited_s=block.pressure_s, wall_s=wall)
    if block.drift is not None and not 1 / (1 + DRIFT_MOST) <= 1 + block.drift <= 1 + DRIFT_MOST:
        yield because("disturbed.slower" if block.drift > 0 else "disturbed.faster", drift=abs(block.drift))
    before, after = block.mhz_before, block.mhz_after
    if before is not None and after is not None and abs(after / before - 1) > FREQUENCY_CHANGE_MOST:
        yield because("disturbed.frequency", before=before, after=after)
