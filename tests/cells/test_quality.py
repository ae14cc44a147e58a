"""The rule that calls a process disturbed, and what becomes of its block."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from tests.support.runner_blocks import Bench
from tests.support.synthetic_results import write_results

from runner import disturbed
from tf_claims.bench.made_up import Change, study_files
from tf_claims.cells import quality
from tf_claims.cells.measurements import read_measurements
from tf_claims.cells.quality import Measures, why_disturbed
from tf_claims.cells.tidy import tidy
from tf_claims.model.estimand import Column
from tf_claims.model.observation import read_observations
from tf_claims.model.preset import BlockRule
from tf_claims.model.reason import because, decode
from tf_claims.model.results import Results
from tf_claims.model.study import plan_study
from tf_claims.publish.page import build_page
from tf_claims.publish.quality import read_quality
from tf_claims.tables.write import phase_table, quality_table
from tf_claims.verdicts.judge import judge, look_at
from tf_claims.words.messages import ENGLISH


@pytest.mark.parametrize(
    ("measured", "reason"),
    [
        ({}, ""),
        ({"other_cpu_s": 12.5}, ""),
        ({"other_cpu_s": 12.53}, "other programs used 12.5 s of CPU time in 50.0 s"),
        ({"other_cpu_s": 47.0}, "other programs used 47.0 s of CPU time in 50.0 s"),
        ({"other_cpu_s": -0.1}, ""),  # clock ticks are coarse
        ({"other_cpu_s": 100.0, "cpus": 64}, ""),  # the services of a large machine
        ({"other_cpu_s": 161.0, "cpus": 64}, "other programs used 161 s of CPU time in 50.0 s"),
        ({"steal_s": 1.02}, ""),
        ({"steal_s": 1.1}, "other virtual machines took 1.10 s of CPU time in 50.0 s"),
        ({"wall_s": 0.25, "steal_s": 0.02, "other_cpu_s": 0.08}, ""),  # ticks at both ends of a short process
        ({"wall_s": 0.25, "steal_s": 0.03}, "other virtual machines took 0.03 s of CPU time in 0.25 s"),
        ({"wall_s": None, "other_cpu_s": 47.0}, ""),  # of how long it is not known
        ({"throttled_s": 1.02}, ""),
        ({"throttled_s": 1.1}, "a quota of CPU time stopped it for 1.10 s of 50.0 s"),
        ({"gpu_others": 0.0}, ""),
        ({"gpu_others": 2.0}, "2 processes of others used the GPU"),
        ({"drift": 0.39}, ""),
        ({"drift": 0.5}, "the calibration took 50\u00a0% more time after the block than before"),
        ({"drift": -0.28}, ""),  # 1 / 1.39
        ({"drift": -0.3}, "the calibration took 30\u00a0% less time after the block than before"),
        ({"mhz_before": 3400.0, "mhz_after": 3000.0}, ""),
        ({"mhz_before": 3400.0, "mhz_after": None}, ""),
        (
            {"mhz_before": 3400.0, "mhz_after": 2000.0},
            "the CPU ran at 3,400 MHz before the block and at 2,000 MHz after",
        ),
        (
            {"mhz_before": 2000.0, "mhz_after": 3400.0},
            "the CPU ran at 2,000 MHz before the block and at 3,400 MHz after",
        ),
        (
            {"steal_s": 2.0, "other_cpu_s": 40.0},
            "other programs used 40.0 s of CPU time in 50.0 s; "
            "other virtual machines took 2.00 s of CPU time in 50.0 s",
        ),
    ],
)
def test_truth_table(measured: dict[str, Any], reason: str) -> None:
    assert ENGLISH.reasons(why_disturbed(Measures(**({"wall_s": 50.0, "cpus": 2} | measured)))) == reason


# Each measure of the blocks of a quiet host of two CPUs, at its worst: (seconds, …) of tf2.15-cpu and tf2.21-cpu.
@pytest.mark.parametrize(
    "block",
    [
        Measures(50.5, 2, 2.1, 0.01, None, 0.239),
        Measures(59.3, 2, 1.8, 0.0, None, 0.262),
        Measures(60.4, 2, 1.8, 0.05, None, -0.186),
        Measures(36.5, 2, 0.7, 0.0, None, 0.023),
    ],
)
def test_a_quiet_host_is_good(block: Measures) -> None:
    assert why_disturbed(block) == []


PLANNED = plan_study("quick", lambda stack: None, ["tf1.15-cpu"], ["linear_regression"])
STUDY = PLANNED._replace(
    cells=[each.model_copy(update={"blocks": BlockRule(least=3, most=9)}) for each in PLANNED.cells]
)
CELL = ("linear_regression", "tf1.15-cpu")


def cells_of(tmp_path: Path, change: Change, blocks: int = 4) -> Any:
    path = tmp_path / "observations.parquet"
    pq.write_table(tidy(study_files(tmp_path, ["tf1.15-cpu"], blocks, change=change)), path)
    return read_measurements(path, STUDY)


def busy_loop_in(*blocks: int) -> Change:
    def change(record: dict[str, Any], _: Any) -> None:
        busy = record["block"] in blocks
        told = {"wall_s": 50.0, "other_cpu_s": 47.0 if busy else 0.5}
        record["conditions"]["disturbance"] = record["conditions"]["disturbance"] | told

    return change


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


def test_observations_without_the_later_measures_are_judged_by_those_they_have(tmp_path: Path) -> None:
    """Their blocks' length is that of their processes together."""
    assert cells_of(tmp_path / "good", lambda *_: None)[CELL].disturbed == {}

    def steal(record: dict[str, Any], _: Any) -> None:
        record["conditions"]["disturbance"]["steal_s"] = 30.0

    assert {block for _, block in cells_of(tmp_path / "bad", steal)[CELL].disturbed} == {0, 1, 2, 3}


HEADING = "scenario,environment,block,processes,disturbed,replaced,reason\n"


@pytest.mark.parametrize(
    ("disturbed", "replaced", "mostly"), [(0, 0, False), (4, 0, False), (5, 0, True), (8, 4, False), (8, 3, True)]
)
def test_a_run_is_mostly_disturbed_where_more_than_half_of_its_processes_are_and_stay_so(
    tmp_path: Path, disturbed: int, replaced: int, mostly: bool
) -> None:
    rows = f"s,e,1,4,0,0,\ns,e,2,4,{disturbed},{replaced},{'a loop' if disturbed else ''}\n"
    (tmp_path / "quality.csv").write_text(HEADING + rows)
    found = read_quality(tmp_path)
    assert (found.processes, found.disturbed, found.replaced, found.mostly_disturbed) == (
        8,
        disturbed,
        replaced,
        mostly,
    )
    assert found.reasons == ("a loop" if disturbed else "")


def test_the_page_of_a_mostly_disturbed_run_says_so_at_its_top(tmp_path: Path) -> None:
    results = write_results(tmp_path)
    table = results / "tables" / "quality.csv"
    bad = "s,e,{},1,1,{},other programs used 47.0 s of CPU time in 50.0 s\n"
    table.write_text(HEADING + bad.format(1, 0) + bad.format(2, 0) + "s,e,3,1,0,0,\n")
    page = build_page(Results(results))
    top = " ".join(page[: page.index("<main")].split())
    assert "Something disturbed 2 of 3 processes; a verdict about times that has to use some of those says so." in top
    assert "For example: other programs used 47.0 s of CPU time in 50.0 s." in top
    table.write_text(HEADING + bad.format(1, 0) + bad.format(2, 1) + "s,e,3,1,0,0,\n")
    assert "Something disturbed" not in build_page(Results(results))


LEISURELY = """
    import time

    def leisurely(case):
        return (lambda: None), (lambda: time.sleep(2))
"""


def test_a_busy_loop_beside_a_real_block_is_found(tmp_path: Path) -> None:
    bench = Bench(tmp_path, LEISURELY, ["leisurely"], results=[])
    loop = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        done = bench.run()
    finally:
        loop.kill()
        loop.wait()
    assert done.returncode == 0, done.stderr
    first, again = read_observations(bench.output)
    told = first.conditions.disturbance
    measured = Measures(told.wall_s, first.conditions.host.cpus, told.other_cpu_s)
    assert why_disturbed(measured)[0].key == "disturbed.others", told
    # It was measured once more, with another layout and the same seed of the block.
    assert (first.attempt, again.attempt, again.position) == (1, 2, 1)
    assert first.seed != again.seed and first.conditions.layout != again.conditions.layout


def test_without_a_table_nothing_is_known(tmp_path: Path) -> None:
    assert not read_quality(tmp_path).mostly_disturbed


def test_the_documentation_gives_the_limits_of_the_rule() -> None:
    text = (Path(__file__).parents[2] / "docs" / "statistics.md").read_text()
    others = f"above {disturbed.OTHERS_MOST} s each second, and above {disturbed.OTHERS_SHARE_MOST:.0%}"
    assert others in text.replace(" %", "%")
    assert f"above {disturbed.STEAL_MOST} s each second |" in text
    assert f"above {100 * disturbed.THROTTLED_MOST:g} % of the time" in text
    assert f"by more than a factor of {1 + quality.DRIFT_MOST:g}" in text
    assert f"changed by more than {100 * quality.FREQUENCY_CHANGE_MOST:g} %" in text
    names = [name for module in (disturbed, quality) for name in vars(module) if name.endswith("_MOST")]
    assert all(f"`{name}`" in text for name in names)
