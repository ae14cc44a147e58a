"""``summary.json``: what the validation found, in numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median
from typing import Literal

from pydantic import Field

from tf_claims.model.files import Strict
from tf_claims.validate.fixed_blocks import SimulatedCell
from tf_claims.validate.measured import SENSITIVE, HarnessVerdicts, found
from tf_claims.validate.noise import KINDS, TWO_STATES

Planted = Literal["0.03", "0.05", "0.10"]


class Coverage(Strict):
    """The share of ``runs`` whose 95 % interval holds the true ratio.

    ``withheld`` is the share whose verdict is withheld for states of the times, ``coverage_shown`` that of the others.
    """

    blocks: int
    noise: str
    coverage: float = Field(ge=0, le=1)
    withheld: float = Field(ge=0, le=1)
    coverage_shown: float | None = Field(ge=0, le=1)
    runs: int


class SameCode(Strict):
    """A/A comparisons, and those of them that did not come out equivalent."""

    comparisons: int
    failures: int


class Summary(Strict):
    """``aa_claims`` is ``aa`` for the claims' own programs: their failures are intervals of the ratio that exclude 1.

    ``layout`` is the share that was measured where 5 % were planted in the loop that is sensitive to where its memory
    lies, by environment.

    The rates of false words are over all simulated runs of :class:`SimulatedCell`.

    ``refuted`` is over those whose noise is typical or less (the first two of :data:`KINDS`), since how often a
    difference is found depends on the noise.

    ``withheld`` is the share of the runs with two states whose verdict is withheld for these.

    ``detection`` is the share of planted slow-downs of each size that were found; ``noise_floor`` the median, over the
    A/A comparisons, of the relative half-width of the 95 % interval.
    """

    coverage: list[Coverage]
    false_reproduced: float = Field(ge=0, le=1)
    false_reproduced_at_edge: float = Field(ge=0, le=1)
    false_equivalent: float = Field(ge=0, le=1)
    refuted: float = Field(ge=0, le=1)
    withheld: float = Field(ge=0, le=1)
    aa: SameCode
    aa_claims: SameCode
    layout: dict[str, float]
    detection: dict[Planted, float]
    noise_floor: float


def summarise(cells: Sequence[SimulatedCell], measured: HarnessVerdicts) -> Summary:
    """The summary of what was simulated and what was measured."""
    usual = [cell for cell in cells if cell.noise in {each.name for each in KINDS[:2]}]
    return Summary(
        coverage=[Coverage(**cell.model_dump(include=set(Coverage.model_fields))) for cell in cells],
        false_reproduced=_rate((cell.false_reproduced, cell.runs) for cell in cells),
        false_reproduced_at_edge=_rate((cell.false_reproduced_at_edge, cell.runs) for cell in cells),
        false_equivalent=_rate((cell.false_equivalent, cell.runs) for cell in cells),
        refuted=_rate((cell.refuted, cell.runs) for cell in usual),
        withheld=_rate((cell.withheld, cell.runs) for cell in cells if cell.noise in TWO_STATES),
        aa=SameCode(
            comparisons=len(measured.same), failures=sum(each.verdict != "reproduced" for each in measured.same)
        ),
        aa_claims=SameCode(
            comparisons=len(measured.twice), failures=sum(not each.holds_one for each in measured.twice)
        ),
        layout={
            each.environment: each.estimate - 1
            for each in measured.planted.get(0.05, [])
            if each.claim == SENSITIVE and each.estimate is not None
        },
        detection={f"{planted:.2f}": sum(map(found, each)) / len(each) for planted, each in measured.planted.items()},
        noise_floor=median(each.half_width for each in measured.same if each.half_width is not None),
    )


def _rate(cells: Iterable[tuple[float, int]]) -> float:
    found = list(cells)
    return sum(rate * runs for rate, runs in found) / sum(runs for _, runs in found)
