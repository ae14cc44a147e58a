"""Simulated runs in which blocks are added until the interval is narrow enough: does it still hold the truth?

The rule is :func:`tf_claims.statistics.precision.next_look` itself. One claim alone is its worst case: with several,
measuring goes on for others after one of them happens to look precise.
"""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np

from tf_claims.estimands.kind import relative_half_width
from tf_claims.estimands.ratio import judge
from tf_claims.model.files import Strict
from tf_claims.model.preset import BlockRule
from tf_claims.statistics.precision import Width, next_look
from tf_claims.statistics.ratio import effect_share, ratio
from tf_claims.validate.fixed_blocks import SMALL_CLAIM
from tf_claims.validate.noise import Noise

RULES = ((3, 12), (3, 20), (5, 12), (5, 20))
SPREADS = (0.01, 0.02, 0.04, 0.06, 0.08, 0.12)  # of the log ratio; 5 % take from two blocks to some thirty
ASKED = 0.05  # a claim's default precision


class SequentialCell(Strict):
    """Of ``runs`` simulated: blocks at the end on average, and the shares of intervals that hold and of false words.

    ``spread`` is the standard deviation of the log ratio of one block; ``at_limit`` the share stopped by ``most``.
    """

    least: int
    most: int
    spread: float
    runs: int
    mean_blocks: float
    at_limit: float
    coverage: float
    false_reproduced: float


def simulate_rule(least: int, most: int, spread: float, runs: int, chance: np.random.Generator) -> SequentialCell:
    """One rule with one spread. The true ratio is 1: a false "reproduced" is to stay rare too."""
    noise = Noise("", of=spread / math.sqrt(2), to=spread / math.sqrt(2))
    rule = BlockRule(least=least, most=most)
    times = [noise.draw(chance, most, ratio=1.0) for _ in range(runs)]
    looked_at = defaultdict(list, {least: list(range(runs))})
    covered = reproduced = in_all = at_limit = 0
    for blocks in range(least, most + 1):
        for run in looked_at[blocks]:
            of, to = times[run]
            found = ratio(of[:blocks], to[:blocks])
            half_width = relative_half_width(found)
            assert found.value is not None and found.interval is not None and half_width is not None
            look = next_look(rule, blocks, [Width(half_width, ASKED, blocks, blocks)], 0.0, 1.0)
            if look.blocks > blocks:
                looked_at[look.blocks].append(run)
                continue
            covered += found.interval[0] <= 1.0 <= found.interval[1]
            reproduced += (
                judge(effect_share(of[:blocks], to[:blocks], SMALL_CLAIM).interval, SMALL_CLAIM).word == "reproduced"
            )
            in_all += blocks
            at_limit += look.why is not None and look.why.key == "stopped.blocks"
    return SequentialCell(
        least=least,
        most=most,
        spread=spread,
        runs=runs,
        mean_blocks=in_all / runs,
        at_limit=at_limit / runs,
        coverage=covered / runs,
        false_reproduced=reproduced / runs,
    )
