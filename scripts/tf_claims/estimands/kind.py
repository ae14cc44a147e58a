"""What every kind of claim gives: which columns it takes of each block, and what it finds in them.

A kind of claim is a module of this folder with one subclass of :class:`Kind`: its fields are what people write in
``scenario.yaml``. It is found by being there (:func:`tf_claims.model.estimand.kinds`).
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from tf_claims.model.errors import InputError
from tf_claims.model.estimand import Column, Estimand, Facts, Side, Size, VerdictWord
from tf_claims.model.reason import Reason, because
from tf_claims.model.selectors import Level, label
from tf_claims.statistics.intervals import Average, Estimate, Floats, mean_over_blocks

Interval = tuple[float, float]
FEWEST = 2  # blocks from which there is a finding

if TYPE_CHECKING:
    from tf_claims.model.claim import Claim


class Chosen(NamedTuple):
    """A variant that a claim takes: its levels, the sizes it was run at, and the published ones."""

    levels: dict[str, Level]
    run: dict[str, Level]
    published: dict[str, Level]

    @property
    def name(self) -> str:
        """As it stands in the table of observations."""
        return label(self.levels)

    def size(self, name: str, place: str) -> float:
        """A size that it was run at.

        :raises InputError: naming ``place``, where it has no such number.
        """
        return _positive(self.run.get(name), name, place)

    def paper_factor(self, name: str, place: str) -> float:
        """By which a metric in proportion to the size ``name`` is multiplied to come to the published size.

        :raises InputError: naming ``place``, where it has no such number as a size.
        """
        return _positive(self.published.get(name), name, place) / self.size(name, place)


class Asked(NamedTuple):
    """What a claim's statistic is given: the usable blocks of the variants chosen, (blocks, columns).

    ``strata`` has the type of machine of each block, ``published`` the number in the text. ``bounded``: of each column,
    whether some of its values are lower bounds; of no column where it is empty. How far a word hangs on its rule is
    asked with another ``average`` over blocks, or with ``leeway``: what the half-width of the band, the margin or the
    tolerance is multiplied by.
    """

    values: Floats
    strata: list[str]
    chosen: Sequence[Chosen]
    published: float | None
    bounded: Sequence[bool] = ()
    average: Average = mean_over_blocks
    leeway: float = 1.0

    @property
    def enough(self) -> bool:
        """Whether there is a spread: two blocks at least, on one type of machine."""
        return len(self.strata) >= FEWEST and len(self.strata) > len(set(self.strata))


class Quantity(NamedTuple):
    """A line of ``estimates.csv``."""

    name: str
    estimate: Estimate
    method: str


class Finding(NamedTuple):
    """A verdict with its reasons; ``headline`` is the estimate that stands beside the published number.

    ``half_width`` is that of the 95 % interval which decides: relative, of an attribution in parts of all that the
    factors do, and None where no interval does. ``p_value`` is that of the test behind the word. ``side``: None where
    the word itself says it.
    """

    verdict: VerdictWord
    because: list[Reason]
    headline: Estimate | None
    quantities: list[Quantity]
    facts: Facts | None = None
    half_width: float | None = None
    p_value: float | None = None
    side: Side | None = None
    size: Size = "none"
    effect_share: Estimate | None = None


class Kind(Estimand):
    """One kind of claim, read and decided."""

    comparable: ClassVar[tuple[str, ...]] = ()
    """Which of its quantities are ratios of two measurements, which two runs may be compared by."""
    published_ratio: ClassVar[bool] = False
    """Whether its estimate is a ratio that stands beside a published one."""
    bounds: ClassVar[bool] = False
    """Whether the lower bound of a time is of use to it, where a process was stopped when its time was over."""

    @property
    def positive(self) -> bool:
        """Whether only positive values are of use to it."""
        return True

    @property
    def rule(self) -> str:
        """What the messages call its rule: the kind, or a special case of it."""
        return self.kind

    @property
    def together(self) -> Literal["", "ratio", "difference"]:
        """What the two columns of a block come to, where it has two."""
        return ""

    @property
    def on_log_scale(self) -> bool:
        """Whether its estimate is one of factors, which are as far from each other as their ratio."""
        return True

    @property
    def no_difference(self) -> float | None:
        """The estimate that says that nothing makes a difference; None where it is about none."""
        return None

    def zone(self, published: float | None, facts: Facts | None) -> Interval | None:
        """The estimates that count as what the text says, infinite at an open end; None where no one number decides."""
        return None

    @property
    def described(self) -> Reason:
        """What stands in the columns."""
        return because("evidence.metric", metric=self.metrics_used[0])

    @abstractmethod
    def find(self, asked: Asked) -> Finding:
        """The verdict from at least two usable blocks."""

    def columns(self, chosen: Sequence[Chosen], place: str) -> list[Column]:
        """What it takes of each block, a metric of each of its variants.

        :raises InputError: naming ``place``, the claim in its file, where a variant lacks a size.
        """
        return [Column(each.name, self.metrics_used[0], self.factor(each, place)) for each in chosen]

    def factor(self, chosen: Chosen, place: str) -> float:
        """By which a variant's metric is multiplied."""
        return 1.0

    def spoken(self, facts: Facts | None) -> dict[str, object]:
        """What its sentence says beside its fields and those of its facts."""
        return {}

    def headings(self, chosen: Sequence[Chosen]) -> list[str]:
        """Each column by the levels that tell its variant from the others."""
        first = chosen[0].levels
        differing = [factor for factor in first if len({str(each.levels[factor]) for each in chosen}) > 1]
        return [", ".join(str(each.levels[factor]) for factor in differing) for each in chosen]


def kind_of(claim: Claim) -> Kind:
    """The estimand of a claim, with all that a kind of claim gives."""
    assert isinstance(claim.estimand, Kind)
    return claim.estimand


def names(of: Chosen, to: Chosen) -> tuple[str, str]:
    """What tells two variants apart: ``session_feed`` and ``numpy``; their whole names where nothing does."""
    differing = [factor for factor in of.levels if of.levels[factor] != to.levels.get(factor)]
    if not differing:
        return of.name, to.name
    first, second = (label({factor: each.levels[factor] for factor in differing}) for each in (of, to))
    return first, second


def with_interval(estimate: Estimate) -> dict[str, float]:
    """An estimate's interval as values of a message."""
    low, high = estimate.interval or (math.nan, math.nan)
    return {"low": low, "high": high}


def relative_half_width(estimate: Estimate) -> float | None:
    """Of an interval made on the log scale: 0.05 where its ends are the estimate times and divided by 1.05."""
    if estimate.low is None or estimate.high is None or not 0 < estimate.low <= estimate.high < math.inf:
        return None
    return math.sqrt(estimate.high / estimate.low) - 1


def half_width(estimate: Estimate) -> float:
    """Of an interval made on the metric's own scale."""
    low, high = estimate.interval or (0.0, math.inf)
    return (high - low) / 2


def side(interval: tuple[float, float], of: float) -> int:
    """1 where the whole interval lies above, -1 where it lies below, 0 where it does neither."""
    low, high = interval
    return 1 if low > of else -1 if high < of else 0


def _positive(size: Level | None, name: str, place: str) -> float:
    if not isinstance(size, int | float) or not float(size) > 0:
        raise InputError(f"{place}: {name!r} is no size (a positive number) of every variant compared; correct it")
    return float(size)
