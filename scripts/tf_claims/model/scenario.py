"""``scenarios/<name>/scenario.yaml``: factors, sizes per preset, gates, and the claims put to the test."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import ConfigDict, Field, model_validator

from tf_claims.model.errors import InputError
from tf_claims.model.files import Strict, read_yaml
from tf_claims.model.selectors import Level, Selector, label, matches

SCENARIOS = Path("scenarios")


class Source(Strict):
    """The published text: its file among the sources, what it is, and the stack its author used."""

    text: str
    title: str
    title_ja: str = Field(default="", description="the title in Japanese")
    stack: str


class Exclusion(Strict):
    """Variants that are not run, and why. Every other field is a factor (or ``environment``: a pattern)."""

    model_config = ConfigDict(extra="allow", frozen=True)
    because: str

    @property
    def selector(self) -> Selector:
        return dict(self.__pydantic_extra__ or {})


class SizeRule(Strict):
    """Sizes (iterations, epochs, rows …) of the variants that ``when`` selects; later rules win."""

    model_config = ConfigDict(extra="allow", frozen=True)
    when: Selector = {}

    @property
    def sizes(self) -> dict[str, Level]:
        return dict(self.__pydantic_extra__ or {})


class Gate(Strict):
    """A known answer: an observation whose ``metric`` misses it has no time.

    ``where`` selects by level and by size, e.g. ``{n: 1000, iterations: 10000}``.
    """

    metric: str
    equals: float
    within: float = Field(gt=0, description="largest absolute deviation")
    where: Selector = {}
    vouches_for: Selector | None = Field(
        default=None, description="other variants of the same block whose time counts only where this gate holds"
    )


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


class Published(Strict):
    """The number in the text, and where in the text it comes from."""

    value: float | None = None
    figures: str = Field(description="the published figures, as a reader finds them")


class Ratio(Strict):
    """``of`` over ``to``: geometric mean of the ratios inside blocks."""

    metric: str
    of: Selector
    to: Selector
    within_factor: float = Field(default=2.0, gt=1)
    at_paper_size: str | None = Field(
        default=None, description="a size in proportion to which the metric is scaled to the published size"
    )


class Equivalence(Strict):
    """``of`` and ``to`` differ by less than ``margin``: relative (0.10 is 10 %) or in the metric's unit."""

    metric: str
    of: Selector
    to: Selector
    margin: float = Field(gt=0)
    scale: Literal["relative", "absolute"] = "relative"


class Tolerance(Strict):
    equals: float
    within: float = Field(gt=0)


class Value(Strict):
    """Metrics of one variant against known values."""

    of: Selector
    metrics: dict[str, Tolerance] = Field(min_length=1)


class CostModel(Strict):
    """time = ``per`` x (a + b x ``size``) for each of two sets of variants, and where the two lines cross."""

    metric: str
    of: Selector
    to: Selector
    size: str = Field(description="the factor that is the size of the problem, e.g. n")
    per: str = Field(description="the size that counts repetitions, e.g. iterations")


class Attribution(Strict):
    """How much of the effect on ``metric`` each of the ``factors`` (two levels each) explains.

    The named ``cause`` is judged: its share of the effect must exceed ``at_least``.
    """

    metric: str
    where: Selector = {}
    factors: dict[str, tuple[Level, Level]] = Field(min_length=1, description="factor: [before, after]")
    cause: str
    at_least: float = 0.5

    @model_validator(mode="after")
    def _cause_is_a_factor(self) -> Attribution:
        if self.cause not in self.factors:
            raise ValueError(f"cause {self.cause!r} is none of the factors {', '.join(self.factors)}")
        return self


class Curve(Strict):
    """A published series, and the variant that is to repeat it."""

    name: str
    of: Selector
    published: list[float] = Field(min_length=1)


class Curves(Strict):
    """Series drawn side by side as published and as measured: lists in ``metric``, and in ``checked``."""

    metric: str = Field(description="what the methods told, e.g. printed_loss")
    checked: str = Field(description="what is evaluated in the same way for all of them, e.g. correct_loss")
    words: tuple[str, str, str] = Field(description="how a reader calls the metric, what is checked, and a step")
    lines: list[Curve] = Field(min_length=1)


ESTIMANDS = ("ratio", "equivalence", "value", "cost_model", "attribution")
Estimand = Ratio | Equivalence | Value | CostModel | Attribution


class Claim(Strict):
    """One published statement, its numbers and the estimand that decides it."""

    says: str
    says_ja: str = Field(default="", description="the statement in Japanese")
    published: Published
    environments: list[str] = Field(default=["*"], description="patterns of the environments it speaks about")
    note: str = ""
    precision: float = Field(
        default=0.05, gt=0, description="the relative half-width of the 95 % interval that blocks are added for"
    )
    decided_in: list[str] | None = Field(
        default=None, description="the presets large enough to decide it; all otherwise"
    )
    ratio: Ratio | None = None
    equivalence: Equivalence | None = None
    value: Value | None = None
    cost_model: CostModel | None = None
    attribution: Attribution | None = None

    @model_validator(mode="after")
    def _one_estimand(self) -> Claim:
        if sum(getattr(self, name) is not None for name in ESTIMANDS) != 1:
            raise ValueError(f"a claim has exactly one estimand of {', '.join(ESTIMANDS)}")
        if self.ratio and self.published.value is None:
            raise ValueError("a ratio claim needs published.value")
        return self

    @property
    def kind(self) -> str:
        return next(name for name in ESTIMANDS if getattr(self, name) is not None)

    @property
    def estimand(self) -> Estimand:
        return getattr(self, self.kind)  # type: ignore[no-any-return]


class Variant(NamedTuple):
    """One combination of levels, with its sizes."""

    levels: dict[str, Level]
    sizes: dict[str, Level]


class Scenario(Strict):
    """The code and the factors under test."""

    title: str
    source: Source
    calls: str = Field(description="the factor whose levels are functions in variants.py")
    imports: dict[str, list[str]] = Field(description="modules per called function; '*' for all others")
    data: list[str] = Field(default=[], description="data sets, see config/data")
    factors: dict[str, list[Level]]
    exclude: list[Exclusion] = []
    gates: list[Gate] = []
    metrics: list[str] = Field(description="what run() returns, beside the metrics every variant has")
    presets: dict[str, ScenarioPreset] = Field(
        min_length=1, description="'paper' has the published sizes; a scenario without it stands for no published text"
    )
    claims: dict[str, Claim]
    curves: Curves | None = None

    @model_validator(mode="after")
    def _names_fit(self) -> Scenario:
        for name, claim in self.claims.items():
            for unknown in set(claim.decided_in or []) - set(self.presets):
                raise ValueError(f"claims.{name}.decided_in: {unknown!r} is none of the presets")
        if self.calls not in self.factors:
            raise ValueError(f"calls: {self.calls!r} is none of the factors {', '.join(self.factors)}")
        selectors: list[tuple[str, dict[str, Any]]] = [
            (f"exclude[{index}]", exclusion.selector) for index, exclusion in enumerate(self.exclude)
        ]
        selectors += [(f"gates[{index}].vouches_for", gate.vouches_for or {}) for index, gate in enumerate(self.gates)]
        for name, preset in self.presets.items():
            selectors.append((f"presets.{name}.levels", dict(preset.levels)))
            selectors += [(f"presets.{name}.sizes", rule.when) for rule in preset.sizes]
            selectors += [(f"presets.{name}.exclude", exclusion.selector) for exclusion in preset.exclude]
        for name, claim in self.claims.items():
            for field in ("of", "to", "where", "factors"):
                selector = getattr(claim.estimand, field, {})
                selectors.append((f"claims.{name}.{field}", {key: selector[key] for key in selector}))
        selectors += [(f"curves.lines[{index}].of", dict(line.of)) for index, line in enumerate(self.curve_lines)]
        for place, selector in selectors:
            self._check_selector(place, selector)
        return self

    def _check_selector(self, place: str, selector: dict[str, Any]) -> None:
        for factor, wanted in selector.items():
            if factor == "environment":
                continue
            if factor not in self.factors:
                raise ValueError(f"{place}: {factor!r} is none of the factors {', '.join(self.factors)}")
            for level in wanted if isinstance(wanted, list | tuple) else [wanted]:
                if level not in self.factors[factor]:
                    known = ", ".join(map(str, self.factors[factor]))
                    raise ValueError(f"{place}: {level!r} is no level of {factor} (known: {known})")

    @property
    def curve_lines(self) -> list[Curve]:
        return [] if self.curves is None else self.curves.lines

    def preset(self, name: str) -> ScenarioPreset:
        """:raises InputError: for a preset that the scenario does not have."""
        if name not in self.presets:
            raise InputError(f"preset {name!r}: scenario {self.title!r} has only {', '.join(self.presets)}")
        return self.presets[name]

    def combinations(self, preset: str) -> list[dict[str, Level]]:
        """Every combination of the levels that a preset keeps, excluded ones among them."""
        return _product(self.factors | self.preset(preset).levels)

    def all_combinations(self) -> list[dict[str, Level]]:
        """Every combination of all levels."""
        return _product(self.factors)

    def why_excluded(self, levels: dict[str, Level], environment: str, preset: str) -> str | None:
        """The reason why a combination is not run in an environment; None where it is run."""
        for exclusion in self.exclude + self.preset(preset).exclude:
            if matches(exclusion.selector, levels, environment):
                return exclusion.because
        return None

    def sizes(self, preset: str, levels: dict[str, Level], environment: str) -> dict[str, Level]:
        """The sizes of a variant in a preset."""
        sizes: dict[str, Level] = {}
        for rule in self.preset(preset).sizes:
            if matches(rule.when, levels, environment):
                sizes |= rule.sizes
        return sizes

    def variants(self, preset: str, environment: str) -> list[Variant]:
        """What one block runs."""
        return [
            Variant(levels, self.sizes(preset, levels, environment))
            for levels in self.combinations(preset)
            if self.why_excluded(levels, environment, preset) is None
        ]

    def select_one(self, selector: Selector, preset: str, environment: str, place: str) -> Variant:
        """The one variant that a claim's selector names.

        :raises InputError: where it names none or several.
        """
        found = [each for each in self.variants(preset, environment) if matches(selector, each.levels)]
        if len(found) != 1:
            names = "; ".join(label(each.levels) for each in found) or "none"
            fix = "add levels to the selector" if found else "correct the selector or the exclusions"
            raise InputError(
                f"{place} must select one variant in {environment}, but selects {len(found)}: {names}; {fix}"
            )
        return found[0]

    def data_of(self, preset: str) -> list[str]:
        """The data sets that a preset needs."""
        return self.data + self.preset(preset).data

    def imports_of(self, levels: dict[str, Level]) -> list[str]:
        """The modules that a variant imports before its set-up starts."""
        return self.imports.get(str(levels[self.calls]), self.imports["*"])


def _product(factors: dict[str, list[Level]]) -> list[dict[str, Level]]:
    return [dict(zip(factors, levels, strict=True)) for levels in product(*factors.values())]


def scenario_names(root: Path = SCENARIOS) -> list[str]:
    return sorted(path.parent.name for path in root.glob("*/scenario.yaml"))


def read_scenario(name: str, root: Path = SCENARIOS) -> Scenario:
    """One scenario.

    :raises InputError: for an unknown scenario or a file that does not fit.
    """
    if not (root / name / "scenario.yaml").exists():
        raise InputError(f"scenario {name!r} is unknown; known: {', '.join(scenario_names(root))}")
    return read_yaml(root / name / "scenario.yaml", Scenario)
