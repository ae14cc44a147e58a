"""``attribution``: how much of an effect each of several causes explains, in the full factorial experiment."""

from __future__ import annotations

import math
from typing import ClassVar

from pydantic import Field, model_validator

from tf_claims.estimands.kind import Asked, Finding, Interval, Kind, Quantity, half_width, side
from tf_claims.estimands.kind import with_interval as ends
from tf_claims.model.estimand import Facts, Offer, Pick, VerdictWord
from tf_claims.model.reason import Reason, because
from tf_claims.model.selectors import Level, Selector
from tf_claims.statistics.attribution import attribute, corners


class AttributionFacts(Facts):
    """The whole effect and its parts: ``effects`` are factors whose product is ``total``, ``shares`` add up to 1.

    ``interactions`` are factors, too, by the names of their causes with `` x `` between them.
    """

    total: float | None
    effects: dict[str, float | None]
    shares: dict[str, float | None]
    interactions: dict[str, float | None]


class Attribution(Kind):
    """How much of the effect on ``metric`` each of the ``factors`` (two levels each) explains.

    The named ``cause`` is judged: its share of the effect must exceed ``at_least``.
    """

    kind: ClassVar[str] = "attribution"
    facts: ClassVar[type[Facts]] = AttributionFacts
    comparable: ClassVar[tuple[str, ...]] = ("after / before",)

    metric: str
    where: Selector = {}
    factors: dict[str, tuple[Level, Level]] = Field(min_length=1, description="factor: [before, after]")
    cause: str
    at_least: float = 0.5

    @model_validator(mode="after")
    def _cause_is_a_factor(self) -> Attribution:
        if self.cause not in self.factors:
            raise ValueError(f"cause {self.cause!r} is none of the factors {', '.join(self.factors)}")
        return self

    @property
    def selectors(self) -> dict[str, Selector]:
        """What is held, and what is changed."""
        return {"where": self.where, "factors": {factor: list(levels) for factor, levels in self.factors.items()}}

    @property
    def on_log_scale(self) -> bool:
        """Its estimate is a share."""
        return False

    def zone(self, published: float | None, facts: Facts | None) -> Interval:
        """The shares at which the cause is one."""
        return self.at_least, math.inf

    def picks(self, offer: Offer) -> list[Pick] | Reason:
        """Every corner of the factorial."""
        ends_of = list(self.factors.items())
        return [
            Pick(
                "factors",
                self.where | {factor: ends[after] for (factor, ends), after in zip(ends_of, corner, strict=True)},
            )
            for corner in corners(len(ends_of))
        ]

    def find(self, asked: Asked) -> Finding:
        """The decomposition of the effect, block by block."""
        factors = list(self.factors)
        found = attribute(asked.values, len(factors), asked.strata)
        shares = dict(zip(factors, found.shares, strict=True))
        effects = dict(zip(factors, found.effects, strict=True))
        interactions = {" x ".join(factors[each] for each in chosen): e for chosen, e in found.interactions.items()}
        quantities = [
            Quantity("after / before", found.total, "geometric mean of ratios within blocks, Student interval")
        ]
        for factor in factors:
            method = "mean over blocks of its part of log(after / before)"
            quantities.append(Quantity(f"share of {factor}", shares[factor], method))
            method = "factor of after / before, averaged over the orders"
            quantities.append(Quantity(f"effect of {factor}", effects[factor], method))
        for combined, each in interactions.items():
            method = "contrast of the factorial, as a factor"
            quantities.append(Quantity(f"interaction {combined}", each, method))
        facts = AttributionFacts(
            total=found.total.value,
            effects={factor: each.value for factor, each in effects.items()},
            shares={factor: each.value for factor, each in shares.items()},
            interactions={combined: each.value for combined, each in interactions.items()},
        )
        share = shares[self.cause]
        if share.value is None or found.total.value is None:
            return Finding("inconclusive", [because("attribution.no_change")], None, quantities, facts)
        parts: list[str | Reason] = [
            because("attribution.part", factor=factor, share=each.value or 0.0) for factor, each in shares.items()
        ]
        said = [
            because(
                "attribution.change", metric=self.metric, total=found.total.value, parts=parts, **ends(found.total)
            ),
            because("attribution.share", cause=self.cause, share=share.value, at_least=self.at_least, **ends(share)),
        ]
        word = judge(found.total.interval, share.interval, self.at_least)
        return Finding(word, said, share, quantities, facts, half_width(share))


def judge(total: Interval | None, share: Interval | None, at_least: float) -> VerdictWord:
    """Whether one cause's ``share`` of an effect exceeds ``at_least``; without an effect there is nothing to share."""
    if total is None or share is None or side(total, 1.0) == 0:
        return "inconclusive"
    return {1: "reproduced", -1: "contradicted", 0: "inconclusive"}[side(share, at_least)]  # type: ignore[return-value]
