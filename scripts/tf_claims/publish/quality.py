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
    """``reasons`` are those of one disturbed block, as values of a message; None where none are known."""

    blocks: int
    disturbed: int
    reasons: object

    @property
    def mostly_disturbed(self) -> bool:
        """Whether that is more than half of them."""
        return self.disturbed > self.blocks / 2


def disturbed_blocks(judgements: Sequence[Judgement]) -> dict[BlockName, object]:
    """The blocks that some verdict does without because they were disturbed, and by what."""
    return {
        (each.verdict.scenario, each.verdict.environment, block): why.values["reasons"]
        for each in judgements
        if each.evidence is not None
        for block, why in each.evidence.why_unused.items()
        if why.key == "disturbed"
    }


def read_quality(tables: Path, judgements: Sequence[Judgement] = ()) -> Quality:
    """From ``quality.csv`` in the folder of the tables; of no block where it is not there."""
    path = tables / "quality.csv"
    if not path.exists():
        return Quality(0, 0, None)
    with path.open(newline="") as lines:
        counts = Counter(row["quality"] for row in csv.DictReader(lines))
    reasons = next(iter(disturbed_blocks(judgements).values()), None)
    return Quality(counts.total(), counts["disturbed"], reasons)
