"""What a cell makes of its blocks: attempts, disturbed and stopped processes, blocks with some of the variants."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from tests.support.cells import CELL, STUDY, busy_loop_in, cells_of

from tf_claims.bench.made_up import Change, study_files
from tf_claims.cells.measurements import read_measurements
from tf_claims.cells.tidy import tidy
from tf_claims.model.estimand import Column
from tf_claims.model.reason import because, decode
from tf_claims.tables.write import phase_table, quality_table
from tf_claims.verdicts.judge import judge, look_at
from tf_claims.words.messages import ENGLISH


def attempts(path: Path, good: bool) -> None:
    """A second attempt for each observation of a block, which took 3 s."""
    records = [json.loads(line) for line in path.read_text().splitlines()]
    again = copy.deepcopy(records)
    for position, record in enumerate(again, start=len(records)):
        record.update(attempt=2, position=position)
        record["phases"]["run"]["wall_s"] = 3.0
        record["conditions"]["disturbance"] |= {"wall_s": 50.0, "other_cpu_s": 0.5 if good else 47.0}
    path.write_text("".join(json.dumps(record) + "\n" for record in records + again))


@pytest.mark.parametrize("good", [True, False])
def test_the_second_attempt_counts_where_it_alone_is_good(tmp_path: Path, good: bool) -> None:
    """All observations stay; a variant has one value a block."""
    files = study_files(tmp_path, ["tf1.15-cpu"], 4, change=busy_loop_in(2))
    path = next(file for file in files if file.parent.parent.name == CELL[0] and file.stem == "2")
    attempts(path, good)
    table = tidy(files)
    pq.write_table(table, tmp_path / "observations.parquet")
    cell = read_measurements(tmp_path / "observations.parquet", STUDY)[CELL]
    variant = "numpy n=1000 raw cpu"
    taken = cell.rows(variant).loc[2, "run.wall_s"]
    first = json.loads(path.read_text().splitlines()[0])["levels"]
    assert first and (taken == 3.0) == good
    assert table.num_rows == sum(len(file.read_text().splitlines()) for file in files)
    found = cell.complete([Column(variant, "run.wall_s")], positive=True)
    assert (found.used, list(found.disturbed)) == (([0, 1, 2, 3], []) if good else ([0, 1, 3], [2]))
    (quality,) = [each for each in cell.quality if each.block == 2]
    many = len(cell.variants)
    assert quality[:4] == (2, many, many, many if good else 0)


def test_only_the_claims_of_a_disturbed_process_lose_the_block(tmp_path: Path) -> None:
    def change(record: dict[str, Any], chance: Any) -> None:
        if record["levels"]["implementation"] == "session_feed":
            busy_loop_in(2)(record, chance)

    cell = cells_of(tmp_path, change)[CELL]
    assert {block for _, block in cell.disturbed} == {2}
    numpy, feed = (Column(f"{name} n=1000 raw cpu", "run.wall_s") for name in ("numpy", "session_feed"))
    assert cell.complete([numpy], positive=True).used == [0, 1, 2, 3]
    assert cell.complete([feed, numpy], positive=True).used == [0, 1, 3]
    assert cell.complete([feed, numpy], positive=True, which="all").used == [0, 1, 2, 3]


def test_a_block_without_the_variants_of_a_claim_is_no_loss_of_it(tmp_path: Path) -> None:
    """Further blocks hold what is still open alone."""
    files = study_files(tmp_path, ["tf1.15-cpu"], 4, change=busy_loop_in())
    for path in files:
        if path.parent.parent.name == CELL[0] and path.stem in ("2", "3"):
            lines = [line for line in path.read_text().splitlines() if '"numpy_until_converged"' not in line]
            path.write_text("\n".join(lines) + "\n")
    pq.write_table(tidy(files), tmp_path / "observations.parquet")
    cells = read_measurements(tmp_path / "observations.parquet", STUDY)
    verdicts = {each.verdict.claim: each for each in judge(STUDY, cells)}
    assert (verdicts["C1"].verdict.blocks, verdicts["C6"].verdict.blocks) == (4, 2)
    assert (verdicts["C6"].verdict.dropped_blocks, verdicts["C6"].evidence.numbers) == (0, [0, 1])


def timed_out_in(*blocks: int, implementation: str) -> Change:
    def change(record: dict[str, Any], _: Any) -> None:
        if record["block"] in blocks and record["levels"]["implementation"] == implementation:
            record.update(status="timeout", reason="stopped after 900 s", results={})
            del record["phases"]["run"]
            earlier = sum(each["wall_s"] for each in record["phases"].values())
            record["cost"]["wall_s"] = earlier + 900.0

    return change


def test_a_process_that_was_stopped_bounds_the_ratio(tmp_path: Path) -> None:
    """What took 900 s or more, where the other took a tenth of a second, is slower whatever it would have taken."""
    cells = cells_of(tmp_path, timed_out_in(0, 1, 2, 3, implementation="session_feed"))
    (found,) = [each for each in judge(STUDY, cells) if each.verdict.claim == "C1"]
    verdict = found.verdict
    seconds = cells[CELL].rows("numpy n=1000 raw cpu")["run.wall_s"]
    assert verdict.estimate == pytest.approx(float(np.exp(np.mean(np.log(900.0 / seconds)))), rel=1e-6)
    assert verdict.ci_low is not None and verdict.ci_low > 10
    assert verdict.ci_high is None and verdict.effect_share_high is None
    assert (verdict.verdict, verdict.side, verdict.size) == ("direction only", "holds", "outside")
    assert "times as long as numpy or more (95 % interval from" in verdict.reason.replace("\u00a0", " ")
    assert "Infinity" not in json.dumps([verdict.model_dump()])


def test_a_bound_on_the_other_side_refutes_or_says_nothing(tmp_path: Path) -> None:
    cells = cells_of(tmp_path, timed_out_in(1, implementation="numpy"))
    (verdict,) = [each.verdict for each in judge(STUDY, cells) if each.verdict.claim == "C1"]
    assert verdict.ci_low is None and verdict.ci_high is not None
    assert verdict.verdict in ("contradicted", "inconclusive") and verdict.blocks == 4


def test_an_equivalence_has_no_use_for_a_bound(tmp_path: Path) -> None:
    cells = cells_of(tmp_path, timed_out_in(1, implementation="session_feed"))
    feed = Column("session_feed n=1000 raw cpu", "run.wall_s")
    assert cells[CELL].complete([feed], positive=True).used == [0, 2, 3]
    assert cells[CELL].complete([feed], positive=True, bounds=True).bounded == [True]


def test_further_blocks_hold_the_variants_of_claims_that_still_ask(tmp_path: Path) -> None:
    """Three blocks, one disturbed for one claim alone: it is replaced for that claim, and for no other."""

    def change(record: dict[str, Any], chance: Any) -> None:
        if record["levels"] == {"implementation": "session_feed", "n": 1000, "inputs": "raw", "device": "cpu"}:
            busy_loop_in(2)(record, chance)
        record["phases"]["run"] = {"wall_s": 2.0, "cpu_s": 2.0}  # no spread

    cells = cells_of(tmp_path, change, blocks=3)
    judgements = judge(STUDY, cells)
    look = look_at(STUDY, cells, judgements)[CELL]
    assert (look.blocks, look.why) == (4, None)
    asking = {"session_feed n=1000 raw cpu", "numpy n=1000 raw cpu"}
    assert asking <= set(look.variants) < set(cells[CELL].variants)
    assert "numpy_until_converged n=1000 raw cpu" not in look.variants
    why = {each.verdict.claim: each.verdict.stopped for each in judgements}
    assert why["C1"] is None and why["C7"] == because("stopped.no_interval")


def test_a_disturbed_block_decides_nothing_and_is_replaced(tmp_path: Path) -> None:
    why = because("disturbed.others", seconds=47.0, wall_s=50.0)
    reason = ENGLISH.reason(why)
    assert reason == "other programs used 47.0 s of CPU time in 50.0 s"
    cells = cells_of(tmp_path, busy_loop_in(2))
    cell = cells[CELL]
    assert cell.disturbed == {(variant, 2): [why] for variant in cell.variants}
    assert cell.blocks == [0, 1, 2, 3]  # it is still there
    judgements = judge(STUDY, cells)
    verdict = next(each.verdict for each in judgements if each.verdict.claim == "C1")
    assert (verdict.blocks, verdict.dropped_blocks) == (3, 1)
    assert verdict.reason.endswith(f"1 of 4 blocks were dropped (disturbed: {reason})")
    # How many iterations it takes does not depend on who else used the machine.
    counted = next(each.verdict for each in judgements if each.verdict.claim == "C6")
    assert (counted.blocks, counted.dropped_blocks) == (4, 0)
    assert not verdict.disturbed and not counted.disturbed
    many = len(cell.variants)
    assert quality_table(cells).rows == [
        [*CELL, block, many, many if block == 2 else 0, 0, reason if block == 2 else ""] for block in range(4)
    ]
    assert {row[-1] for row in phase_table(cells).rows} == {3}


def test_where_too_few_good_blocks_are_left_all_are_used_and_the_verdict_says_so(tmp_path: Path) -> None:
    """Nothing measured is thrown away: two of four blocks are good, where three are the least."""
    judgements = {each.verdict.claim: each for each in judge(STUDY, cells_of(tmp_path, busy_loop_in(1, 2)))}
    verdict = judgements["C1"].verdict
    assert (verdict.verdict, verdict.blocks, verdict.dropped_blocks) == ("reproduced", 4, 0)
    assert verdict.disturbed
    assert verdict.because[-1] == because(
        "on_disturbed_machine",
        disturbed=2,
        blocks=4,
        reasons=[because("disturbed.others", seconds=47.0, wall_s=50.0)],
    )
    said = "on a disturbed machine: in 2 of these 4 blocks a process was disturbed (other programs used 47.0 s"
    assert said in verdict.reason
    evidence = judgements["C1"].evidence
    assert evidence is not None and set(evidence.disturbed) == {1, 2} and not evidence.why_unused
    assert not judgements["C6"].verdict.disturbed  # a count


def test_a_failure_keeps_its_own_reason(tmp_path: Path) -> None:
    def change(record: dict[str, Any], chance: Any) -> None:
        busy_loop_in(1)(record, chance)
        if record["block"] == 1 and record["levels"]["implementation"] == "numpy":
            record.update(status="killed", reason="signal 9", phases={})

    rows = cells_of(tmp_path, change)[CELL].rows("numpy n=1000 raw cpu")
    assert decode(rows.loc[1, "unusable"]) == because("did_not_end", status="killed", reason="signal 9")
