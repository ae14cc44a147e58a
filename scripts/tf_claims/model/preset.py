"""The sizes of the experiment: ``config/presets/<name>.yaml`` for all of it, ``presets`` of a scenario for that one."""

from __future__ import annotations

from pathlib import Path

from pydantic import ConfigDict, Field, model_validator

from tf_claims.model.errors import InputError
from tf_claims.model.files import Strict, named, read_yaml
from tf_claims.model.reason import Text
from tf_claims.model.selectors import Level, Selector

PRESETS = Path("config/presets")
PUBLISHED = "paper"
"""The preset that has the published sizes."""


class Preset(Strict):
    """``config/presets/<name>.yaml``: a size of the whole experiment."""

    description: str
    scenarios: list[str] = Field(default=["*"], description="patterns of the scenarios")
    environments: list[str] = Field(default=["*"], description="patterns of the environments")
    threads: int = Field(default=2, ge=1, description="CPUs of a measured process")
    twice: bool = Field(default=False, description="every variant runs twice in a block: the same code under two names")
    decides: bool = Field(default=True, description="whether its verdicts mean anything")


def read_preset(name: str, root: Path = PRESETS) -> Preset:
    """:raises InputError: for an unknown preset or a file that does not fit."""
    known = sorted(named(path).removesuffix(".yaml") for path in root.glob("*.yaml"))
    if name not in known:
        raise InputError(f"preset {name!r} is unknown; known: {', '.join(known)}")
    return read_yaml(root / f"{name}.yaml", Preset)


class Exclusion(Strict):
    """Variants that are not run, and why. Every other field is a factor (or ``environment``: a pattern)."""

    model_config = ConfigDict(extra="allow", frozen=True)
    because: str
    because_ja: str = Field(default="", description="the reason in Japanese")

    @property
    def selector(self) -> Selector:
        """The levels that are excluded together."""
        return dict(self.__pydantic_extra__ or {})

    @property
    def text(self) -> Text:
        """The reason in both languages."""
        return Text(en=self.because, ja=self.because_ja)


class SizeRule(Strict):
    """Sizes (iterations, epochs, rows …) of the variants that ``when`` selects; later rules win."""

    model_config = ConfigDict(extra="allow", frozen=True)
    when: Selector = {}

    @property
    def sizes(self) -> dict[str, Level]:
        """The sizes by name."""
        return dict(self.__pydantic_extra__ or {})


class BlockRule(Strict):
    """How many blocks are measured: ``least``, then more until every claim is as precise as it asks for.

    ``most`` blocks are measured at the most, or what fits into ``minutes`` of measuring.
    """

    least: int = Field(ge=2, description="an interval needs two at least")
    most: int
    minutes: float | None = Field(default=None, gt=0, description="of measuring one environment; no limit otherwise")

    @model_validator(mode="after")
    def _most_is_not_least(self) -> BlockRule:
        if self.most < self.least:
            raise ValueError(f"most ({self.most}) is smaller than least ({self.least})")
        return self


class ScenarioPreset(Strict):
    """How large the scenario is in one preset."""

    blocks: BlockRule = Field(description="of each environment")
    levels: dict[str, list[Level]] = Field(default={}, description="factors narrowed to these levels")
    exclude: list[Exclusion] = Field(default=[], description="besides the scenario's own exclusions")
    sizes: list[SizeRule] = []
    data: list[str] = Field(default=[], description="data sets besides the scenario's own")
    timeout_s: int = Field(default=900, gt=0, description="seconds after which a variant is stopped")
    environments: list[str] | None = Field(default=None, description="patterns; all environments otherwise")
