"""How many times as much one variant takes as another."""

from __future__ import annotations

from tf_claims.statistics.intervals import Estimate, Floats, Strata, geometric_mean_over_blocks


def ratio(of: Floats, to: Floats, confidence: float = 0.95, strata: Strata = None) -> Estimate:
    """The geometric mean of ``of / to``, where entry i of both comes from the same block.

    What disturbs a whole block acts on both sides and cancels (paired comparison in a randomised complete block
    design; Kalibera & Jones 2013).
    """
    return geometric_mean_over_blocks(of / to, confidence, strata)
