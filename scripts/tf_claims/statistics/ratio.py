"""How many times as much one variant takes as another, and how much of a published effect that is."""

from __future__ import annotations

import math

import numpy as np

from tf_claims.statistics.intervals import (
    Average,
    Estimate,
    Floats,
    Strata,
    geometric_mean_over_blocks,
    mean_over_blocks,
)


def ratio(
    of: Floats, to: Floats, confidence: float = 0.95, strata: Strata = None, average: Average = mean_over_blocks
) -> Estimate:
    """The geometric mean of ``of / to``, where entry i of both comes from the same block.

    What disturbs a whole block acts on both sides and cancels (paired comparison in a randomised complete block
    design; Kalibera & Jones 2013).
    """
    return geometric_mean_over_blocks(of / to, confidence, strata, average)


def shares(of: Floats, to: Floats, published: float) -> Floats:
    """The share of a published effect in each block: log(of / to) / log(published); 1 where it is the published one.

    On the log scale an effect and its inverse are treated alike: of a published 10, a measured 3.2 is half of it.
    """
    logs: Floats = np.log(of / to) / math.log(published)
    return logs


def effect_share(
    of: Floats, to: Floats, published: float, strata: Strata = None, average: Average = mean_over_blocks
) -> Estimate:
    """The share of the published effect with its 95 % interval, which has the same ends as that of the ratio."""
    return average(shares(of, to, published), strata=strata)
