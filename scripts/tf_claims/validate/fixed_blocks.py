"""Simulated runs of a fixed number of blocks: how often the analysis is right, where the truth is known.

What is simulated are the functions that judge the claims, not a copy of them.
"""

from __future__ import annotations

import numpy as np

from tf_claims.estimands import equivalence as equivalence_claim
from tf_claims.estimands import ratio as ratio_claim
from tf_claims.model.files import Strict
from tf_claims.statistics.equivalence import equivalence
from tf_claims.statistics.ratio import effect_share, ratio
from tf_claims.validate.noise import Noise

BLOCKS = (5, 10, 20)
TRUE_RATIO = 1.3  # any but 1 will do for the coverage
PUBLISHED = 2.0  # a claim that no difference refutes, and that a ratio at the edge of its band does not reproduce
SMALL_CLAIM = 1.14  # one that no difference must not reproduce
MARGIN = 0.05  # that of the A/A comparisons


class SimulatedCell(Strict):
    """Of ``runs`` simulated: the share whose interval holds the true ratio, and how often the rules are right or wrong.

    ``refuted`` is the rate at which a true 1 against :data:`PUBLISHED` is contradicted, ``false_reproduced`` that at
    which it counts as :data:`SMALL_CLAIM`, and ``false_reproduced_at_edge`` that at which a ratio on the edge of the
    band of :data:`PUBLISHED` counts as that.
    """

    blocks: int
    noise: str
    runs: int
    coverage: float
    refuted: float
    false_reproduced: float
    false_reproduced_at_edge: float
    false_equivalent: float


def simulate_cell(noise: Noise, blocks: int, runs: int, chance: np.random.Generator) -> SimulatedCell:
    """One kind of noise with one number of blocks."""
    covered = refuted = at_edge = reproduced = equivalent = 0
    edge = PUBLISHED ** (1 - ratio_claim.band(PUBLISHED))
    for _ in range(runs):
        of, to = noise.draw(chance, blocks, ratio=1.0)
        found = ratio(of * TRUE_RATIO, to)
        assert found.value is not None and found.interval is not None
        covered += found.interval[0] <= TRUE_RATIO <= found.interval[1]
        share = effect_share(of, to, PUBLISHED)
        refuted += ratio_claim.judge(share.interval, PUBLISHED).word == "contradicted"
        share = effect_share(of * edge, to, PUBLISHED)
        at_edge += ratio_claim.judge(share.interval, PUBLISHED).word == "reproduced"
        share = effect_share(of, to, SMALL_CLAIM)
        reproduced += ratio_claim.judge(share.interval, SMALL_CLAIM).word == "reproduced"
        at_margin = equivalence(of * (1 + MARGIN), to, MARGIN, relative=True)
        word = equivalence_claim.judge(at_margin.tests.interval, at_margin.margin)
        equivalent += word == "reproduced"
    return SimulatedCell(
        blocks=blocks,
        noise=noise.name,
        runs=runs,
        coverage=covered / runs,
        refuted=refuted / runs,
        false_reproduced=reproduced / runs,
        false_reproduced_at_edge=at_edge / runs,
        false_equivalent=equivalent / runs,
    )
