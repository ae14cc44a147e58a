"""What a claim is decided by, as far as it is read and planned; ``tf_claims.estimands`` has a module for each kind."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from typing import ClassVar, Literal, NamedTuple, Protocol

from tf_claims.model.files import Strict
from tf_claims.model.reason import Reason
from tf_claims.model.selectors import Level, Selector

PACKAGE = "tf_claims.estimands"

Side = Literal["holds", "opposite", "open"]
"""Whether what is measured lies on the side that a claim names."""
Size = Literal["inside", "outside", "undecided", "none"]
"""Where it lies beside the published size; none where no size is compared."""
VerdictWord = Literal["reproduced", "direction only", "contradicted", "inconclusive", "not run"]


class Column(NamedTuple):
    """What a statistic takes of each block: a metric of one variant, multiplied by ``factor``."""

    variant: str
    metric: str
    factor: float = 1.0


class Pick(NamedTuple):
    """One variant that a claim needs: the field of the claim that names it, and its levels."""

    field: str
    selector: Selector


class Offer(Protocol):
    """What a scenario runs in one preset and environment."""

    def levels(self, factor: str) -> list[Level]:
        """The levels that the preset keeps, in the order of the scenario."""

    def why_excluded(self, selector: Selector) -> Reason | None:
        """Why none of the variants that a selector names is run; None where one is, or where it names none at all."""


class Facts(Strict):
    """What an estimand found besides its estimate, in the fields of its kind."""


class Estimand(Strict):
    """One kind of claim, by the name that it has in ``scenario.yaml``. A subclass adds the fields that people write."""

    kind: ClassVar[str]
    facts: ClassVar[type[Facts]] = Facts
    needs_published_value: ClassVar[bool] = False

    @property
    def metrics_used(self) -> list[str]:
        """The metrics that its statistic takes."""
        return [str(getattr(self, "metric"))]  # noqa: B009

    @property
    def selectors(self) -> dict[str, Selector]:
        """By field, everything in it that names factors and levels."""
        return {field: dict(getattr(self, field)) for field in ("of", "to") if hasattr(self, field)}

    @property
    def sizes_used(self) -> dict[str, str]:
        """By field, the sizes (such as ``iterations``) that it names."""
        return {}

    def picks(self, offer: Offer) -> list[Pick] | Reason:
        """The variants that it compares, in the order in which its statistic takes them, or why there are none."""
        return [Pick(field, selector) for field, selector in self.selectors.items()]

    def scaled(self, offered: Offer, published: Offer) -> Iterator[Reason]:
        """What it misses of the published experiment, beside the sizes of its variants."""
        return iter(())


@cache
def kinds() -> dict[str, type[Estimand]]:
    """Every kind of claim by its name: a module of ``tf_claims.estimands`` that defines one is all that it takes."""
    package = importlib.import_module(PACKAGE)
    modules = (importlib.import_module(f"{PACKAGE}.{each.name}") for each in pkgutil.iter_modules(package.__path__))
    found = (each for module in modules for each in vars(module).values() if isinstance(each, type))
    return {each.kind: each for each in found if issubclass(each, Estimand) and "kind" in vars(each)}
