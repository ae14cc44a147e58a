"""Files that are dated in the future, by a clock that was wrong, would have measured blocks measured again.

Snakemake makes a file again where an input is younger (snakemake/snakemake#3261): a plan that is dated next year is
younger than every block.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from tf_claims.model.results import Results


def settle(results: Results) -> None:
    """Date the blocks and plans of a run that are dated in the future back to now, plans before their blocks."""
    now = time.time()
    for block in results.blocks.glob("*/*/*.jsonl"):
        _no_later_than(block, now)
    for plan in results.plans.glob("*/*"):
        blocks = (results.blocks / plan.parent.name / plan.stem).glob("*.jsonl")
        oldest = min((block.stat().st_mtime for block in blocks), default=now)
        if plan.stat().st_mtime > now:
            _no_later_than(plan, oldest)


def _no_later_than(path: Path, moment: float) -> None:
    if path.stat().st_mtime > moment:
        os.utime(path, (moment, moment))
