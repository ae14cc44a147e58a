"""``attribution``: what each of several factors does to a change, in the full factorial; is one the cause?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field, model_validator

from tf_claims.estimands.kind import Asked, Finding, Interval, Kind, Quantity, half_width, side
from tf_claims.estimands.kind import with_interval as ends
from tf_claims.model.estimand import Facts, Offer, Pick, Size, VerdictWord
from tf_claims.model.reason import Reason, because
from tf_claims.model.selectors import Level, Selector
from tf_claims.statistics.attribution import attribute, corners
from tf_claims.statistics.intervals import Estimate, Floats, Strata
from tf_claims.statistics.p_values import above, below, two_sided

MOST = 2 / 3  # of all that the factors do: the weight above which a factor is the cause
SMALL = 1 / 3  # the weight below which it is not


class AttributionFacts(Facts):
    """The whole change and its parts: ``effects`` and ``interactions`` are factors, the effects multiply to ``total``.

    An interaction is named by its factors with `` x `` between them. ``weights`` are the parts of all that the factors
    do, in the direction of the whole. ``shares`` of the whole add up to 1; there are none where they would mislead.
    """

    total: float
    effects: dict[str, float]
    interactions: dict[str, float]
    weights: dict[str, float]
    shares: dict[str, float]


class Attribution(Kind):
    """What each of the ``factors`` (two levels each) does to ``metric``; the named ``cause`` is judged."""

    kind: ClassVar[str] = "attribution"
    facts: ClassVar[type[Facts]] = AttributionFacts
    comparable: ClassVar[tuple[str, ...]] = ("after / before",)

    metric: str
    where: Selector = {}
    factors: dict[str, tuple[Level, Level]] = Field(min_length=2, description="factor: [before, after]")
    cause: str

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
    def no_difference(self) -> float:
        """A factor of 1."""
        return 1.0

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
        """The effects and interactions, block by block, and the weight of the cause, which decides."""
        factors = list(self.factors)
        found = attribute(asked.values, len(factors), asked.strata, asked.average)
        effects, weights = (dict(zip(factors, each, strict=True)) for each in (found.effects, found.weights))
        interactions = {" x ".join(factors[each] for each in chosen): e for chosen, e in found.interactions.items()}
        weight = weights[self.cause]
        word, size = judge(found.total.interval, weight.interval, asked.leeway)
        shares = dict(zip(factors, found.shares, strict=True)) if found.shares else {}
        facts = AttributionFacts(
            total=_value(found.total),
            effects={factor: _value(each) for factor, each in effects.items()},
            interactions={combined: _value(each) for combined, each in interactions.items()},
            weights={factor: _value(each) for factor, each in weights.items()},
            shares=shares,
        )
        parts: list[str | Reason] = [_times(factor, each) for factor, each in effects.items()]
        combined: list[str | Reason] = [_times(name, each) for name, each in interactions.items()]
        said = [
            because("attribution.change", metric=self.metric, total=facts.total, parts=parts, **ends(found.total)),
            because("attribution.interactions", parts=combined),
            because("attribution.weight", cause=self.cause, weight=_value(weight), **ends(weight)),
        ]
        if found.total.interval is None or side(found.total.interval, 1.0) == 0:
            said.append(because("attribution.no_change"))
        return Finding(
            word,
            said,
            effects[self.cause],
            [
                Quantity("after / before", found.total, "geometric mean of ratios within blocks, Student interval"),
                *(Quantity(f"effect of {each}", effects[each], _AVERAGED) for each in factors),
                *(Quantity(f"weight of {each}", weights[each], _WEIGHED) for each in factors),
                *(Quantity(f"interaction {name}", each, _CONTRAST) for name, each in interactions.items()),
            ],
            facts,
            half_width(weight),
            p_value=p_value(word, found.weights_by_block[factors.index(self.cause)], asked.strata),
            size=size,
        )

    def spoken(self, facts: Facts | None) -> dict[str, object]:
        """Every effect, with its share of the change where shares can be given, and the whole."""
        if not isinstance(facts, AttributionFacts):
            return {}
        told: list[str | Reason] = [_effect(factor, each, facts.shares) for factor, each in facts.effects.items()]
        return {"effects": told, "total": _factor(facts.total)}


_AVERAGED = "factor of after / before, averaged over the orders of change (Shapley)"
_WEIGHED = "mean over blocks of its part of all that the factors do, in the direction of the whole"
_CONTRAST = "contrast of the factorial, as a factor"


def _value(estimate: Estimate) -> float:
    assert estimate.value is not None
    return estimate.value


def _times(name: str, estimate: Estimate) -> Reason:
    return because("attribution.times", name=name, times=_value(estimate), **ends(estimate))


def _factor(times: float) -> Reason:
    """Above 1 it multiplies, below it divides: ``× 10``, ``÷ 9``."""
    if times < 1:
        return because("attribution.divided", by=1 / times)
    return because("attribution.multiplied", by=times)


def _effect(factor: str, times: float, shares: Mapping[str, float]) -> Reason:
    if factor in shares:
        return because("attribution.effect.share", factor=factor, by=_factor(times), share=shares[factor])
    return because("attribution.effect", factor=factor, by=_factor(times))


def judge(total: Interval | None, weight: Interval | None, leeway: float = 1.0) -> tuple[VerdictWord, Size]:
    """Whether one factor is the cause of the ``total`` change, from its ``weight`` among all that the factors do.

    The cause does two thirds at least, in the direction of the change; what does less than a third, or works against
    it, is not the cause; in between it is one cause among others. An opposing factor takes weight, and what two factors
    do only together is halved between them, so that neither makes a cause by itself. Where no change is shown there is
    nothing to have a cause.
    """
    if total is None or weight is None or side(total, 1.0) == 0:
        return "inconclusive", "undecided"
    most = 1 - leeway * (1 - MOST)  # more leeway leaves more to the other causes
    if side(weight, most) > 0:
        return "reproduced", "inside"
    if side(weight, SMALL) < 0:
        return "contradicted", "outside"
    size: Size = "outside" if side(weight, most) < 0 else "undecided"
    return ("direction only" if side(weight, SMALL) > 0 else "inconclusive"), size


def p_value(word: VerdictWord, weights: Floats, strata: Strata = None) -> float | None:
    """Of the test that the ``word`` is: at most 0.05 where the 95 % interval says it.

    :param weights: of the cause, in each block
    """
    if word == "inconclusive":
        return None
    if word == "contradicted":
        return two_sided(below(weights, SMALL, strata))
    return two_sided(above(weights, MOST if word == "reproduced" else SMALL, strata))
