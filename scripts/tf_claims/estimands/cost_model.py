"""``cost_model``: what a repetition costs as the problem grows, for two programs, and where their lines cross."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np
from pydantic import Field

from tf_claims.estimands.kind import Asked, Chosen, Finding, Interval, Kind, Quantity, names, relative_half_width, side
from tf_claims.estimands.kind import with_interval as ends
from tf_claims.model.estimand import Facts, Offer, Pick, VerdictWord
from tf_claims.model.reason import Reason, because
from tf_claims.model.selectors import Selector
from tf_claims.statistics.cost_model import FEWEST_SIZES, Comparison, compare

POOR_FIT = 0.25  # a cost model that misses typical times by more says so


class CostFacts(Facts):
    """Both lines: a and b of a + b·size (seconds, seconds per point; None where not defined in every block).

    ``misfit`` is the largest factor, less 1, by which a typical time is missed; the lines cross in ``crossing`` blocks.
    """

    of: str
    to: str
    sizes: list[float]
    of_fixed: float | None
    of_per_point: float | None
    to_fixed: float | None
    to_per_point: float | None
    misfit: float
    crossing: int


class CostModel(Kind):
    """time = ``per`` x (a + b x ``size``) for each of two sets of variants, and where the two lines cross."""

    kind: ClassVar[str] = "cost_model"
    facts: ClassVar[type[Facts]] = CostFacts
    comparable: ClassVar[tuple[str, ...]] = ("a ratio", "b ratio", "a ratio / b ratio")

    metric: str
    of: Selector
    to: Selector
    size: str = Field(description="the factor that is the size of the problem, e.g. n")
    per: str = Field(description="the size that counts repetitions, e.g. iterations")

    @property
    def sizes_used(self) -> dict[str, str]:
        """The size that counts repetitions."""
        return {"per": self.per}

    @property
    def selectors(self) -> dict[str, Selector]:
        """Both sides, and the factor that is the size."""
        return super().selectors | {"size": {self.size: []}}

    @property
    def described(self) -> Reason:
        """What stands in the columns."""
        return because("evidence.metric_per", metric=self.metric, size=self.per)

    def picks(self, offer: Offer) -> list[Pick] | Reason:
        """Those of one side, then those of the other, by size."""
        sides = {"of": self.of, "to": self.to}
        levels = offer.levels(self.size)
        sizes = [
            level
            for level in levels
            if all(offer.why_excluded(side | {self.size: level}) is None for side in sides.values())
        ]
        if 0 < len(sizes) < FEWEST_SIZES:
            return because("fewer_sizes", fewest=FEWEST_SIZES)
        # Where no size is left, those excluded tell why.
        return [Pick(field, side | {self.size: level}) for field, side in sides.items() for level in sizes or levels]

    def scaled(self, offered: Offer, published: Offer) -> Iterator[Reason]:
        """Sizes of the problem that are left out."""
        run, wanted = (
            [level for level in offer.levels(self.size) if offer.why_excluded(self.of | {self.size: level}) is None]
            for offer in (offered, published)
        )
        if len(run) < len(wanted):
            yield because("scaled.levels", name=self.size, run=len(run), published=len(wanted))

    def factor(self, chosen: Chosen, place: str) -> float:
        """To the time of one repetition."""
        return 1 / chosen.size(self.per, f"{place}.per")

    def find(self, asked: Asked) -> Finding:
        """The fits of both sides in each block, and how they relate."""
        of, to = names(asked.chosen[0], asked.chosen[len(asked.chosen) // 2])
        sizes = np.array([each.levels[self.size] for each in asked.chosen[: len(asked.chosen) // 2]], float)
        of_times, to_times = np.hsplit(asked.values, 2)
        found = compare(sizes, of_times, to_times, asked.strata)
        method = "fit of a + b*size by relative error in each block, geometric mean over blocks, Student interval"
        quantities = {
            f"a of {of} (s)": found.of_fixed,
            f"b of {of} (s per {self.size})": found.of_per_point,
            f"a of {to} (s)": found.to_fixed,
            f"b of {to} (s per {self.size})": found.to_per_point,
            "a ratio": found.fixed_ratio,
            "b ratio": found.per_point_ratio,
            "a ratio / b ratio": found.fall,
            **({} if found.crossover is None else {f"crossover ({self.size})": found.crossover}),
        }
        facts = CostFacts(
            of=of,
            to=to,
            sizes=sizes.tolist(),
            of_fixed=found.of_fixed.value,
            of_per_point=found.of_per_point.value,
            to_fixed=found.to_fixed.value,
            to_per_point=found.to_per_point.value,
            misfit=found.misfit,
            crossing=found.crossing,
        )
        return Finding(
            judge(found.fixed_ratio.interval, found.fall.interval, found.per_point_ratio.interval),
            list(self._said(found, facts, len(asked.values))),
            found.crossover,
            [Quantity(name, each, method) for name, each in quantities.items()],
            facts,
            relative_half_width(found.fixed_ratio),
        )

    def _said(self, found: Comparison, facts: CostFacts, blocks: int) -> Iterator[Reason]:
        fixed, per_point, fall = found.fixed_ratio, found.per_point_ratio, found.fall
        if fixed.value is None or per_point.value is None or fall.value is None:
            yield because("cost_model.no_fit", size=self.size, blocks=blocks)
            return
        yield because(
            "cost_model.fixed",
            of=facts.of,
            to=facts.to,
            per=self.per.removesuffix("s"),
            fixed=fixed.value,
            **ends(fixed),
        )
        yield because("cost_model.per_point", size=self.size, per_point=per_point.value, **ends(per_point))
        yield because(
            "cost_model.falls" if fall.value > 1 else "cost_model.rises",
            size=self.size,
            factor=max(fall.value, 1 / fall.value),
        )
        if facts.misfit > POOR_FIT:
            yield because("cost_model.poor_fit", misfit=facts.misfit)
        crossover = found.crossover
        if crossover is None or crossover.value is None:
            yield because("cost_model.cross_in_some", crossing=facts.crossing, blocks=blocks)
            return
        beyond = not min(facts.sizes) <= crossover.value <= max(facts.sizes)
        key = "cost_model.equal_beyond" if beyond else "cost_model.equal"
        yield because(key, size=self.size, at=crossover.value, **ends(crossover))


def judge(fixed_ratio: Interval | None, fall: Interval | None, per_point_ratio: Interval | None) -> VerdictWord:
    """That a fixed cost dominates (``fixed_ratio`` > 1), the ratio ``fall``s with size, and the lines cross (< 1)."""
    if fixed_ratio is None or fall is None or per_point_ratio is None:
        return "inconclusive"
    if side(fixed_ratio, 1.0) < 0 or side(fall, 1.0) < 0:
        return "contradicted"
    if side(fixed_ratio, 1.0) == 0 or side(fall, 1.0) == 0:
        return "inconclusive"
    return "reproduced" if side(per_point_ratio, 1.0) < 0 else "direction only"
