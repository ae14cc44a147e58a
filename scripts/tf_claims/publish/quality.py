"""How many blocks of a run were disturbed, from the table of their quality, and by what."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tf_claims.verdicts.judgement import Judgement

BlockName = tuple[str, str, int]
"""Scenario, environment and number."""


class Quality(NamedTuple):
    """``reasons`` are those of one disturbed block, as a value of a message; "" where there is none."""

    blocks: int
    disturbed: int
    reasons: object

    @property
    def mostly_disturbed(self) -> bool:
        """Whether that is more than half of them."""
        return self.disturbed > self.blocks / 2


def disturbed_blocks(judgements: Sequence[Judgement]) -> dict[BlockName, object]:
    """The disturbed blocks of the cells that have verdicts, and by what."""
    return {
        (each.verdict.scenario, each.verdict.environment, block): why.values["reasons"]
        for each in judgements
        if each.evidence is not None
        for block, why in each.evidence.disturbed.items()
    }


def read_quality(tables: Path, judgements: Sequence[Judgement] = ()) -> Quality:
    """From ``quality.csv`` in the folder of the tables; of no block where it is not there."""
    path = tables / "quality.csv"
    if not path.exists():
        return Quality(0, 0, "")
    with path.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    counts = Counter(row["quality"] for row in rows)
    # Where there is no verdict, the table alone has the reason, in English.
    told = next((row["reason"] for row in rows if row["quality"] == "disturbed"), "")
    reasons = next(iter(disturbed_blocks(judgements).values()), told)
    return Quality(counts.total(), counts["disturbed"], reasons)
