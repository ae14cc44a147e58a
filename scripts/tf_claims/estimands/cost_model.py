"""``cost_model``: what a repetition costs as the problem grows, for two programs: a fixed part, a crossing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from tf_claims.estimands.kind import Asked, Chosen, Finding, Interval, Kind, Quantity, names, relative_half_width, side
from tf_claims.estimands.kind import with_interval as ends
from tf_claims.model.estimand import Facts, Offer, Pick, VerdictWord
from tf_claims.model.reason import Reason, because
from tf_claims.model.selectors import Selector
from tf_claims.statistics.cost_model import FEWEST_SIZES, Comparison, compare
from tf_claims.statistics.intervals import Estimate, Floats, Strata
from tf_claims.statistics.p_values import above, below, two_sided

POOR_FIT = 0.25  # lines that miss a typical time by more decide nothing, see judge


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
    """time = ``per`` x (a + b x ``size``) for each of two sets of variants.

    It claims either that what is fixed dominates the first one's cost at a size, or that beyond some size the first one
    is cheaper than the second.
    """

    kind: ClassVar[str] = "cost_model"
    facts: ClassVar[type[Facts]] = CostFacts
    comparable: ClassVar[tuple[str, ...]] = ("a ratio", "b ratio", "a ratio / b ratio")

    metric: str
    of: Selector
    to: Selector
    size: str = Field(description="the factor that is the size of the problem, e.g. n")
    per: str = Field(description="the size that counts repetitions, e.g. iterations")
    about: Literal["fixed", "crossing"] = Field(description="what is claimed")
    at: float | None = Field(default=None, gt=0, description="the size at which a fixed cost is claimed to dominate")

    @model_validator(mode="after")
    def _a_fixed_cost_dominates_somewhere(self) -> CostModel:
        if (self.about == "fixed") != (self.at is not None):
            raise ValueError("at: belongs to a claim about: fixed, which needs it")
        return self

    @property
    def rule(self) -> str:
        """Each of the two has a rule of its own."""
        return f"cost_model.{self.about}"

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

    def zone(self, published: float | None, facts: Facts | None) -> Interval | None:
        """The sizes at which half of the cost may still be fixed, where that is claimed."""
        return None if self.at is None else (self.at, math.inf)

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
        found = compare(sizes, of_times, to_times, asked.strata, asked.average)
        method = "fit of a + b*size by relative error in each block, geometric mean over blocks, Student interval"
        quantities = {
            f"a of {of} (s)": found.of_fixed,
            f"b of {of} (s per {self.size})": found.of_per_point,
            f"a of {to} (s)": found.to_fixed,
            f"b of {to} (s per {self.size})": found.to_per_point,
            "a ratio": found.fixed_ratio,
            "b ratio": found.per_point_ratio,
            "a ratio / b ratio": found.fall,
            f"a / b of {of} ({self.size})": found.half,
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
        if self.at is not None:
            decides, by_block, limit, above_it = found.half, found.halves, self.at, True
        else:
            decides, by_block, limit, above_it = found.per_point_ratio, found.per_point_ratios, 1.0, False
        word = judge(decides.interval, limit, above_it, found.misfit)
        return Finding(
            word,
            list(self._said(found, facts, decides, word, len(asked.values))),
            found.half if self.at is not None else found.crossover,
            [Quantity(name, each, method) for name, each in quantities.items()],
            facts,
            relative_half_width(decides),
            p_value=p_value(word, by_block, limit, above_it, found.misfit, asked.strata),
        )

    def _said(
        self, found: Comparison, facts: CostFacts, decides: Estimate, word: VerdictWord, blocks: int
    ) -> Iterator[Reason]:
        if decides.value is None:
            yield because("cost_model.no_fit", size=self.size, blocks=blocks)
            return
        if self.at is not None:
            yield because(
                "cost_model.half", of=facts.of, size=self.size, half=decides.value, at=self.at, **ends(decides)
            )
        else:
            yield because(
                "cost_model.per_point",
                of=facts.of,
                to=facts.to,
                size=self.size,
                per_point=decides.value,
                **ends(decides),
            )
            yield from self._crossing(found, facts, blocks)
        if facts.misfit > POOR_FIT:
            yield because("cost_model.poor_fit", misfit=facts.misfit, most=POOR_FIT)
        else:
            key = "cost_model.misfit.open" if word == "inconclusive" else "cost_model.misfit"
            yield because(key, misfit=facts.misfit)

    def _crossing(self, found: Comparison, facts: CostFacts, blocks: int) -> Iterator[Reason]:
        crossover = found.crossover
        if crossover is None or crossover.value is None:
            yield because("cost_model.cross_in_some", crossing=facts.crossing, blocks=blocks)
            return
        beyond = not min(facts.sizes) <= crossover.value <= max(facts.sizes)
        key = "cost_model.equal_beyond" if beyond else "cost_model.equal"
        yield because(key, size=self.size, at=crossover.value, **ends(crossover))


def judge(found: Interval | None, limit: float, above_it: bool, misfit: float) -> VerdictWord:
    """Whether a size or a ratio that the lines give lies beyond a ``limit``, on the side that the claim names.

    A fixed cost dominates where half of the cost is still fixed ``above`` the claimed size; beyond some size a program
    is cheaper where its cost per point is below the other's.

    The lines are a model, and ``misfit`` says by how much they miss a typical time. An F test of the lack of fit
    against the spread of the blocks (Draper & Smith, Applied Regression Analysis, 3rd ed. 1998, section 2.1) would ask
    whether they are exactly right: on a quiet machine it rejects lines that miss by 2 %, on a loud one it accepts any.
    The question here is whether the miss could turn the word. So the interval is widened by it, and lines that miss by
    more than a quarter are not believed at all: two such lines leave a ratio open by 1.25² = 1.6, and a bend of that
    size says that beyond the sizes measured the cost is another one.
    """
    if found is None or misfit > POOR_FIT:
        return "inconclusive"
    where = side((found[0] / (1 + misfit), found[1] * (1 + misfit)), limit) * (1 if above_it else -1)
    return {1: "reproduced", -1: "contradicted", 0: "inconclusive"}[where]  # type: ignore[return-value]


def p_value(
    word: VerdictWord, found: Floats, limit: float, above_it: bool, misfit: float, strata: Strata = None
) -> float | None:
    """Of the test that the ``word`` is: at most 0.05 where the widened interval says it.

    :param found: the size or the ratio, in each block
    """
    if word == "inconclusive":
        return None
    if above_it == (word == "reproduced"):
        return two_sided(above(np.log(found), np.log(limit * (1 + misfit)), strata))
    return two_sided(below(np.log(found), np.log(limit / (1 + misfit)), strata))
