"""How many blocks of a run were disturbed, from the table of their quality."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import NamedTuple


class Quality(NamedTuple):
    """``reason`` is that of one disturbed block, "" where there is none."""

    blocks: int
    disturbed: int
    reason: str

    @property
    def mostly_disturbed(self) -> bool:
        return self.disturbed > self.blocks / 2


def read_quality(tables: Path) -> Quality:
    """From ``quality.csv`` in the folder of the tables; of no block where it is not there."""
    path = tables / "quality.csv"
    if not path.exists():
        return Quality(0, 0, "")
    with path.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    counts = Counter(row["quality"] for row in rows)
    reason = next((row["reason"] for row in rows if row["quality"] == "disturbed"), "")
    return Quality(len(rows), counts["disturbed"], reason)
