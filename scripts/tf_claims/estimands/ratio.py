"""``ratio``: how many times as much one variant takes as another, beside the published ratio."""

from __future__ import annotations

import math
from typing import ClassVar, Literal, NamedTuple

from pydantic import Field

from tf_claims.estimands.kind import Asked, Chosen, Finding, Interval, Kind, Quantity, names, relative_half_width, side
from tf_claims.estimands.kind import with_interval as ends
from tf_claims.model.estimand import Facts, Side, Size, VerdictWord
from tf_claims.model.reason import Reason, because
from tf_claims.model.selectors import Selector
from tf_claims.statistics.intervals import Estimate, Floats, Strata
from tf_claims.statistics.p_values import above, below, inside, two_sided
from tf_claims.statistics.ratio import effect_share, ratio, shares

SMALL = 1 / 3  # a share of the published effect below which a claim of its size is refuted
WIDEST = math.log(2)  # on the log scale: whatever was published, a factor of two away is another size


class RatioFacts(Facts):
    """The ratios that count as the published one; None where only a side is claimed."""

    band_low: float | None
    band_high: float | None


class Ratio(Kind):
    """``of`` over ``to``: geometric mean of the ratios inside blocks."""

    kind: ClassVar[str] = "ratio"
    facts: ClassVar[type[Facts]] = RatioFacts
    needs_published_value: ClassVar[bool] = True
    comparable: ClassVar[tuple[str, ...]] = ("ratio",)
    published_ratio: ClassVar[bool] = True
    bounds: ClassVar[bool] = True

    metric: str
    of: Selector
    to: Selector
    only_side: bool = Field(
        default=False, description="the published size cannot be compared (its note says why): a side is claimed"
    )
    at_paper_size: str | None = Field(
        default=None, description="a size in proportion to which the metric is scaled to the published size"
    )

    @property
    def rule(self) -> str:
        """A claim of a side alone has a rule of its own."""
        return "ratio.side" if self.only_side else "ratio"

    @property
    def together(self) -> Literal["", "ratio", "difference"]:
        """What the two columns of a block come to."""
        return "ratio"

    @property
    def sizes_used(self) -> dict[str, str]:
        """The size that the metric is scaled by."""
        return {} if self.at_paper_size is None else {"at_paper_size": self.at_paper_size}

    @property
    def described(self) -> Reason:
        """What stands in the columns."""
        if self.at_paper_size is None:
            return super().described
        return because("evidence.metric_at_paper_size", metric=self.metric, size=self.at_paper_size)

    def factor(self, chosen: Chosen, place: str) -> float:
        """To the published size, where the claim asks for that."""
        return 1.0 if self.at_paper_size is None else chosen.paper_factor(self.at_paper_size, place)

    @property
    def no_difference(self) -> float:
        """A ratio of 1."""
        return 1.0

    def zone(self, published: float | None, facts: Facts | None) -> Interval | None:
        """The ratios that count as the published one, or, of a side alone, those on its side."""
        if published is None:
            return None
        if self.only_side:
            return (1.0, math.inf) if published > 1 else (0.0, 1.0)
        return band_ends(published)

    def find(self, asked: Asked) -> Finding:
        """Student's interval of the geometric mean, and the share of the published effect that it is.

        Where a process was stopped, the ratio is a bound: the interval has no end on the side to which it is open.
        """
        published = asked.published
        assert published is not None
        of_values, to_values = asked.values.T
        at_least, at_most = asked.bounded or (False, False)
        found = opened(ratio(of_values, to_values, strata=asked.strata, average=asked.average), at_most, at_least)
        ends_of_share = (at_least, at_most) if published < 1 else (at_most, at_least)
        share = opened(effect_share(of_values, to_values, published, asked.strata, asked.average), *ends_of_share)
        assert found.value is not None and share.value is not None
        ruling = judge_side(share.interval) if self.only_side else judge(share.interval, published, asked.leeway)
        of, to = names(*asked.chosen)
        times = because("times", metric=self.metric, of=of, to=to, times=found.value)
        stopped = at_least or at_most
        if stopped:
            bound = "both" if at_least and at_most else "at_least" if at_least else "at_most"
            end = {name: each for name, each in ends(found).items() if math.isfinite(each)}
            said = [because(f"ratio.stopped.{bound}", measured=times, **end)]
        else:
            said = [because("measured", measured=times, **ends(found))]
        said.append(because("published", published=published))
        if self.at_paper_size is not None:
            said.append(because("at_paper_size", size=self.at_paper_size))
        low, high = band_ends(published)
        if not self.only_side and not stopped:
            parts = {f"share_{end}": value for end, value in ends(share).items()}
            said.append(because("ratio.share", share=share.value, **parts, band_low=low, band_high=high))
        if ruling.why:
            said.append(because(f"ratio.{ruling.why}"))
        return Finding(
            ruling.word,
            said,
            found,
            [Quantity("ratio", found, "geometric mean of ratios within blocks, Student interval")],
            RatioFacts(band_low=None, band_high=None) if self.only_side else RatioFacts(band_low=low, band_high=high),
            half_width=relative_half_width(found),
            p_value=p_value(ruling, shares(of_values, to_values, published), published, asked.strata),
            side=ruling.side,
            size=ruling.size,
            effect_share=share,
        )


def opened(estimate: Estimate, low: bool, high: bool) -> Estimate:
    """Without the ends that a bound leaves open: infinity stands there."""
    if estimate.interval is None:
        return estimate
    return estimate._replace(low=-math.inf if low else estimate.low, high=math.inf if high else estimate.high)


class Ruling(NamedTuple):
    """A word with its two parts; ``why`` is the reason to be told, where the word needs one."""

    word: VerdictWord
    side: Side
    size: Size
    why: str


def band(published: float) -> float:
    """The half-width of the band around a share of 1 that counts as the published size.

    A third of the published effect, at most a factor of two: for a published 10 it is 5 to 20, for 1.53 1.33 to 1.76.
    """
    return min(SMALL, WIDEST / abs(math.log(published)))


def band_ends(published: float) -> Interval:
    """The smallest and the largest ratio that counts as the published size."""
    low, high = sorted(published ** (1 + sign * band(published)) for sign in (-1, 1))
    return low, high


def judge(share: Interval | None, published: float, leeway: float = 1.0) -> Ruling:
    """The word from the 95 % interval of the share of the published effect, ``published`` not being 1 itself."""
    if share is None:
        return Ruling("inconclusive", "open", "undecided", "inconclusive")
    (low, high), half = share, leeway * band(published)
    which: Side = {1: "holds", -1: "opposite", 0: "open"}[side(share, 0.0)]  # type: ignore[assignment]
    size: Size = "undecided"
    if 1 - half <= low and high <= 1 + half:
        size = "inside"
    elif high < 1 - half or low > 1 + half:
        size = "outside"
    if size == "inside":
        return Ruling("reproduced", which, size, "")
    if high < SMALL:
        return Ruling("contradicted", which, size, "other_side" if which == "opposite" else "small")
    if which == "holds":
        return Ruling("direction only", which, size, size)
    return Ruling("inconclusive", which, size, "inconclusive")


def judge_side(share: Interval | None) -> Ruling:
    """The word of a claim without a size to compare: the side on which the interval lies."""
    which = 0 if share is None else side(share, 0.0)
    if which == 0:
        return Ruling("inconclusive", "open", "none", "inconclusive")
    return (
        Ruling("reproduced", "holds", "none", "")
        if which > 0
        else Ruling("contradicted", "opposite", "none", "other_side")
    )


def p_value(ruling: Ruling, found: Floats, published: float, strata: Strata = None) -> float | None:
    """Of the test that the word is: at most 0.05 where the 95 % interval says it.

    :param found: the share of the published effect in each block

    None where the word is that nothing is shown, and for results that do not vary.
    """
    word, size = ruling.word, ruling.size
    if word == "inconclusive":
        return None
    if size == "inside":
        half = band(published)
        return two_sided(inside(found, (1 - half, 1 + half), strata))
    if word == "contradicted":
        return two_sided(below(found, 0.0 if size == "none" else SMALL, strata))
    return two_sided(above(found, 0.0, strata))
