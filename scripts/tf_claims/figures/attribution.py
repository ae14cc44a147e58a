"""What explains a factor between two variants: its decomposition, and the factorial as an interaction plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from tf_claims.estimands.attribution import Attribution, AttributionFacts
from tf_claims.estimands.kind import kind_of
from tf_claims.figures.style import COLOURS, INK, QUIET, colour_of, drawing, few_ticks, save, tell, title_lines
from tf_claims.model.scenario import Scenario
from tf_claims.statistics.intervals import Floats
from tf_claims.verdicts.judgement import Judgement
from tf_claims.words.messages import Messages
from tf_claims.words.numbers import number, whole_percent


class EnvironmentEffect(NamedTuple):
    """One environment; ``times`` are (blocks, corners), in the order of ``statistics.attribution.corners``."""

    environment: str
    found: AttributionFacts
    times: Floats


class DecomposedEffect(NamedTuple):
    """An effect on ``metric`` and the factors that may explain it, each with its levels before and after.

    ``published`` is the whole effect in the text, where it has one; ``colours`` are those of the last factor's levels.
    """

    claim: str
    title: str
    metric: str
    factors: Mapping[str, tuple[str, str]]
    cause: str
    published: float | None
    colours: tuple[str, str]
    measured: Sequence[EnvironmentEffect]


COLUMNS = 2


def draw(
    name: str, scenario: Scenario, judged: Mapping[str, Sequence[Judgement]], folder: Path, messages: Messages
) -> None:
    """``<scenario>_<claim>_decomposition`` and, for two factors, ``…_interaction`` for each claim."""
    for claim, judgements in judged.items():
        effect = _effect(scenario, claim, judgements, messages)
        _draw_decomposition(effect, folder, f"{name}_{claim}_decomposition", messages)
        if len(effect.factors) == 2:
            _draw_interaction(effect, folder, f"{name}_{claim}_interaction", messages)


def _effect(scenario: Scenario, name: str, judgements: Sequence[Judgement], messages: Messages) -> DecomposedEffect:
    claim = scenario.claims[name]
    estimand = cast(Attribution, claim.estimand)
    last, levels = list(estimand.factors.items())[-1]
    called = last == scenario.calls
    before, after = (colour_of(scenario, level) if called else COLOURS[place] for place, level in enumerate(levels))
    return DecomposedEffect(
        name,
        messages.written(claim.statement),
        estimand.metric,
        {factor: (str(ends[0]), str(ends[1])) for factor, ends in estimand.factors.items()},
        estimand.cause,
        published_effect(scenario, estimand),
        (before, after),
        [_measured(judgement) for judgement in judgements],
    )


def _measured(judgement: Judgement) -> EnvironmentEffect:
    evidence, facts = judgement.evidence, judgement.verdict.facts
    assert evidence is not None and isinstance(facts, AttributionFacts)
    return EnvironmentEffect(judgement.verdict.environment, facts, evidence.used)


def published_effect(scenario: Scenario, estimand: Attribution) -> float | None:
    """The published ratio between the two ends of an attribution, where another claim of the scenario states it."""
    for claim in scenario.claims.values():
        kind = kind_of(claim)
        if not kind.published_ratio or kind.metrics_used != [estimand.metric]:
            continue
        before, after = kind.selectors["to"], kind.selectors["of"]
        if all((before.get(factor), after.get(factor)) == ends for factor, ends in estimand.factors.items()):
            return claim.published.value
    return None


def _draw_decomposition(effect: DecomposedEffect, folder: Path, name: str, messages: Messages) -> None:
    title = title_lines(f"{effect.claim}  {effect.title}")
    height = 1.2 + 0.42 * len(effect.measured) + 0.16 * len(title)
    with drawing(1, 6.4, [height], messages) as (figure, (axes,)):
        axes.set_xscale("log")
        rows = [] if effect.published is None else [messages.text("figure.the_text")]
        ends = [1.0]
        if effect.published is not None:
            (bar,) = axes.barh(
                0, effect.published - 1, left=1, height=0.5, facecolor="none", edgecolor=INK, linewidth=0.8
            )
            times = f"× {number(effect.published)}"
            tell(bar, messages.text("figure.mark.published", mark=effect.claim, value=times))
            _write(axes, 0, times)
            ends.append(effect.published)
        for place, measured in enumerate(effect.measured, start=len(rows)):
            ends += _draw_steps(effect, measured, axes, place)
        rows += [measured.environment for measured in effect.measured]
        axes.axvline(1, color=QUIET, linewidth=0.8)
        axes.set_yticks(range(len(rows)), rows)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.tick_params(axis="y", length=0)
        spread = max(max(ends) / min(ends), 2.0)
        axes.set_xlim(min(ends) / spread**0.04, max(ends) * spread**0.04)
        few_ticks(axes.xaxis, axes.get_xlim())
        before, after = (" ".join(levels[end] for levels in effect.factors.values()) for end in (0, 1))
        axes.set_xlabel(messages.text("reason.times", metric=effect.metric, of=after, to=before, times="…"))
        axes.set_title("\n".join(title))
        handles = [Patch(color=_shade(effect, factor), label=factor) for factor in effect.factors]
        figure.legend(handles=handles, loc="outside lower left", ncols=len(handles))
        others = [factor for factor in effect.factors if factor != effect.cause]
        key = "figure.decomposition.caption" if len(others) == 1 else "figure.decomposition.caption.several"
        save(figure, folder, name, messages.text(key, cause=effect.cause, others=others))


def _draw_steps(effect: DecomposedEffect, measured: EnvironmentEffect, axes: Axes, place: int) -> list[float]:
    """One environment's effects one after the other, and the places that they reach."""
    reached, words = [1.0], []
    count = len(effect.factors)
    thickness = 0.7 / count
    for index, factor in enumerate(effect.factors):
        times, share = measured.found.effects[factor], measured.found.shares.get(factor)
        start, end = reached[-1], reached[-1] * times
        # A lane for each factor, so that an effect that goes back does not hide another.
        lane = place + (index - (count - 1) / 2) * thickness
        (bar,) = axes.barh(lane, end - start, left=start, height=thickness, color=_shade(effect, factor), linewidth=0)
        reached.append(end)
        words.append(f"{factor} × {number(times)}" + ("" if share is None else f" ({whole_percent(share)})"))
        tell(bar, f"{effect.claim}, {measured.environment}: {words[-1]}")
    _write(axes, place, "\n".join([f"× {number(measured.found.total)}", *words]))
    return reached


def _write(axes: Axes, place: int, text: str) -> None:
    where = ("axes fraction", "data")
    axes.annotate(text, (1, place), xycoords=where, xytext=(8, 0), textcoords="offset points", va="center", fontsize=7)


def _shade(effect: DecomposedEffect, factor: str) -> str:
    return INK if factor == effect.cause else QUIET


def _draw_interaction(effect: DecomposedEffect, folder: Path, name: str, messages: Messages) -> None:
    first, second = effect.factors
    columns = min(COLUMNS, len(effect.measured))
    rows = -(-len(effect.measured) // columns)
    with drawing(columns, 3.2 * columns, [2.3] * rows, messages) as (figure, axes):
        for spare in axes[len(effect.measured) :]:
            spare.set_visible(False)
        shown = np.concatenate([measured.times.ravel() for measured in effect.measured])
        for index, (measured, each) in enumerate(zip(effect.measured, axes, strict=False)):
            _draw_corners(effect, measured, each, messages)
            each.set_yscale("log")
            each.set_ylim(shown.min() / 1.5, shown.max() * 1.5)
            each.set_xlim(-0.3, 1.3)
            each.set_xticks([0, 1], effect.factors[first])
            few_ticks(each.yaxis, each.get_ylim())
            if index % columns == 0:
                each.set_ylabel(messages.text("figure.axis", metric=effect.metric))
            if index + columns >= len(effect.measured):
                each.set_xlabel(first)
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper left", ncols=len(labels), title=second, alignment="left")
        save(figure, folder, name, messages.text("figure.interaction.caption", factor=second))


def _draw_corners(effect: DecomposedEffect, measured: EnvironmentEffect, axes: Axes, messages: Messages) -> None:
    """One environment: a line for each level of the second factor."""
    (first, first_levels), (second, second_levels) = effect.factors.items()
    corners = measured.times.reshape(-1, 2, 2)
    for line, (level, colour) in enumerate(zip(second_levels, effect.colours, strict=True)):
        times = corners[:, :, line]
        places = np.broadcast_to([0.0, 1.0], times.shape)
        (dots,) = axes.plot(places.ravel(), times.ravel(), "o", color=colour, markersize=3, alpha=0.5, linewidth=0)
        means = np.exp(np.log(times).mean(axis=0))
        (drawn,) = axes.plot([0, 1], means, color=colour, label=level)
        here = f"{measured.environment}, {second} {level}"
        ends = [f"{first} {end}: {number(mean)}" for end, mean in zip(first_levels, means.tolist(), strict=True)]
        tell(drawn, messages.text("figure.mark.means", mark=here, means=ends))
        blocks = zip(list(first_levels) * len(times), times.ravel().tolist(), strict=True)
        tell(
            dots,
            *(messages.text("figure.mark.block", mark=f"{here}, {first} {end}", value=value) for end, value in blocks),
        )
    interaction = measured.found.interactions[f"{first} x {second}"]
    title = messages.text("figure.interaction.panel", environment=measured.environment, interaction=interaction)
    axes.set_title(title)
