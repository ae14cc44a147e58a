"""The figures of the validation page: coverage, the same code under two names, and planted slow-downs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from scipy.stats import binomtest

from tf_claims.figures.style import COLOURS, INK, QUIET, drawing, save
from tf_claims.model.verdict import Verdict
from tf_claims.validate.criteria import COVERAGE, DETECTED, NOTICED, SAME
from tf_claims.validate.fixed_blocks import BLOCKS, SimulatedCell
from tf_claims.validate.measured import HarnessVerdicts, SameProgram, found

BAND = "#e6edf2"
Numbers = tuple[float | None, float | None, float | None]


def draw_figures(cells: Sequence[SimulatedCell], measured: HarnessVerdicts, folder: Path) -> None:
    """All of them, as SVG and PDF with their captions."""
    _draw_coverage(cells, folder)
    _draw_same(measured.same, folder)
    _draw_programs(measured.twice, folder)
    _draw_planted(measured.planted, folder)


def _draw_coverage(cells: Sequence[SimulatedCell], folder: Path) -> None:
    caption = (
        "How often the 95 % interval holds the true ratio in simulated runs, for each kind of noise and number of "
        "blocks. Bars: two standard errors of the simulation. Shaded: 93 to 97 %."
    )
    kinds = list(dict.fromkeys(cell.noise for cell in cells))
    with drawing(1, 6.4, [0.9 + 0.34 * len(kinds)]) as (figure, (axes,)):
        axes.axvspan(*(100 * end for end in COVERAGE), color=BAND, linewidth=0)
        axes.axvline(95, color=QUIET, linewidth=0.8)
        for series, blocks in enumerate(BLOCKS):
            of_these = [cell for cell in cells if cell.blocks == blocks]
            places = [kinds.index(cell.noise) + (series - 1) * 0.2 for cell in of_these]
            errors = [200 * math.sqrt(cell.coverage * (1 - cell.coverage) / cell.runs) for cell in of_these]
            values = [100 * cell.coverage for cell in of_these]
            look: dict[str, Any] = {"fmt": "osD"[series], "markersize": 4, "linewidth": 1, "color": COLOURS[series]}
            axes.errorbar(values, places, xerr=errors, label=f"{blocks} blocks", **look)
        axes.set_xlim(90, 100)
        axes.set_xlabel("intervals that hold the truth, %")
        _list(axes, kinds)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(BLOCKS))
        save(figure, folder, "coverage", caption)


def _draw_same(same: Sequence[Verdict], folder: Path) -> None:
    caption = (
        "The same code under two names, in real containers: the measured difference with its 95 % interval. Shaded: "
        "5 %, inside which the two must come out equivalent. Filled dots did, hollow ones did not."
    )
    rows = {
        f"{each.claim.removeprefix('same-')}, {each.environment}": (_ends(each), each.verdict == "reproduced")
        for each in same
    }
    with _differences(rows, "two names of the same code", folder, "same_code", caption) as axes:
        axes.axvspan(*(100 * (end - 1) for end in (1 / SAME, SAME)), color=BAND)


def _draw_programs(programs: Sequence[SameProgram], folder: Path) -> None:
    caption = (
        "The claims' own programs, which use several threads, twice in every block: the measured difference with its "
        "95 % interval. Hollow dots: the interval excludes no difference."
    )
    rows = {f"{each.variant}, {each.environment}": (each.ratio[:3], each.holds_one) for each in programs}
    with _differences(rows, "two runs of the same program", folder, "same_programs", caption):
        pass


@contextmanager
def _differences(
    rows: Mapping[str, tuple[Numbers, bool]], of: str, folder: Path, name: str, caption: str
) -> Iterator[Axes]:
    """A figure with an interval a row, its dot filled or hollow, around no difference; more may be drawn in it."""
    with drawing(1, 6.4, [0.7 + 0.16 * len(rows)]) as (figure, (axes,)):
        yield axes
        axes.axvline(0, color=QUIET, linewidth=0.8)
        for place, (numbers, filled) in enumerate(rows.values()):
            _interval(axes, numbers, place, COLOURS[0], filled)
        axes.set_xlabel(f"difference between {of}, %")
        _list(axes, list(rows))
        axes.tick_params(axis="y", labelsize=7)
        save(figure, folder, name, caption)


def _draw_planted(planted: dict[float, list[Verdict]], folder: Path) -> None:
    caption = (
        "Planted slow-downs. Left: what was planted and what was measured, with 95 % intervals; hollow dots were not "
        "found, lines show what was planted. Right: the share that was found, with its 95 % interval (Wilson)."
    )
    with drawing(2, 6.4, [3.0]) as (figure, (left, right)):
        left.axhline(0, color=INK, linewidth=0.6)
        places = range(len(planted))
        for place, (size, verdicts) in zip(places, planted.items(), strict=True):
            left.plot([place - 0.45, place + 0.45], [100 * size] * 2, color=QUIET, linewidth=0.8)
            for number, each in enumerate(verdicts):
                beside = place + 0.8 * ((number + 0.5) / len(verdicts) - 0.5)
                _interval(left, _ends(each), beside, COLOURS[1], found(each), upright=True)
        left.set(xlabel="planted", ylabel="measured, %")
        left.set_xticks(places, [f"{100 * size:.0f} %" for size in planted])
        sizes = [100 * size for size in planted]
        shares = {size: (sum(map(found, each)), len(each)) for size, each in planted.items()}
        ends = [wilson(*share) for share in shares.values()]
        rates = [100 * part / whole for part, whole in shares.values()]
        bars = [
            [max(0.0, rate - 100 * low) for rate, (low, _) in zip(rates, ends, strict=True)],
            [max(0.0, 100 * high - rate) for rate, (_, high) in zip(rates, ends, strict=True)],
        ]
        right.axhline(100 * DETECTED, color=QUIET, linewidth=0.8, linestyle=(0, (2, 2)))
        right.errorbar(sizes, rates, yerr=bars, fmt="o-", color=COLOURS[1], markersize=5, linewidth=1)
        right.annotate(
            f"wanted at {100 * NOTICED:.0f} %",
            (sizes[-1], 100 * DETECTED),
            (0, -10),
            textcoords="offset points",
            ha="right",
            color=QUIET,
        )
        right.set(xlabel="planted, %", ylabel="found, %", ylim=(0, 105))
        right.set_xticks(sizes)
        save(figure, folder, "planted", caption)


def _ends(verdict: Verdict) -> Numbers:
    return verdict.estimate, verdict.ci_low, verdict.ci_high


def _interval(axes: Axes, numbers: Numbers, place: float, colour: str, filled: bool, upright: bool = False) -> None:
    """An estimate with the ends of its interval, which are ratios, as percentages of difference."""
    value, low, high = (100 * (number - 1) for number in numbers if number is not None)
    bar, dot = ([low, high], [place, place]), ([value], [place])
    axes.plot(*(bar[::-1] if upright else bar), color=colour, linewidth=1.2)
    fill = colour if filled else "white"
    axes.plot(*(dot[::-1] if upright else dot), "o", color=colour, markerfacecolor=fill, markersize=4)


def _list(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def wilson(part: int, whole: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson, J. Am. Stat. Assoc. 22, 1927)."""
    interval = binomtest(part, whole).proportion_ci(method="wilson")
    return float(interval.low), float(interval.high)
