"""``scenarios/<name>/scenario.yaml``: factors, sizes per preset, gates, and the claims put to the test."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import Field, model_validator

from tf_claims.model.claim import Claim
from tf_claims.model.errors import InputError
from tf_claims.model.files import Strict, named, read_yaml
from tf_claims.model.metrics import OF_EVERY_VARIANT, base_of
from tf_claims.model.preset import Exclusion, ScenarioPreset
from tf_claims.model.reason import Text
from tf_claims.model.selectors import Level, Selector, label, matches

SCENARIOS = Path("scenarios")


class Source(Strict):
    """The published text: its file among the sources, what it is, and the stack its author used."""

    text: str
    title: str
    title_ja: str = Field(default="", description="the title in Japanese")
    stack: str


class Gate(Strict):
    """A known answer, or the same for all in a block: an observation whose ``metric`` misses it has no time.

    ``where`` selects by level and by size, e.g. ``{n: 1000, iterations: 10000}``.
    """

    metric: str
    equals: float | None = Field(
        default=None, description="the known answer; without one, all variants that it selects are alike in a block"
    )
    within: float = Field(gt=0, description="largest absolute deviation, from the block's median where all are alike")
    where: Selector = {}
    vouches_for: Selector | None = Field(
        default=None, description="other variants of the same block whose time counts only where this gate holds"
    )


class Curve(Strict):
    """A published series, and the variant that is to repeat it."""

    name: str
    name_ja: str = Field(default="", description="the name in Japanese")
    of: Selector
    published: list[float] = Field(min_length=1)


class Curves(Strict):
    """Series drawn side by side as published and as measured: lists in ``metric``, and in ``checked``."""

    metric: str = Field(description="what the methods told, e.g. printed_loss")
    checked: str = Field(description="what is evaluated in the same way for all of them, e.g. correct_loss")
    words: tuple[str, str, str] = Field(description="how a reader calls the metric, what is checked, and a step")
    words_ja: tuple[str, str, str] | None = Field(default=None, description="the same in Japanese")
    lines: list[Curve] = Field(min_length=1)


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
        for place, selector in self._selectors():
            self._check_selector(place, selector)
        for place, metric in self._metrics():
            self._check_metric(place, metric)
        for name, claim in self.claims.items():
            for field, size in claim.estimand.sizes_used.items():
                self._check_size(f"claims.{name}.{claim.kind}.{field}", size)
        return self

    def _selectors(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Each place that names factors and levels."""
        for index, exclusion in enumerate(self.exclude):
            yield f"exclude[{index}]", exclusion.selector
        for index, gate in enumerate(self.gates):
            yield f"gates[{index}].vouches_for", gate.vouches_for or {}
            # Sizes may stand there, too.
            yield f"gates[{index}].where", {key: gate.where[key] for key in gate.where if key not in self.size_names()}
        for name, preset in self.presets.items():
            yield f"presets.{name}.levels", dict(preset.levels)
            for rule in preset.sizes:
                yield f"presets.{name}.sizes", rule.when
            for exclusion in preset.exclude:
                yield f"presets.{name}.exclude", exclusion.selector
        for name, claim in self.claims.items():
            for field, selector in claim.estimand.selectors.items():
                yield f"claims.{name}.{claim.kind}.{field}", selector
        for index, line in enumerate(self.curve_lines):
            yield f"curves.lines[{index}].of", line.of

    def _metrics(self) -> Iterator[tuple[str, str]]:
        """Each place that names a metric."""
        for index, gate in enumerate(self.gates):
            yield f"gates[{index}].metric", gate.metric
        for name, claim in self.claims.items():
            for metric in claim.estimand.metrics_used:
                yield f"claims.{name}.{claim.kind}", metric
        if self.curves is not None:
            yield "curves.metric", self.curves.metric
            yield "curves.checked", self.curves.checked

    def _check_metric(self, place: str, metric: str) -> None:
        if metric not in OF_EVERY_VARIANT and base_of(metric) not in self.metrics:
            known = ", ".join([*self.metrics, *OF_EVERY_VARIANT])
            raise ValueError(f"{place}: {metric!r} is none of the metrics; known: {known}")

    def _check_size(self, place: str, size: str) -> None:
        for name in self.presets:
            known = self.size_names(name)
            if size not in known:
                raise ValueError(
                    f"{place}: {size!r} is no size of the preset {name}; known: {', '.join(sorted(known))}"
                )

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

    def size_names(self, preset: str | None = None) -> set[str]:
        """The names of the sizes of one preset, or of all of them."""
        presets = self.presets.values() if preset is None else [self.presets[preset]]
        return {name for each in presets for rule in each.sizes for name in rule.sizes}

    @property
    def curve_lines(self) -> list[Curve]:
        """The published series; none where the text has none."""
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

    def why_excluded(self, levels: dict[str, Level], environment: str, preset: str) -> Text | None:
        """The reason why a combination is not run in an environment; None where it is run."""
        for exclusion in self.exclude + self.preset(preset).exclude:
            if matches(exclusion.selector, levels, environment):
                return exclusion.text
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
    """All scenarios, by their folders.

    :raises InputError: for a folder with another name than a scenario can have.
    """
    return sorted(named(path.parent) for path in root.glob("*/scenario.yaml"))


def read_scenario(name: str, root: Path = SCENARIOS) -> Scenario:
    """One scenario.

    :raises InputError: for an unknown scenario or a file that does not fit.
    """
    if name not in (known := scenario_names(root)):
        raise InputError(f"scenario {name!r} is unknown; known: {', '.join(known)}")
    return read_yaml(root / name / "scenario.yaml", Scenario)
