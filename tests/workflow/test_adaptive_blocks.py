"""Blocks are added until the claims are as precise as they ask for, or a limit is reached."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from tests.support.make import make_in

from tf_claims.model.selectors import label

pytestmark = pytest.mark.container
CELL = "linear_regression/tf1.15-cpu"


def test_blocks_are_added_until_the_limit_and_no_block_is_measured_twice(spoilt: Path):
    scenario = spoilt / "scenarios/linear_regression/scenario.yaml"
    text = scenario.read_text().replace("blocks: {least: 2, most: 2}", "blocks: {least: 2, most: 5}")
    scenario.write_text(text.replace("  C1:\n", "  C1:\n    precision: 1.0e-6\n"))
    blocks = spoilt / "results/smoke/observations" / CELL
    before = {path.name: path.stat().st_mtime_ns for path in blocks.iterdir()}
    assert set(before) == {"1.jsonl", "2.jsonl"}

    done = make_in(spoilt)("reproduce", PRESET="smoke", ENVS="tf1.15-cpu", SCENARIOS="linear_regression")
    assert done.returncode == 0, done.stderr[-3000:]

    after = {path.name: path.stat().st_mtime_ns for path in blocks.iterdir()}
    assert set(after) == {f"{number}.jsonl" for number in range(1, 6)}
    assert before.items() <= after.items()
    looks = spoilt / "results/smoke/looks" / CELL
    told = {int(path.stem): json.loads(path.read_text())["blocks"] for path in looks.glob("*.json")}
    seen = [2]
    while told[seen[-1]] > seen[-1]:
        seen.append(told[seen[-1]])
    # Never more than twice the blocks so far: 2, then 4, then the limit; fewer where a busy host disturbed some.
    assert all(following <= 2 * blocks for blocks, following in pairwise(seen))
    assert seen[-1] == 5 and set(told) == set(seen)
    # A further block holds what the look before it asks for, and nothing else: no known answers.
    for before_it, number in ((seen[0], seen[0] + 1), (seen[-2], 5)):
        asked = json.loads((looks / f"{before_it}.json").read_text())["variants"]
        lines = (blocks / f"{number}.jsonl").read_text().splitlines()
        assert {label(json.loads(line)["levels"]) for line in lines} == set(asked)
        assert not any("closed_form" in name for name in asked)
    verdicts = json.loads((spoilt / "results/smoke/verdicts.json").read_text())
    (c1,) = (each for each in verdicts if each["claim"] == "C1")
    dropped = c1["dropped_blocks"]  # on a busy host
    assert c1["blocks"] + dropped == 5  # the most precise claim is in each of them
    assert dropped or c1["disturbed"] or seen == [2, 4, 5]
    assert c1["stopped"] == {"key": "stopped.blocks", "values": {"blocks": 5}}


def test_a_block_that_is_measured_again_is_looked_at_again(spoilt: Path):
    blocks = spoilt / "results/smoke/observations" / CELL
    (blocks / "2.jsonl").unlink()
    kept = (blocks / "1.jsonl").stat().st_mtime_ns
    look = spoilt / "results/smoke/looks" / CELL / "2.json"
    before = look.stat().st_mtime_ns
    reproduce = make_in(spoilt)
    narrow = {"PRESET": "smoke", "ENVS": "tf1.15-cpu", "SCENARIOS": "linear_regression"}

    done = reproduce("reproduce", **narrow)
    assert done.returncode == 0, done.stderr[-3000:]
    assert look.stat().st_mtime_ns > before
    assert (blocks / "1.jsonl").stat().st_mtime_ns == kept
    assert (blocks / "2.jsonl").exists()

    again = reproduce("reproduce", **narrow)
    assert again.returncode == 0
    assert "nothing to do: results/smoke is complete" in again.stderr
