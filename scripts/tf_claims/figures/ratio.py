"""Published against measured ratios: a panel a claim, a line an environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from tf_claims.estimands.kind import Chosen, kind_of, names
from tf_claims.figures.style import INK, QUIET, colour_of, drawing, few_ticks, save, tell, title_lines
from tf_claims.model.scenario import Scenario
from tf_claims.statistics.intervals import Floats
from tf_claims.verdicts.judgement import Judgement
from tf_claims.words.messages import ENGLISH, Messages
from tf_claims.words.numbers import number


class EnvironmentRatio(NamedTuple):
    """One environment's estimate, its interval and the ratio of every block."""

    environment: str
    estimate: float
    low: float
    high: float
    points: Floats


class RatioPanel(NamedTuple):
    """One claim; ``of`` over ``to``, in the ``colour`` of ``of``."""

    claim: str
    title: str
    axis: str
    published: float
    colour: str
    measured: Sequence[EnvironmentRatio]


def draw(
    name: str, scenario: Scenario, judged: Mapping[str, Sequence[Judgement]], folder: Path, messages: Messages
) -> None:
    """``<scenario>_ratios``: all ratios of a scenario in one figure."""
    panels = [_panel(scenario, claim, judgements, messages) for claim, judgements in judged.items()]
    draw_ratios(panels, folder, f"{name}_ratios", messages)


def _panel(scenario: Scenario, name: str, judgements: Sequence[Judgement], messages: Messages) -> RatioPanel:
    claim = scenario.claims[name]
    of, to = judgements[0].variants
    named = names(Chosen(of, {}, {}), Chosen(to, {}, {}))
    axis = messages.text("reason.times", metric=kind_of(claim).metrics_used[0], of=named[0], to=named[1], times="…")
    colour = colour_of(scenario, of[scenario.calls])
    published = np.nan if claim.published.value is None else claim.published.value
    measured = [_measured(judgement) for judgement in judgements]
    return RatioPanel(name, messages.written(claim.statement), axis, published, colour, measured)


def _measured(judgement: Judgement) -> EnvironmentRatio:
    verdict, evidence = judgement.verdict, judgement.evidence
    assert evidence is not None
    estimate, low, high = (
        np.nan if each is None else each for each in (verdict.estimate, verdict.ci_low, verdict.ci_high)
    )
    return EnvironmentRatio(verdict.environment, estimate, low, high, evidence.used[:, 0] / evidence.used[:, 1])


def draw_ratios(panels: Sequence[RatioPanel], folder: Path, name: str, messages: Messages = ENGLISH) -> None:
    """The figure ``name`` in ``folder``."""
    with drawing(1, 6.4, [_height(panel) for panel in panels], messages) as (figure, axes):
        for panel, each in zip(panels, axes, strict=True):
            _draw(panel, each, messages)
        save(figure, folder, name, messages.text("figure.ratios.caption"))


def _title(panel: RatioPanel) -> list[str]:
    return title_lines(f"{panel.claim}  {panel.title}")


def _height(panel: RatioPanel) -> float:
    """Inches: a line for each environment, each line of the title, and the axis."""
    return 0.85 + 0.24 * len(panel.measured) + 0.16 * len(_title(panel))


def _draw(panel: RatioPanel, axes: Axes, messages: Messages) -> None:
    axes.set_xscale("log")
    for place, measured in enumerate(panel.measured):
        (ticks,) = axes.plot(
            measured.points, [place] * len(measured.points), "|", color=panel.colour, alpha=0.45, markersize=9
        )
        (bar,) = axes.plot([measured.low, measured.high], [place, place], color=panel.colour, linewidth=2)
        (dot,) = axes.plot(measured.estimate, place, "o", color=panel.colour, markersize=5)
        text = number(measured.estimate)
        here = f"{panel.claim}, {measured.environment}"
        tell(ticks, *(messages.text("figure.mark.block", mark=here, value=float(point)) for point in measured.points))
        tell(bar, messages.text("figure.mark.interval", mark=here, low=measured.low, high=measured.high))
        tell(dot, f"{here}: {text}")
        axes.annotate(
            text,
            (1.0, place),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
        )
    top = -0.9
    (diamond,) = axes.plot(panel.published, top, "D", color=INK, markersize=5, clip_on=False)
    tell(diamond, f"{panel.claim}, {messages.text('figure.published', value=panel.published)}")
    axes.annotate(
        messages.text("figure.published", value=panel.published),
        (panel.published, top),
        xytext=(8, 0),
        textcoords="offset points",
        va="center",
    )
    axes.axvline(panel.published, color=INK, linewidth=0.6, linestyle=(0, (2, 2)))
    axes.axvline(1, color=QUIET, linewidth=0.8)
    axes.set_ylim(len(panel.measured) - 0.5, top - 0.5)
    axes.set_yticks(range(len(panel.measured)), [measured.environment for measured in panel.measured])
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(*_limits(panel))
    few_ticks(axes.xaxis, axes.get_xlim())
    axes.set_title("\n".join(_title(panel)))
    axes.set_xlabel(panel.axis)


def _limits(panel: RatioPanel) -> tuple[float, float]:
    """All that is shown, 1 included, and room for the words on the right of the published value."""
    shown = [1.0, panel.published]
    for measured in panel.measured:
        shown += [measured.low, measured.high, float(measured.points.min()), float(measured.points.max())]
    low, high = min(shown), max(shown)
    spread = max(high / low, 2.0)
    return low / spread**0.06, max(high * spread**0.06, panel.published * spread**0.3)
