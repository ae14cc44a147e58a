"""The rule that calls a block disturbed, and what becomes of such a block."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from tests.support.runner_blocks import Bench
from tests.support.synthetic_results import write_results

from tf_claims.bench.made_up import Change, study_files
from tf_claims.cells import quality
from tf_claims.cells.measurements import read_measurements
from tf_claims.cells.quality import Measures, why_disturbed
from tf_claims.cells.tidy import tidy
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
        ({"other_cpu_s": 12.6}, "other programs used 12.6 s of CPU time in a block of 50.0 s"),
        ({"other_cpu_s": 47.0}, "other programs used 47.0 s of CPU time in a block of 50.0 s"),
        ({"other_cpu_s": -0.1}, ""),  # clock ticks are coarse
        ({"other_cpu_s": 100.0, "cpus": 64}, ""),  # the services of a large machine
        ({"other_cpu_s": 161.0, "cpus": 64}, "other programs used 161 s of CPU time in a block of 50.0 s"),
        ({"steal_s": 1.0}, ""),
        ({"steal_s": 1.1}, "other virtual machines took 1.10 s of CPU time in a block of 50.0 s"),
        ({"pressure_s": 12.5}, ""),
        ({"pressure_s": 21.0}, "some task waited for a CPU in 21.0 s of a block of 50.0 s"),
        ({"drift": 0.39}, ""),
        ({"drift": 0.5}, "the calibration took 50\u00a0% more time after it than before"),
        ({"drift": -0.28}, ""),  # 1 / 1.39
        ({"drift": -0.3}, "the calibration took 30\u00a0% less time after it than before"),
        ({"mhz_before": 3400.0, "mhz_after": 3000.0}, ""),
        ({"mhz_before": 3400.0, "mhz_after": None}, ""),
        ({"mhz_before": 3400.0, "mhz_after": 2000.0}, "the CPU ran at 3,400 MHz before it and at 2,000 MHz after"),
        ({"mhz_before": 2000.0, "mhz_after": 3400.0}, "the CPU ran at 2,000 MHz before it and at 3,400 MHz after"),
        (
            {"steal_s": 2.0, "other_cpu_s": 40.0},
            "other programs used 40.0 s of CPU time in a block of 50.0 s; "
            "other virtual machines took 2.00 s of CPU time in a block of 50.0 s",
        ),
    ],
)
def test_truth_table(measured: dict[str, Any], reason: str) -> None:
    assert ENGLISH.reasons(why_disturbed(Measures(50.0, **({"cpus": 2} | measured)))) == reason


# Each measure of the blocks of a quiet host of two CPUs, at its worst: (seconds, …) of tf2.15-cpu and tf2.21-cpu.
@pytest.mark.parametrize(
    "block",
    [
        Measures(50.5, 2, None, 0.01, 4.838, 0.239),
        Measures(59.3, 2, None, 0.0, 5.848, 0.262),
        Measures(60.4, 2, None, 0.05, 6.033, -0.186),
        Measures(36.5, 2, None, 0.0, 3.236, 0.023),
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


def test_a_disturbed_block_decides_nothing_and_is_replaced(tmp_path: Path) -> None:
    why = because("disturbed.others", cpu_s=47.0, wall_s=50.0)
    reason = ENGLISH.reason(why)
    assert reason == "other programs used 47.0 s of CPU time in a block of 50.0 s"
    cells = cells_of(tmp_path, busy_loop_in(2))
    cell = cells[CELL]
    assert cell.disturbed == {2: [why]}
    assert cell.blocks == [0, 1, 2, 3]  # it is still there
    judgements = judge(STUDY, cells)
    verdict = next(each.verdict for each in judgements if each.verdict.claim == "C1")
    assert (verdict.blocks, verdict.dropped_blocks) == (3, 1)
    assert verdict.reason.endswith(f"1 of 4 blocks were dropped (disturbed: {reason})")
    # How many iterations it takes does not depend on who else used the machine.
    counted = next(each.verdict for each in judgements if each.verdict.claim == "C6")
    assert (counted.blocks, counted.dropped_blocks) == (4, 0)
    assert not verdict.disturbed and not counted.disturbed
    three = cells_of(tmp_path / "three", busy_loop_in(2), blocks=3)
    assert look_at(STUDY, three, [])[CELL] == (4, None)
    assert look_at(STUDY, cells_of(tmp_path / "quiet", busy_loop_in(), blocks=3), [])[CELL].blocks == 3
    assert quality_table(cells).rows == [
        [*CELL, block, "disturbed" if block == 2 else "good", reason if block == 2 else ""] for block in range(4)
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
        reasons=[because("disturbed.others", cpu_s=47.0, wall_s=50.0)],
    )
    assert "on a disturbed machine: 2 of these 4 blocks were disturbed (other programs used 47.0 s" in verdict.reason
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

    assert set(cells_of(tmp_path / "bad", steal)[CELL].disturbed) == {0, 1, 2, 3}


@pytest.mark.parametrize(("disturbed", "mostly"), [(0, False), (2, False), (3, True)])
def test_a_run_is_mostly_disturbed_where_more_than_half_of_its_blocks_are(
    tmp_path: Path, disturbed: int, mostly: bool
) -> None:
    lines = ["scenario,environment,block,quality,reason"]
    lines += [f"s,e,{block},{'disturbed,a loop' if block < disturbed else 'good,'}" for block in range(4)]
    (tmp_path / "quality.csv").write_text("\n".join(lines) + "\n")
    found = read_quality(tmp_path)
    assert (found.blocks, found.disturbed, found.mostly_disturbed) == (4, disturbed, mostly)
    assert found.reasons == ("a loop" if disturbed else "")


def test_the_page_of_a_mostly_disturbed_run_says_so_at_its_top(tmp_path: Path) -> None:
    results = write_results(tmp_path)
    table = results / "tables" / "quality.csv"
    heading = "scenario,environment,block,quality,reason\n"
    bad = "s,e,{},disturbed,other programs used 47.0 s of CPU time in a block of 50.0 s\n"
    table.write_text(heading + bad.format(1) + bad.format(2) + "s,e,3,good,\n")
    page = build_page(Results(results))
    top = " ".join(page[: page.index("<main")].split())
    assert "Something disturbed 2 of 3 blocks; a verdict about times that has to use some of those says so." in top
    assert "For example: other programs used 47.0 s of CPU time in a block of 50.0 s." in top
    table.write_text(heading + bad.format(1) + "s,e,2,good,\n")
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
    (found,) = read_observations(bench.output)
    told = found.conditions.disturbance
    assert told.wall_s is not None
    measured = Measures(told.wall_s, found.conditions.host.cpus, told.other_cpu_s)
    assert why_disturbed(measured)[0].key == "disturbed.others", told


def test_without_a_table_nothing_is_known(tmp_path: Path) -> None:
    assert not read_quality(tmp_path).mostly_disturbed


def test_the_documentation_gives_the_limits_of_the_rule() -> None:
    text = (Path(__file__).parents[2] / "docs" / "statistics.md").read_text()
    assert f"above {quality.OTHERS_MOST} s each second, and above {quality.OTHERS_SHARE_MOST:.0%}" in text.replace(
        " %", "%"
    )
    assert f"above {quality.STEAL_MOST} s each second |" in text
    assert f"above {100 * quality.PRESSURE_MOST:g} % of the block" in text
    assert f"by more than a factor of {1 + quality.DRIFT_MOST:g}" in text
    assert f"changed by more than {100 * quality.FREQUENCY_CHANGE_MOST:g} %" in text
    assert all(f"`{name}`" in text for name in vars(quality) if name.endswith("_MOST"))
