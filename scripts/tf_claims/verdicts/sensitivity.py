"""Whether a word hangs on one choice: the same claim judged with other blocks, another average and other margins.

Choices that were fixed beforehand could have been others. Where nearly all of these lead to the same word, it is robust
(Steegen et al., "Increasing transparency through a multiverse analysis", Perspect. Psychol. Sci. 11, 2016).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf_claims.cells.cell import Blocks, Cell
from tf_claims.estimands.kind import Asked, Kind
from tf_claims.model.estimand import Column, VerdictWord
from tf_claims.model.files import Strict
from tf_claims.statistics.intervals import median_over_blocks
from tf_claims.verdicts.several_states import find

NARROWER, WIDER = 0.8, 1.25  # what the half-width of a band, a margin or a tolerance is multiplied by
ROBUST = 0.9  # of the other ways to judge that must agree


class Sensitivity(Strict):
    """The word that each other way to judge gives; ``one_dropped`` by the number of the block that is left out."""

    good_blocks: VerdictWord
    all_blocks: VerdictWord
    one_dropped: dict[int, VerdictWord]
    medians: VerdictWord
    narrower: VerdictWord
    wider: VerdictWord

    @property
    def words(self) -> list[VerdictWord]:
        """All of them."""
        others = [self.good_blocks, self.all_blocks, self.medians, self.narrower, self.wider]
        return [*others, *self.one_dropped.values()]

    def agreeing(self, word: VerdictWord) -> int:
        """How many give this word."""
        return self.words.count(word)

    def robust(self, word: VerdictWord) -> bool:
        """Whether nearly all do."""
        return self.agreeing(word) >= ROBUST * len(self.words)


def sensitivity(kind: Kind, asked: Asked, cell: Cell, columns: Sequence[Column], blocks: Blocks) -> Sensitivity:
    """The words beside the one that ``asked`` leads to.

    :param columns: of ``cell``, which gave the ``blocks`` that ``asked`` is about
    """

    def word(of: Blocks = blocks, **changed: Any) -> VerdictWord:
        other = asked._replace(values=of.values, strata=of.strata, bounded=of.bounded, **changed)
        return find(kind, other, cell, columns, of.used)[0].verdict if other.enough else "inconclusive"

    good, every = (cell.complete(columns, kind.positive, kind.bounds, which) for which in ("good", "all"))
    return Sensitivity(
        good_blocks=word(good),
        all_blocks=word(every),
        one_dropped={number: word(blocks.without(number)) for number in blocks.used},
        medians=word(average=median_over_blocks),
        narrower=word(leeway=NARROWER),
        wider=word(leeway=WIDER),
    )
