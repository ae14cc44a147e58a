"""What the validation must show, and whether it does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tf_claims.validate.noise import TWO_STATES
from tf_claims.validate.sequential import SequentialCell
from tf_claims.validate.summary import Summary

COVERAGE = (0.93, 0.97)
MOST_FALSE = 0.05
REFUTED = 0.95
SAME = 1.05  # the largest ratio that counts as the same
FEWEST_COMPARISONS = 40
LAYOUT = (0.03, 0.07)
NOTICED, DETECTED = 0.05, 0.90


class Criterion(NamedTuple):
    """A property of the harness: what was wanted, what was found."""

    name: str
    wanted: str
    found: str
    holds: bool


def judge(summary: Summary, sequential: Sequence[SequentialCell]) -> list[Criterion]:
    """All criteria. What is measured depends on how quiet the machine was; what is simulated does not."""
    fixed = [cell.coverage for cell in summary.coverage if cell.noise not in TWO_STATES]
    two = [cell.coverage for cell in summary.coverage if cell.noise in TWO_STATES]
    looks = [cell.coverage for cell in sequential]
    within = f"{100 * COVERAGE[0]:.0f} to {100 * COVERAGE[1]:.0f} %"
    at_most = f"at most {100 * MOST_FALSE:.0f} %"
    aa, own, detected = summary.aa, summary.aa_claims, summary.detection[f"{NOTICED:.2f}"]  # type: ignore[index]
    return [
        Criterion("95 % intervals hold the truth, 5, 10 or 20 blocks", within, _range(fixed), _between(fixed)),
        Criterion("95 % intervals hold the truth, blocks added as needed", within, _range(looks), _between(looks)),
        Criterion(
            "95 % intervals hold the truth where times lie in two places",
            f"at least {100 * COVERAGE[0]:.0f} %",
            f"{_range(two)}; of the verdicts {100 * summary.withheld:.1f} % are withheld",
            min(two) >= COVERAGE[0],
        ),
        Criterion(
            "No difference, but “reproduced”",
            at_most,
            f"{100 * summary.false_reproduced:.1f} %",
            summary.false_reproduced <= MOST_FALSE,
        ),
        Criterion(
            "On the edge of the band, but “reproduced”",
            at_most,
            f"{100 * summary.false_reproduced_at_edge:.1f} %",
            summary.false_reproduced_at_edge <= MOST_FALSE,
        ),
        Criterion(
            "No difference, a published factor of 2 is contradicted",
            f"at least {100 * REFUTED:.0f} % with typical noise",
            f"{100 * summary.refuted:.1f} %",
            summary.refuted >= REFUTED,
        ),
        Criterion(
            "Different by the margin, but “equivalent”",
            at_most,
            f"{100 * summary.false_equivalent:.1f} %",
            summary.false_equivalent <= MOST_FALSE,
        ),
        Criterion(
            "The same code under two names, not equivalent within 5 %",
            f"{at_most} of at least {FEWEST_COMPARISONS}",
            f"{aa.failures} of {aa.comparisons}",
            aa.comparisons >= FEWEST_COMPARISONS and aa.failures <= MOST_FALSE * aa.comparisons,
        ),
        Criterion(
            "A claim's own program under two names, the 95 % interval excludes 1",
            f"{at_most} of at least {FEWEST_COMPARISONS}",
            f"{own.failures} of {own.comparisons}",
            own.comparisons >= FEWEST_COMPARISONS and own.failures <= MOST_FALSE * own.comparisons,
        ),
        Criterion(
            "5 % planted where the time hangs on the memory's layout",
            f"{100 * LAYOUT[0]:.0f} to {100 * LAYOUT[1]:.0f} % in each environment",
            ", ".join(f"{100 * share:.1f} % in {name}" for name, share in summary.layout.items()),
            bool(summary.layout) and all(LAYOUT[0] <= share <= LAYOUT[1] for share in summary.layout.values()),
        ),
        Criterion(
            "A planted slow-down of 5 % is found",
            f"at least {100 * DETECTED:.0f} % on a quiet machine",
            f"{100 * detected:.0f} %",
            detected >= DETECTED,
        ),
    ]


def _between(values: Sequence[float]) -> bool:
    return all(COVERAGE[0] <= value <= COVERAGE[1] for value in values)


def _range(values: Sequence[float]) -> str:
    return f"{100 * min(values):.1f} to {100 * max(values):.1f} %"
