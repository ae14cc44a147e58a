"""How many processes of a run were disturbed, from the table of the blocks' quality, and by what."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tf_claims.verdicts.judgement import Judgement

BlockName = tuple[str, str, int]
"""Scenario, environment and number."""


class Quality(NamedTuple):
    """``replaced`` of the ``disturbed`` processes were measured again well.

    ``reasons`` are those of one disturbed process, as a value of a message; "" where there is none.
    """

    processes: int
    disturbed: int
    replaced: int
    reasons: object

    @property
    def left(self) -> int:
        """Those for which nothing but a disturbed measurement is there."""
        return self.disturbed - self.replaced

    @property
    def mostly_disturbed(self) -> bool:
        """Whether these are more than half of all."""
        return self.left > self.processes / 2


def disturbed_blocks(judgements: Sequence[Judgement]) -> dict[BlockName, object]:
    """The blocks in which a verdict had to see a disturbed process, and by what."""
    return {
        (each.verdict.scenario, each.verdict.environment, block): why.values["reasons"]
        for each in judgements
        if each.evidence is not None
        for block, why in each.evidence.disturbed.items()
    }


def read_quality(tables: Path, judgements: Sequence[Judgement] = ()) -> Quality:
    """From ``quality.csv`` in the folder of the tables; of no process where it is not there."""
    path = tables / "quality.csv"
    if not path.exists():
        return Quality(0, 0, 0, "")
    with path.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    # Where there is no verdict, the table alone has the reason, in English.
    told = next((row["reason"] for row in rows if row["reason"]), "")
    reasons = next(iter(disturbed_blocks(judgements).values()), told)
    processes, disturbed, replaced = (
        sum(int(row[name]) for row in rows) for name in ("processes", "disturbed", "replaced")
    )
    return Quality(processes, disturbed, replaced, reasons)
