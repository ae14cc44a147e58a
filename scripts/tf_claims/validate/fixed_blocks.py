"""Simulated runs of a fixed number of blocks: how often the analysis is right, where the truth is known.

What is simulated are the functions that judge the claims, not a copy of them.
"""

from __future__ import annotations

import numpy as np

from tf_claims.estimands import equivalence as equivalence_claim
from tf_claims.estimands import ratio as ratio_claim
from tf_claims.estimands.kind import Asked, Chosen
from tf_claims.model.files import Strict
from tf_claims.statistics.equivalence import equivalence
from tf_claims.statistics.intervals import Floats
from tf_claims.statistics.ratio import effect_share, ratio
from tf_claims.statistics.states import states
from tf_claims.validate.noise import Noise
from tf_claims.verdicts.several_states import Seen, holding_in_each

BLOCKS = (5, 10, 20)
TRUE_RATIO = 1.3  # any but 1 will do for the coverage
PUBLISHED = 2.0  # a claim that no difference refutes, and that a ratio at the edge of its band does not reproduce
SMALL_CLAIM = 1.14  # one that no difference must not reproduce
MARGIN = 0.05  # that of the A/A comparisons
_CLAIM = ratio_claim.Ratio(metric="run.wall_s", of={}, to={})
_CHOSEN = [Chosen({"side": side}, {}, {}) for side in ("of", "to")]


class SimulatedCell(Strict):
    """Of ``runs`` simulated: the share whose interval holds the true ratio, and how often the rules are right or wrong.

    ``withheld`` is the share in which a claim of the true ratio is not judged, since its word hangs on a state that was
    found in the times; ``coverage_shown`` is that of the others (None where there are none). These are few and not like
    the rest where nearly all are withheld: what was not found in them is that processes were in one state by chance.

    ``refuted`` is the rate at which a true 1 against :data:`PUBLISHED` is contradicted, ``false_reproduced`` that at
    which it counts as :data:`SMALL_CLAIM`, and ``false_reproduced_at_edge`` that at which a ratio on the edge of the
    band of :data:`PUBLISHED` counts as that.
    """

    blocks: int
    noise: str
    runs: int
    coverage: float
    withheld: float
    coverage_shown: float | None
    refuted: float
    false_reproduced: float
    false_reproduced_at_edge: float
    false_equivalent: float


def hangs_on_a_state(of: Floats, to: Floats) -> bool:
    """Whether the times of a variant lie in several places, and another word would follow in one of them."""
    found = [(place, states(times)) for place, times in enumerate((of, to))]
    seen = [Seen(place, "", "states", each) for place, each in found if len(each) > 1]
    asked = Asked(np.column_stack([of, to]), ["one"] * len(of), _CHOSEN, TRUE_RATIO)
    judged = holding_in_each(_CLAIM, asked, _CLAIM.find(asked), seen) if seen else None
    return judged is not None and judged.because[-1].key == "states.undecided"


def simulate_cell(noise: Noise, blocks: int, runs: int, chance: np.random.Generator) -> SimulatedCell:
    """One kind of noise with one number of blocks."""
    covered = withheld = covered_shown = refuted = at_edge = reproduced = equivalent = 0
    edge = PUBLISHED ** (1 - ratio_claim.band(PUBLISHED))
    for _ in range(runs):
        of, to = noise.draw(chance, blocks, ratio=1.0)
        found = ratio(of * TRUE_RATIO, to)
        assert found.value is not None and found.interval is not None
        holds = found.interval[0] <= TRUE_RATIO <= found.interval[1]
        hangs = hangs_on_a_state(of * TRUE_RATIO, to)
        covered += holds
        withheld += hangs
        covered_shown += holds and not hangs
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
        withheld=withheld / runs,
        coverage_shown=covered_shown / (runs - withheld) if withheld < runs else None,
        refuted=refuted / runs,
        false_reproduced=reproduced / runs,
        false_reproduced_at_edge=at_edge / runs,
        false_equivalent=equivalent / runs,
    )
