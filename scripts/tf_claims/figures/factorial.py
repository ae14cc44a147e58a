"""What explains a factor between two variants: its decomposition, and the factorial as an interaction plot."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from tf_claims.figures.style import INK, QUIET, drawing, save, tell
from tf_claims.statistics.attribution import Attribution
from tf_claims.statistics.intervals import Floats
from tf_claims.words.wording import number, ratio_phrase


class Measured(NamedTuple):
    """One environment: ``times`` are (blocks, corners), in the order of :func:`tf_claims.statistics.attribution.corners`."""

    environment: str
    found: Attribution
    times: Floats


class Factorial(NamedTuple):
    """An effect on ``metric`` and the factors that may explain it, each with its levels before and after.

    ``published`` is the whole effect in the text, where it has one; ``colours`` are those of the last factor's levels.
    """

    claim: str
    title: str
    metric: str
    factors: Sequence[tuple[str, tuple[str, str]]]
    cause: int
    published: float | None
    colours: tuple[str, str]
    measured: Sequence[Measured]


COLUMNS = 2
DECOMPOSED = (
    "A factor between two variants, taken apart: dark is what {cause} explains, light what {others} explain{s}, each "
    "times the other{all} being the whole (a log scale, so lengths add up). An effect below 1 goes back to the left. "
    "The percentages are the shares of the whole."
)
INTERACTION = (
    "Every combination of levels: small dots are the blocks, lines join their geometric means. Where the lines are "
    "parallel, the factors act independently and the interaction is 1; where they are close together, {factor} makes "
    "little difference."
)


def draw_factorial(factorial: Factorial, folder: Path, name: str) -> None:
    """``<name>_decomposition`` and, for two factors, ``<name>_interaction`` in ``folder``."""
    _draw_decomposition(factorial, folder, f"{name}_decomposition")
    if len(factorial.factors) == 2:
        _draw_interaction(factorial, folder, f"{name}_interaction")


def _draw_decomposition(factorial: Factorial, folder: Path, name: str) -> None:
    title = textwrap.fill(f"{factorial.claim}  {factorial.title}", 84)
    height = 1.2 + 0.42 * len(factorial.measured) + 0.16 * len(title.splitlines())
    with drawing(1, 6.4, [height]) as (figure, (axes,)):
        axes.set_xscale("log")
        rows = [] if factorial.published is None else ["the text"]
        ends = [1.0]
        if factorial.published is not None:
            bars = axes.barh(
                0, factorial.published - 1, left=1, height=0.5, facecolor="none", edgecolor=INK, linewidth=0.8
            )
            tell(bars[0], f"{factorial.claim}, published: × {number(factorial.published)}")
            _write(axes, 0, f"× {number(factorial.published)}")
            ends.append(factorial.published)
        for place, measured in enumerate(factorial.measured, start=len(rows)):
            ends += _draw_steps(factorial, measured, axes, place)
        rows += [measured.environment for measured in factorial.measured]
        axes.axvline(1, color=QUIET, linewidth=0.8)
        axes.set_yticks(range(len(rows)), rows)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.tick_params(axis="y", length=0)
        spread = max(max(ends) / min(ends), 2.0)
        axes.set_xlim(min(ends) / spread**0.04, max(ends) * spread**0.04)
        _tick(axes.xaxis, axes.get_xlim())
        before, after = (" ".join(levels[end] for _, levels in factorial.factors) for end in (0, 1))
        axes.set_xlabel(ratio_phrase(factorial.metric, after, before, "…"))
        axes.set_title(title)
        names = [factor for factor, _ in factorial.factors]
        handles = [Patch(color=_shade(factorial, index), label=factor) for index, factor in enumerate(names)]
        figure.legend(handles=handles, loc="outside lower left", ncols=len(handles))
        others = [factor for index, factor in enumerate(names) if index != factorial.cause]
        alone = len(others) == 1
        caption = DECOMPOSED.format(
            cause=names[factorial.cause], others=" and ".join(others), s="s" * alone, all="" if alone else "s"
        )
        save(figure, folder, name, caption)


def _draw_steps(factorial: Factorial, measured: Measured, axes: Axes, place: int) -> list[float]:
    """One environment's effects one after the other, and the places that they reach."""
    reached, words = [1.0], []
    count = len(factorial.factors)
    thickness = 0.7 / count
    for index, effect in enumerate(measured.found.effects):
        start, end = reached[-1], reached[-1] * (effect.value or 1.0)
        # A lane for each factor, so that an effect that goes back does not hide another.
        lane = place + (index - (count - 1) / 2) * thickness
        bars = axes.barh(lane, end - start, left=start, height=thickness, color=_shade(factorial, index), linewidth=0)
        reached.append(end)
        share = measured.found.shares[index].value
        part = "" if share is None else f" ({100 * share:.0f} %)"
        words.append(f"{factorial.factors[index][0]} × {number(effect.value or 1.0)}{part}")
        tell(bars[0], f"{factorial.claim}, {measured.environment}: {words[-1]}")
    total = measured.found.total.value
    _write(axes, place, "\n".join([f"× {number(total)}" if total else "no effect", *words]))
    return reached


def _write(axes: Axes, place: int, text: str) -> None:
    where = ("axes fraction", "data")
    axes.annotate(text, (1, place), xycoords=where, xytext=(8, 0), textcoords="offset points", va="center", fontsize=7)


def _shade(factorial: Factorial, index: int) -> str:
    return INK if index == factorial.cause else QUIET


def _draw_interaction(factorial: Factorial, folder: Path, name: str) -> None:
    (first, first_levels), (second, second_levels) = factorial.factors
    columns = min(COLUMNS, len(factorial.measured))
    rows = -(-len(factorial.measured) // columns)
    with drawing(columns, 3.2 * columns, [2.3] * rows) as (figure, axes):
        for spare in axes[len(factorial.measured) :]:
            spare.set_visible(False)
        shown = np.concatenate([measured.times.ravel() for measured in factorial.measured])
        for index, (measured, each) in enumerate(zip(factorial.measured, axes, strict=False)):
            corners = measured.times.reshape(-1, 2, 2)
            for line, (level, colour) in enumerate(zip(second_levels, factorial.colours, strict=True)):
                times = corners[:, :, line]
                places = np.broadcast_to([0.0, 1.0], times.shape)
                (dots,) = each.plot(
                    places.ravel(), times.ravel(), "o", color=colour, markersize=3, alpha=0.5, linewidth=0
                )
                means = np.exp(np.log(times).mean(axis=0))
                (drawn,) = each.plot([0, 1], means, color=colour, label=level)
                here = f"{measured.environment}, {second} {level}"
                ends = ", ".join(
                    f"{first} {end}: {number(mean)}" for end, mean in zip(first_levels, means, strict=True)
                )
                tell(drawn, f"{here}; geometric means {ends}")
                blocks = zip(list(first_levels) * len(times), times.ravel(), strict=True)
                tell(dots, *(f"{here}, {first} {end}: {number(value)} in one block" for end, value in blocks))
            each.set_yscale("log")
            each.set_ylim(shown.min() / 1.5, shown.max() * 1.5)
            each.set_xlim(-0.3, 1.3)
            each.set_xticks([0, 1], first_levels)
            interaction = measured.found.interactions[0, 1].value
            each.set_title(f"{measured.environment}: interaction × {number(interaction or 1.0)}")
            _tick(each.yaxis, each.get_ylim())
            if index % columns == 0:
                each.set_ylabel(_axis_of(factorial.metric))
            if index + columns >= len(factorial.measured):
                each.set_xlabel(first)
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper left", ncols=len(labels), title=second, alignment="left")
        save(figure, folder, name, INTERACTION.format(factor=second))


def _axis_of(metric: str) -> str:
    clock = metric.rsplit(".", 1)[-1]
    return {"wall_s": "wall time (s)", "cpu_s": "processor time (s)"}.get(clock, metric)


def _tick(axis: Axis, ends: tuple[float, float]) -> None:
    few = ends[1] / ends[0] < 50
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if few else (1.0,)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axis.set_minor_formatter(NullFormatter())
