"""How surprising what was measured would be if a claim were wrong: the tests that the intervals of a verdict are."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtr

from tf_claims.statistics.intervals import Floats, Strata, mean_and_spread


def ratio_p_value(of: Floats, to: Floats, strata: Strata = None) -> float:
    """Student's two-sided test that the geometric mean of ``of / to`` is 1; entry i of both is of the same block.

    At most 0.05 where the 95 % interval excludes 1.
    """
    logs = np.log(of / to)
    return min(1.0, 2 * min(_above(logs, 0.0, strata), _above(-logs, 0.0, strata)))


def equivalence_p_value(
    of: Floats, to: Floats, margin: tuple[float, float], relative: bool, strata: Strata = None
) -> float:
    """The larger of the p-values of two one-sided tests (Schuirmann 1987): above the lower end, below the upper one.

    At most 0.05 where the 90 % interval lies inside the margin.
    """
    values, (low, high) = (np.log(of / to), np.log(margin)) if relative else (of - to, margin)
    return max(_above(values, float(low), strata), _above(-values, -float(high), strata))


def _above(values: Floats, limit: float, strata: Strata) -> float:
    """The p-value of the one-sided test that the mean of ``values`` exceeds ``limit``."""
    mean, spread, freedom = mean_and_spread(values, strata)
    if spread == 0:
        return 0.0 if mean > limit else 1.0
    return float(stdtr(freedom, -(mean - limit) / spread * np.sqrt(len(values))))
