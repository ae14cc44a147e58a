"""Whether something from outside disturbed a process, by what the host told while it ran and around its block.

The rule on the process itself is :mod:`runner.disturbed`, by which the runner measures it again. What only the whole
block tells is judged here. Neither sees the times that are compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from runner.disturbed import why_disturbed as why_process_disturbed
from tf_claims.model.reason import Reason, because

# Change of the calibration from before to after a block, either way: it came to 0.27 on a quiet host, where a process
# keeps the memory layout that it started with. So it finds only what slows a machine much, such as overheating.
DRIFT_MOST = 0.40
# Change of the CPU frequency under full load, from before to after a block: steps of the turbo stay within a tenth.
FREQUENCY_CHANGE_MOST = 0.20


class Measures(NamedTuple):
    """What was measured while a process ran for ``wall_s``, and around its block; None where the host does not tell.

    Seconds, except the relative ``drift`` of the calibration, MHz, the host's ``cpus``, and how many processes of
    others the block found on its GPU.
    """

    wall_s: float | None
    cpus: int = 1
    other_cpu_s: float | None = None
    steal_s: float | None = None
    throttled_s: float | None = None
    drift: float | None = None
    mhz_before: float | None = None
    mhz_after: float | None = None
    gpu_others: float | None = None


def why_disturbed(process: Measures) -> list[Reason]:
    """Every measured reason why a process is disturbed, the most telling first; none for a good one."""
    return list(_reasons(process))


def _reasons(process: Measures) -> Iterator[Reason]:
    for key, values in why_process_disturbed(process._asdict(), process.cpus):
        yield because(key, **values)
    if process.gpu_others:
        yield because("disturbed.gpu", others=int(process.gpu_others))
    if process.drift is not None and not 1 / (1 + DRIFT_MOST) <= 1 + process.drift <= 1 + DRIFT_MOST:
        yield because("disturbed.slower" if process.drift > 0 else "disturbed.faster", drift=abs(process.drift))
    before, after = process.mhz_before, process.mhz_after
    if before is not None and after is not None and abs(after / before - 1) > FREQUENCY_CHANGE_MOST:
        yield because("disturbed.frequency", before=before, after=after)
