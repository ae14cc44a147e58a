"""``value``: metrics of one variant against known values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from pydantic import Field

from tf_claims.estimands.kind import Asked, Chosen, Finding, Interval, Kind, Quantity
from tf_claims.model.estimand import Column, Facts, VerdictWord
from tf_claims.model.files import Strict
from tf_claims.model.reason import Reason, because
from tf_claims.model.selectors import Selector
from tf_claims.statistics.intervals import mean_over_blocks


class Tolerance(Strict):
    """A known value and the largest deviation from it."""

    equals: float
    within: float = Field(gt=0)


class ValueFacts(Facts):
    """The metric that is farthest off, for its tolerance: its name and what was expected of it."""

    shown: str
    expected: float
    within: float


class Value(Kind):
    """Metrics of one variant against known values."""

    kind: ClassVar[str] = "value"
    facts: ClassVar[type[Facts]] = ValueFacts

    of: Selector
    metrics: dict[str, Tolerance] = Field(min_length=1)

    @property
    def positive(self) -> bool:
        """A known value may be 0."""
        return False

    @property
    def metrics_used(self) -> list[str]:
        """Those that have a known value."""
        return list(self.metrics)

    @property
    def on_log_scale(self) -> bool:
        """A known value may be 0."""
        return False

    def zone(self, published: float | None, facts: Facts | None) -> Interval | None:
        """What the metric that is shown may be."""
        return (facts.expected - facts.within, facts.expected + facts.within) if isinstance(facts, ValueFacts) else None

    @property
    def described(self) -> Reason:
        """What stands in the columns."""
        return because("evidence.recorded")

    def columns(self, chosen: Sequence[Chosen], place: str) -> list[Column]:
        """The metrics of its one variant."""
        return [Column(chosen[0].name, metric) for metric in self.metrics]

    def headings(self, chosen: Sequence[Chosen]) -> list[str]:
        """The metrics."""
        return list(self.metrics)

    def find(self, asked: Asked) -> Finding:
        """Each block against the tolerance; the means over blocks are told."""
        means = [mean_over_blocks(column, strata=asked.strata) for column in asked.values.T]
        known = [(each.equals, asked.leeway * each.within) for each in self.metrics.values()]
        off = [np.abs(column - equals) / within for column, (equals, within) in zip(asked.values.T, known, strict=True)]
        worst = int(np.argmax([np.max(each) for each in off]))
        said = [
            because("value", metric=name, value=mean.value or 0.0, expected=equals, within=within)
            for name, mean, (equals, within) in zip(self.metrics, means, known, strict=True)
        ]
        missed = int(np.sum(np.max(off, axis=0) > 1))
        if 0 < missed < len(asked.values):
            said.append(because("value.missed", missed=missed, blocks=len(asked.values)))
        method = "mean over blocks, Student interval"
        return Finding(
            judge(len(asked.values), missed),
            said,
            means[worst],
            [Quantity(name, mean, method) for name, mean in zip(self.metrics, means, strict=True)],
            ValueFacts(shown=list(self.metrics)[worst], expected=known[worst][0], within=known[worst][1]),
        )


def judge(blocks: int, missed: int) -> VerdictWord:
    """A known value holds where each of at least two ``blocks`` has it; ``missed`` of them have not."""
    if blocks < 2:
        return "inconclusive"
    return "contradicted" if missed else "reproduced"
