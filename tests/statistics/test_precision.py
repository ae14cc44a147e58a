"""When measuring stops: the truth table of the rule."""

import math

import pytest
from scipy.stats import t as student

from tf_claims.model.preset import BlockRule
from tf_claims.model.reason import because
from tf_claims.statistics.precision import Width, next_look

RULE = BlockRule(least=3, most=12, minutes=10)
FINE = Width(half_width=0.001, asked=0.05, blocks=5)  # two blocks would do, and three further ones
ENOUGH = because("stopped.precise")
NO_INTERVAL = because("stopped.no_interval")
MORE = None
BLOCKS = because("stopped.blocks", blocks=12)
MINUTES = because("stopped.minutes", minutes=10.0)


def wide(half_width: float, blocks: int = 3) -> Width:
    return Width(half_width, 0.05, blocks)


@pytest.mark.parametrize(
    ("measured", "disturbed", "widths", "seconds", "blocks", "why"),
    [
        (5, 0, [FINE], 60, 5, ENOUGH),
        (3, 0, [], 60, 3, NO_INTERVAL),
        (3, 0, [wide(0.0)], 60, 3, ENOUGH),  # the same in every block
        (3, 0, [wide(0.001)], 60, 5, MORE),
        (5, 0, [FINE, wide(0.05, 5)], 60, 8, MORE),  # as precise as asked, and three further
        (8, 0, [FINE, wide(0.03, 8)], 60, 8, ENOUGH),
        (3, 0, [wide(5.0)], 60, 6, MORE),  # never more than twice what was seen
        (5, 1, [FINE], 60, 6, MORE),  # a disturbed block is replaced
        (6, 1, [FINE], 60, 6, ENOUGH),
        (3, 1, [wide(5.0)], 60, 6, MORE),  # nor where a disturbed one that had to be used is replaced
        (8, 0, [wide(5.0, 8)], 60, 12, MORE),
        (12, 0, [wide(5.0, 12)], 60, 12, BLOCKS),
        (12, 4, [wide(5.0, 8)], 60, 12, BLOCKS),
        (3, 0, [wide(5.0)], 450, 4, MORE),  # 150 s a block: four fit into ten minutes
        (4, 0, [wide(5.0, 4)], 600, 4, MINUTES),
        (3, 0, [wide(5.0)], 3600, 3, MINUTES),  # the least are measured in any case
    ],
)
def test_truth_table(measured, disturbed, widths, seconds, blocks, why):
    assert next_look(RULE, measured, disturbed, widths, seconds) == (blocks, why)


def test_no_limit_of_minutes():
    assert next_look(BlockRule(least=2, most=9), 3, 0, [wide(5.0)], 1e6).blocks == 6


def test_as_many_blocks_as_the_spread_seen_needs_and_three_further():
    """With s = 0.06 on the log scale, t(0.975, n - 1) s / sqrt(n) <= log(1.05) first holds at n = 9."""
    half = [student.ppf(0.975, n - 1) * 0.06 / math.sqrt(n) for n in (7, 8, 9)]
    assert half[1] > math.log(1.05) >= half[2]
    assert next_look(RULE, 7, 0, [Width(math.expm1(half[0]), 0.05, 7)], 60).blocks == 12
