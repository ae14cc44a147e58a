"""``summary.json``: what the validation found, in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Literal

from pydantic import Field

from tf_claims.model.files import Strict
from tf_claims.validate.fixed_blocks import SimulatedCell
from tf_claims.validate.measured import HarnessVerdicts, found

Planted = Literal["0.03", "0.05", "0.10"]


class Coverage(Strict):
    """The share of ``runs`` whose 95 % interval holds the true ratio."""

    blocks: int
    noise: str
    coverage: float = Field(ge=0, le=1)
    runs: int


class SameCode(Strict):
    """A/A comparisons, and those of them that did not come out equivalent."""

    comparisons: int
    failures: int


class Summary(Strict):
    """``false_reproduced`` and ``false_equivalent`` are rates over all simulated runs of :class:`SimulatedCell`.

    ``detection`` is the share of planted slow-downs of each size that were found; ``noise_floor`` the median, over the
    A/A comparisons, of the relative half-width of the 95 % interval.
    """

    coverage: list[Coverage]
    false_reproduced: float = Field(ge=0, le=1)
    false_equivalent: float = Field(ge=0, le=1)
    aa: SameCode
    detection: dict[Planted, float]
    noise_floor: float


def summarise(cells: Sequence[SimulatedCell], measured: HarnessVerdicts) -> Summary:
    """The summary of what was simulated and what was measured."""
    runs = sum(cell.runs for cell in cells)
    return Summary(
        coverage=[Coverage(**cell.model_dump(include=set(Coverage.model_fields))) for cell in cells],
        false_reproduced=sum(cell.false_reproduced * cell.runs for cell in cells) / runs,
        false_equivalent=sum(cell.false_equivalent * cell.runs for cell in cells) / runs,
        aa=SameCode(
            comparisons=len(measured.same), failures=sum(each.verdict != "reproduced" for each in measured.same)
        ),
        detection={f"{planted:.2f}": sum(map(found, each)) / len(each) for planted, each in measured.planted.items()},
        noise_floor=median(each.half_width for each in measured.same if each.half_width is not None),
    )
