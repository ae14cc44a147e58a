"""A claim: one published statement, its numbers, and the estimand that decides it."""

from __future__ import annotations

from typing import Any

from pydantic import Field, create_model, model_validator

from tf_claims.model.estimand import Estimand, kinds
from tf_claims.model.files import Strict
from tf_claims.model.reason import Text


class Published(Strict):
    """The number in the text, and where in the text it comes from."""

    value: float | None = None
    figures: str = Field(description="the published figures, as a reader finds them")
    figures_ja: str = Field(default="", description="the same in Japanese")

    @property
    def text(self) -> Text:
        """The figures in both languages."""
        return Text(en=self.figures, ja=self.figures_ja)


# One field for each kind of claim: `ratio: {...}`, `equivalence: {...}` …
_fields: dict[str, Any] = {name: (kind | None, None) for name, kind in kinds().items()}
_OneOfTheKinds: Any = create_model("_OneOfTheKinds", __base__=Strict, **_fields)


class Claim(_OneOfTheKinds):
    """One published statement, its numbers and the estimand that decides it."""

    says: str
    says_ja: str = Field(default="", description="the statement in Japanese")
    published: Published
    environments: list[str] = Field(default=["*"], description="patterns of the environments it speaks about")
    note: str = ""
    note_ja: str = Field(default="", description="the note in Japanese")
    precision: float = Field(
        default=0.05, gt=0, description="the relative half-width of the 95 % interval that blocks are added for"
    )
    decided_in: list[str] | None = Field(
        default=None, description="the presets large enough to decide it; all otherwise"
    )

    @model_validator(mode="after")
    def _one_estimand(self) -> Claim:
        given = [name for name in kinds() if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"a claim has exactly one estimand of {', '.join(kinds())}")
        value = self.published.value
        if self.estimand.needs_published_value:
            if value is None:
                raise ValueError(f"published.value: missing; a {self.kind} claim needs the published number")
            if not 0 < value != 1:
                raise ValueError(
                    f"published.value: a ratio is positive and not 1 (found {value:g}); use equivalence for 'the same'"
                )
        return self

    @property
    def kind(self) -> str:
        """The name of its estimand."""
        return next(name for name in kinds() if getattr(self, name) is not None)

    @property
    def estimand(self) -> Estimand:
        """What decides it."""
        found: Estimand = getattr(self, self.kind)
        return found

    @property
    def statement(self) -> Text:
        """What it says, in both languages."""
        return Text(en=self.says, ja=self.says_ja)

    @property
    def remark(self) -> Text:
        """Its note, in both languages."""
        return Text(en=self.note, ja=self.note_ja)
