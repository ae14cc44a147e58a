"""A clock that was wrong loses no measured block."""

from __future__ import annotations

import os
import time
from pathlib import Path

from tf_claims.model.results import Results
from tf_claims.run.dates import settle

YEAR = 365 * 86_400


def dated(path: Path, moment: float) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    os.utime(path, (moment, moment))
    return path


def test_plans_of_the_future_are_dated_before_their_blocks(tmp_path: Path) -> None:
    results, now = Results(tmp_path), time.time()
    plan = dated(results.plan("s", "e"), now + YEAR)
    place = dated(results.prepared("s", "e"), now + YEAR)
    first, second = (dated(results.block("s", "e", n), now + age) for n, age in ((1, -100), (2, YEAR + 10)))
    settle(results)
    assert plan.stat().st_mtime <= first.stat().st_mtime and place.stat().st_mtime <= first.stat().st_mtime
    assert abs(first.stat().st_mtime - (now - 100)) < 1 and second.stat().st_mtime <= time.time()


def test_a_plan_that_changed_after_its_blocks_stays_younger(tmp_path: Path) -> None:
    results, now = Results(tmp_path), time.time()
    dated(results.block("s", "e", 1), now - 100)
    plan = dated(results.plan("s", "e"), now - 50)
    settle(results)
    assert abs(plan.stat().st_mtime - (now - 50)) < 1


def test_a_plan_of_the_future_without_blocks_is_of_now(tmp_path: Path) -> None:
    results = Results(tmp_path)
    plan = dated(results.plan("s", "e"), time.time() + YEAR)
    settle(results)
    assert abs(plan.stat().st_mtime - time.time()) < 5
