"""When measuring stops: the truth table of the rule."""

import math

import pytest
from scipy.stats import t as student

from tf_claims.model.preset import BlockRule
from tf_claims.model.reason import because
from tf_claims.statistics.precision import Width, next_look

RULE = BlockRule(least=3, most=12, minutes=10)
FINE = Width(half_width=0.001, asked=0.05, blocks=5, run=5)  # two blocks would do, and three further ones
ENOUGH = because("stopped.precise")
NO_INTERVAL = because("stopped.no_interval")
MORE = None
BLOCKS = because("stopped.blocks", blocks=12)
MINUTES = because("stopped.minutes", minutes=10.0)


def wide(half_width: float | None, blocks: int = 3, run: int | None = None, lost: int = 0) -> Width:
    return Width(half_width, 0.05, blocks, blocks if run is None else run, lost)


@pytest.mark.parametrize(
    ("measured", "widths", "seconds", "each_s", "blocks", "why"),
    [
        (5, [FINE], 60, 20, 5, ENOUGH),
        (3, [], 60, 20, 3, NO_INTERVAL),
        (2, [], 60, 20, 3, MORE),  # fewer than the least
        (3, [wide(0.0)], 60, 20, 3, ENOUGH),  # the same in every block
        (3, [wide(0.001)], 60, 20, 5, MORE),
        (5, [FINE, wide(0.05, 5)], 60, 20, 8, MORE),  # as precise as asked, and three further
        (8, [FINE, wide(0.03, 8)], 60, 20, 8, ENOUGH),
        (3, [wide(5.0)], 60, 20, 6, MORE),  # never more than twice what was seen
        (5, [FINE._replace(lost=1)], 60, 20, 6, MORE),  # a disturbed block is replaced
        (6, [FINE._replace(run=6, lost=1)], 60, 20, 6, ENOUGH),
        (3, [wide(5.0, 3, 3, 1)], 60, 20, 6, MORE),  # nor where a disturbed one that had to be used is replaced
        (8, [wide(5.0, 8)], 60, 20, 12, MORE),
        (12, [wide(5.0, 12)], 60, 20, 12, BLOCKS),
        (12, [wide(5.0, 8, 12, 4)], 60, 20, 12, BLOCKS),
        (3, [wide(5.0)], 450, 150, 4, MORE),  # 150 s are left, and a further block takes as many
        (3, [wide(5.0)], 450, 50, 6, MORE),  # one that holds a third of the variants takes less
        (4, [wide(5.0, 4)], 600, 150, 4, MINUTES),
        (3, [wide(5.0)], 3600, 1200, 3, MINUTES),  # the least are measured in any case
        # A claim that stopped after five blocks asks for none, whatever has been measured for others since.
        (8, [FINE, wide(0.03, 8)], 60, 20, 8, ENOUGH),
        (8, [FINE, wide(0.05, 8)], 60, 20, 11, MORE),
        # No interval yet: what was lost is measured again.
        (3, [wide(None, 1, 3, 2)], 60, 20, 5, MORE),
        (3, [wide(None, 0, 3, 3)], 60, 20, 6, MORE),
    ],
)
def test_truth_table(measured, widths, seconds, each_s, blocks, why):
    assert next_look(RULE, measured, widths, seconds, each_s) == (blocks, why)


def test_no_limit_of_minutes():
    assert next_look(BlockRule(least=2, most=9), 3, [wide(5.0)], 1e6, 1e6).blocks == 6


def test_as_many_blocks_as_the_spread_seen_needs_and_three_further():
    """With s = 0.06 on the log scale, t(0.975, n - 1) s / sqrt(n) <= log(1.05) first holds at n = 9."""
    half = [student.ppf(0.975, n - 1) * 0.06 / math.sqrt(n) for n in (7, 8, 9)]
    assert half[1] > math.log(1.05) >= half[2]
    assert next_look(RULE, 7, [Width(math.expm1(half[0]), 0.05, 7, 7)], 60, 9).blocks == 12
