"""Times with a known ratio: what the simulations draw instead of measuring.

The sizes come from a run of the preset ``quick`` on two cores of a shared virtual machine: twelve pairs of scenario and
environment with three or four blocks each, 140 variants. A block's effect is the standard deviation, over blocks, of
the mean log time of all variants: the median of the twelve is 0.04, the largest 0.10. A variant's own noise is that of
its log time less the block's: one variant in ten has less than 0.026, half have less than 0.08, nine in ten less than
0.20. The largest single deviations are of a factor of 1.3 to 1.5.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from tf_claims.statistics.intervals import Floats

QUIET, TYPICAL, NOISY = 0.026, 0.08, 0.20
BLOCKS_DIFFER, BLOCKS_DIFFER_MOST = 0.04, 0.10
WAIT = math.log(1.5)


class Noise(NamedTuple):
    """How times vary; all sizes are on the log scale.

    ``of`` and ``to`` are the standard deviations of the two variants' own noise, ``block`` that of what a block does to
    both. ``drift`` is by how much times grow from one process to the next. One process in ``outlier_every`` is later
    by an exponentially distributed amount of mean ``outlier`` (0: none is). A share ``waiting`` of all processes takes
    half as long again: a second state.
    """

    name: str
    of: float = TYPICAL
    to: float = TYPICAL
    block: float = BLOCKS_DIFFER
    drift: float = 0.0
    outlier_every: int = 0
    outlier: float = 0.4
    waiting: float = 0.0

    def draw(self, chance: np.random.Generator, blocks: int, ratio: float) -> tuple[Floats, Floats]:
        """The times of two variants, the first ``ratio`` times the second on average, each of shape (blocks,).

        As in a real block, the order of the two is random.
        """
        own = chance.standard_normal((2, blocks)) * [[self.of], [self.to]]
        shared = chance.standard_normal(blocks) * self.block
        first = chance.integers(0, 2, blocks)
        place = 2 * np.arange(blocks) + np.stack([first, 1 - first])
        logs = own + shared + self.drift * place
        if self.outlier_every:
            late = chance.integers(0, self.outlier_every, (2, blocks)) == 0
            logs += late * chance.exponential(self.outlier, (2, blocks))
        if self.waiting:
            logs += (chance.random((2, blocks)) < self.waiting) * WAIT
        of, to = np.exp(logs)
        return of * ratio, to


KINDS = (
    Noise("log-normal, quiet", of=QUIET, to=QUIET),
    Noise("log-normal, typical"),
    Noise("log-normal, noisy", of=NOISY, to=NOISY),
    Noise("one variant noisy, one quiet", of=NOISY, to=QUIET),
    Noise("blocks differ much", block=BLOCKS_DIFFER_MOST),
    Noise("drift of 2 % a process", drift=0.02),
    Noise("one process in 20 is late", outlier_every=20),
    Noise("all of it", of=NOISY, block=BLOCKS_DIFFER_MOST, drift=0.02, outlier_every=20),
    Noise("two states, quiet", of=QUIET, to=QUIET, waiting=0.4),
    Noise("two states, typical", waiting=0.4),
)
TWO_STATES = {each.name for each in KINDS if each.waiting}
