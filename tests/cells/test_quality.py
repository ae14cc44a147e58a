"""The rule that calls a process disturbed, and what becomes of its block."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.support.cells import CELL, cells_of
from tests.support.runner_blocks import Bench
from tests.support.synthetic_results import write_results

from runner import disturbed
from tf_claims.cells import quality
from tf_claims.cells.quality import Measures, why_disturbed
from tf_claims.model.observation import read_observations
from tf_claims.model.results import Results
from tf_claims.publish.page import build_page
from tf_claims.publish.quality import read_quality
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
