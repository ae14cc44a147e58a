"""``equivalence``: two variants differ by less than a margin, shown by two one-sided tests."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from tf_claims.estimands.kind import Asked, Finding, Interval, Kind, Quantity, half_width, names, relative_half_width
from tf_claims.estimands.kind import with_interval as ends
from tf_claims.model.estimand import Facts, VerdictWord
from tf_claims.model.reason import because
from tf_claims.model.selectors import Selector
from tf_claims.statistics.equivalence import equivalence, margin_ends
from tf_claims.statistics.p_values import inside, outside


class Equivalence(Kind):
    """``of`` and ``to`` differ by less than ``margin``: relative (0.10 is 10 %) or in the metric's unit."""

    kind: ClassVar[str] = "equivalence"
    comparable: ClassVar[tuple[str, ...]] = ("ratio",)

    metric: str
    of: Selector
    to: Selector
    margin: float = Field(gt=0)
    scale: Literal["relative", "absolute"] = "relative"

    @property
    def positive(self) -> bool:
        """A ratio needs positive values, a difference does not."""
        return self.scale == "relative"

    @property
    def together(self) -> Literal["", "ratio", "difference"]:
        """What the two columns of a block come to."""
        return "ratio" if self.scale == "relative" else "difference"

    @property
    def on_log_scale(self) -> bool:
        """Where it is a ratio."""
        return self.scale == "relative"

    @property
    def no_difference(self) -> float:
        """A ratio of 1, or a difference of 0."""
        return 1.0 if self.on_log_scale else 0.0

    def zone(self, published: float | None, facts: Facts | None) -> Interval:
        """The margin."""
        return margin_ends(self.margin, self.on_log_scale)

    def find(self, asked: Asked) -> Finding:
        """The 95 % interval, and the 90 % interval whose place against the margin are the two tests."""
        relative = self.scale == "relative"
        sides = asked.values[:, 0], asked.values[:, 1]
        result = equivalence(*sides, asked.leeway * self.margin, relative, asked.strata, asked.average)
        found = result.estimate
        assert found.value is not None
        word = judge(result.tests.interval, result.margin)
        of, to = names(*asked.chosen)
        measured = because("times" if relative else "difference", metric=self.metric, of=of, to=to, times=found.value)
        tests = {f"tests_{end}": value for end, value in ends(result.tests).items()}
        margin = {"margin_low": result.margin[0], "margin_high": result.margin[1]}
        reference = abs(float(np.mean(sides[1])))
        absolute = half_width(found) / reference if reference else None
        compared = np.log(sides[0] / sides[1]) if relative else sides[0] - sides[1]
        low, high = np.log(result.margin).tolist() if relative else result.margin
        test = {"reproduced": inside, "contradicted": outside}.get(word)
        return Finding(
            word,
            [because(f"equivalence.{word}", measured=measured, **ends(found), **tests, **margin)],
            found,
            [
                Quantity("ratio" if relative else "difference", found, "Student interval"),
                Quantity("90 % interval", result.tests, "two one-sided tests at 5 % (90 % interval inside the margin)"),
            ],
            half_width=relative_half_width(found) if relative else absolute,
            p_value=test and test(compared, (low, high), asked.strata),
            size={"reproduced": "inside", "contradicted": "outside"}.get(word, "undecided"),  # type: ignore[arg-type]
        )


def judge(tests: Interval | None, margin: Interval) -> VerdictWord:
    """``tests`` is the 90 % interval, whose place against each end of the margin is a one-sided test at 5 %."""
    if tests is None:
        return "inconclusive"
    if margin[0] < tests[0] and tests[1] < margin[1]:
        return "reproduced"
    return "contradicted" if tests[1] < margin[0] or tests[0] > margin[1] else "inconclusive"
