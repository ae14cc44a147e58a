"""What the pipeline says about one claim in one environment: an element of ``verdicts.json``."""

from __future__ import annotations

from typing import Any

from pydantic import Field, SerializeAsAny, ValidationInfo, field_validator

from tf_claims.model.estimand import Facts, Side, Size, VerdictWord, kinds
from tf_claims.model.files import Strict
from tf_claims.model.reason import Reason

__all__ = ["Verdict", "VerdictWord"]


class Verdict(Strict):
    """A verdict with its evidence. ``estimate`` and its 95 % interval are in the unit of ``published``."""

    claim: str
    scenario: str
    environment: str
    says: str
    estimand: str
    verdict: VerdictWord
    side: Side = Field(default="open", description="whether what is measured lies on the side that the claim names")
    size: Size = Field(default="none", description="where it lies beside the published size, or the margin")
    effect_share: float | None = Field(
        default=None, description="of a ratio: log(measured) / log(published), 1 where it is the published one"
    )
    effect_share_low: float | None = Field(default=None, description="of its 95 % interval")
    effect_share_high: float | None = None
    reason: str = Field(description="in English")
    because: list[Reason] = Field(description="the same for programs: keys of the catalogue with their values")
    estimate: float | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    published: float | None
    published_figures: str
    blocks: int = Field(default=0, description="the blocks that the estimate rests on")
    dropped_blocks: int = Field(default=0, description="measured, but not usable for this claim")
    disturbed: bool = Field(
        default=False, description="it rests on disturbed blocks, too few others being left: on a disturbed machine"
    )
    states: int = Field(
        default=1, description="of a claim about times: the places that those of one of its variants lie in, at most"
    )
    robust: bool | None = Field(
        default=None, description="nearly all other ways to judge it give the same word; null where it was not run"
    )
    node_types: int = Field(default=1, description="types of machine that the blocks come from")
    half_width: float | None = Field(
        default=None,
        description="of the interval that decides: relative, of an attribution in parts of all that is done",
    )
    p_value: float | None = Field(default=None, description="of the test of the word; none of a known value")
    p_value_adjusted: float | None = Field(
        default=None, description="among the tests of the claim in all its environments (Holm 1979)"
    )
    holds_family_wise: bool | None = None
    rules_sha256: str | None = Field(
        default=None, description="of the rules registered before the first block (study.json); null where none were"
    )
    stopped: Reason | None = Field(default=None, description="why there are no more blocks")
    scaled_down: bool = False
    scaled_down_note: str = Field(default="", description="in English")
    scaled: list[Reason] = Field(default=[], description="what is smaller than published")
    engine: str = ""
    facts: SerializeAsAny[Facts] | None = Field(default=None, description="what its kind of claim found besides")

    @field_validator("facts", mode="before")
    @classmethod
    def _of_its_kind(cls, content: Any, info: ValidationInfo) -> Any:
        kind = kinds().get(info.data.get("estimand", ""))
        return kind.facts.model_validate(content) if kind and isinstance(content, dict) else content
