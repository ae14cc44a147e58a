"""Simulated runs of a fixed number of blocks: how often the analysis is right, where the truth is known.

What is simulated are the functions that judge the claims, not a copy of them.
"""

from __future__ import annotations

import numpy as np

from tf_claims.estimands import equivalence as equivalence_claim
from tf_claims.estimands import ratio as ratio_claim
from tf_claims.model.files import Strict
from tf_claims.statistics.equivalence import equivalence
from tf_claims.statistics.ratio import ratio
from tf_claims.validate.noise import Noise

BLOCKS = (5, 10, 20)
TRUE_RATIO = 1.3  # any but 1 will do for the coverage
PUBLISHED, WITHIN_FACTOR = 1.14, 2.0  # a claim that no difference must not reproduce
MARGIN = 0.05  # that of the A/A comparisons


class SimulatedCell(Strict):
    """Of ``runs`` simulated: the share whose interval holds the true ratio, and the shares of false verdicts."""

    blocks: int
    noise: str
    runs: int
    coverage: float
    false_reproduced: float
    false_equivalent: float


def simulate_cell(noise: Noise, blocks: int, runs: int, chance: np.random.Generator) -> SimulatedCell:
    """One kind of noise with one number of blocks."""
    covered = reproduced = equivalent = 0
    for _ in range(runs):
        of, to = noise.draw(chance, blocks, ratio=1.0)
        found = ratio(of * TRUE_RATIO, to)
        assert found.value is not None and found.interval is not None
        covered += found.interval[0] <= TRUE_RATIO <= found.interval[1]
        same = ratio(of, to)
        assert same.value is not None
        reproduced += ratio_claim.judge(same.value, same.interval, PUBLISHED, WITHIN_FACTOR) == "reproduced"
        at_margin = equivalence(of * (1 + MARGIN), to, MARGIN, relative=True)
        word = equivalence_claim.judge(at_margin.estimate.interval, at_margin.tests.interval, at_margin.margin)
        equivalent += word == "reproduced"
    return SimulatedCell(
        blocks=blocks,
        noise=noise.name,
        runs=runs,
        coverage=covered / runs,
        false_reproduced=reproduced / runs,
        false_equivalent=equivalent / runs,
    )
