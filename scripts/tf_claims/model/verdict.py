"""What the pipeline says about one claim in one environment: an element of ``verdicts.json``."""

from __future__ import annotations

from typing import Any, Literal

from tf_claims.model.files import Strict

VerdictWord = Literal["reproduced", "direction only", "contradicted", "inconclusive", "not run"]


class Verdict(Strict):
    """A verdict with its evidence. ``estimate`` and its 95 % interval are in the unit of ``published``."""

    claim: str
    scenario: str
    environment: str
    says: str
    estimand: str
    verdict: VerdictWord
    reason: str
    estimate: float | None
    ci_low: float | None
    ci_high: float | None
    published: float | None
    published_figures: str
    blocks: int
    scaled_down: bool
    scaled_down_note: str
    engine: str
    details: dict[str, Any] = {}
