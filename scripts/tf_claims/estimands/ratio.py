"""``ratio``: how many times as much one variant takes as another, beside the published ratio."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from tf_claims.estimands.kind import Asked, Chosen, Finding, Kind, Quantity, names, relative_half_width, side
from tf_claims.estimands.kind import with_interval as ends
from tf_claims.model.estimand import VerdictWord
from tf_claims.model.reason import Reason, because
from tf_claims.model.selectors import Selector
from tf_claims.statistics.p_values import ratio_p_value
from tf_claims.statistics.ratio import ratio


class Ratio(Kind):
    """``of`` over ``to``: geometric mean of the ratios inside blocks."""

    kind: ClassVar[str] = "ratio"
    needs_published_value: ClassVar[bool] = True
    comparable: ClassVar[tuple[str, ...]] = ("ratio",)
    published_ratio: ClassVar[bool] = True

    metric: str
    of: Selector
    to: Selector
    within_factor: float = Field(default=2.0, gt=1)
    at_paper_size: str | None = Field(
        default=None, description="a size in proportion to which the metric is scaled to the published size"
    )

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

    def find(self, asked: Asked) -> Finding:
        """Student's interval of the geometric mean, and which side of 1 and how near to the published ratio it is."""
        assert asked.published is not None
        of_values, to_values = asked.values.T
        found = ratio(of_values, to_values, strata=asked.strata)
        assert found.value is not None
        word = judge(found.value, found.interval, asked.published, self.within_factor)
        of, to = names(*asked.chosen)
        times = because("times", metric=self.metric, of=of, to=to, times=found.value)
        said = [because("measured", measured=times, **ends(found)), because("published", published=asked.published)]
        if self.at_paper_size is not None:
            said.append(because("at_paper_size", size=self.at_paper_size))
        if word != "reproduced":
            said.append(because(f"ratio.{word}", factor=self.within_factor))
        return Finding(
            word,
            said,
            found,
            [Quantity("ratio", found, "geometric mean of ratios within blocks, Student interval")],
            half_width=relative_half_width(found),
            p_value=ratio_p_value(of_values, to_values, asked.strata),
        )


def judge(estimate: float, interval: tuple[float, float] | None, published: float, within_factor: float) -> VerdictWord:
    """Which side of 1, and how near to the published ratio, which is not 1 itself."""
    if interval is None or side(interval, 1.0) == 0:
        return "inconclusive"
    if side(interval, 1.0) != (1 if published > 1 else -1):
        return "contradicted"
    near = published / within_factor <= estimate <= published * within_factor
    return "reproduced" if near else "direction only"
