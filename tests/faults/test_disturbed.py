"""Processes beside which another program kept a CPU busy are told apart, kept, measured again, and replaced."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
from tests.support.make import make_command

from tf_claims.bench.checkout import environment

pytestmark = pytest.mark.container
CELL = "linear_regression/tf1.15-cpu"


def test_a_busy_loop_beside_a_block_is_found_and_the_block_is_replaced(spoilt: Path):
    scenario = spoilt / "scenarios/linear_regression/scenario.yaml"
    scenario.write_text(scenario.read_text().replace("blocks: {least: 2, most: 2}", "blocks: {least: 2, most: 6}"))
    blocks = spoilt / "results/smoke/observations" / CELL
    for path in blocks.iterdir():
        path.unlink()
    command = make_command("reproduce", PRESET="smoke", ENVS="tf1.15-cpu", SCENARIOS="linear_regression")
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        run = subprocess.Popen(command, cwd=spoilt, env=environment(), stderr=subprocess.PIPE, text=True)
        while run.poll() is None and not list(blocks.glob("[0-9].jsonl")):
            time.sleep(0.2)
    finally:
        busy.kill()
        busy.wait()
    _, told = run.communicate()
    assert run.returncode == 0, told[-3000:]

    first = next(iter(sorted(blocks.glob("[0-9].jsonl"), key=lambda path: path.stat().st_mtime_ns))).stem
    quality = pd.read_csv(spoilt / "results/smoke/tables/quality.csv").set_index("block")
    assert 0 < quality.loc[int(first), "disturbed"] <= quality.loc[int(first), "processes"]
    assert "other programs used" in quality.loc[int(first), "reason"]
    # The disturbed ones were measured again at the end of the block, and all observations are kept.
    lines = (blocks / f"{first}.jsonl").read_text().splitlines()
    assert len(lines) == quality.loc[int(first), "processes"] + quality.loc[int(first), "disturbed"]
    # The first look comes after two blocks; where the loop went on beside the second attempts, at least one more block
    # is measured.
    assert len(quality) >= 3 or quality.loc[int(first), "replaced"] > 0
