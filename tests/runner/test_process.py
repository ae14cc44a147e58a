"""One variant's process: whatever it does, its observation says so, and the runner goes on."""

from __future__ import annotations

import os
import resource
from pathlib import Path
from typing import Any

import pytest
from tests.support.runner_blocks import is_running, plan_of, wait_until

from runner import observation, process, threads

CODE = """
import os, resource, signal, subprocess, sys, time

def _variant(run):
    return lambda: None, run

def raises(case):
    def run():
        print("just before")
        raise ValueError("too bad")
    return _variant(run)

def raises_in_setup(case):
    return {}["nothing"]

def raises_in_first_step(case):
    return (lambda: 1 / 0), (lambda: {})

def hangs(case):
    return _variant(lambda: time.sleep(1000))

def hangs_with_children(case):
    child = subprocess.Popen(["sleep", "1000"])
    with open(os.path.join(str(case.data), "child"), "w") as file:
        file.write(str(child.pid))
    return _variant(lambda: time.sleep(1000))

def kills_itself(case):
    return _variant(lambda: os.kill(os.getpid(), signal.SIGKILL))

def crashes(case):
    return _variant(os.abort)

def leaves(case):
    return _variant(lambda: sys.exit(0))

def leaves_at_once(case):
    return _variant(lambda: os._exit(0))

def shouts(case):
    def run():
        for _ in range(200):
            print("x" * 100000)
        print("the end")
        return {"loss": 1.0}
    return _variant(run)

def shouts_and_raises(case):
    def run():
        print("x" * 10000000)
        raise ValueError("y" * 1000000)
    return _variant(run)

def not_a_number(case):
    return _variant(lambda: {"loss": [float("nan"), float("inf"), 1.0], "note": "odd"})

def numpys_own(case):
    import numpy as np
    return _variant(lambda: {"loss": np.float32(0.5), "note": list(np.arange(2))})

def takes_too_much(case):
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    return _variant(lambda: {"loss": len(bytearray(1 << 34))})

def undeclared(case):
    return _variant(lambda: {"lost": 1.0})

def no_dict(case):
    return _variant(lambda: 1.0)

def an_object(case):
    return _variant(lambda: {"loss": object()})

def other_cpus(case):
    def run():
        os.sched_setaffinity(0, {99999} & os.sched_getaffinity(0) or {max(case.levels["cpus"])})
        return {"loss": 1.0}
    return _variant(run)

def looks_around(case):
    return _variant(lambda: {"loss": case.sizes["iterations"] * case.levels["n"],
        "note": [os.environ["PYTHONHASHSEED"], str(case.seed), os.environ["OMP_NUM_THREADS"], str(case.threads),
                 str(os.getsid(0) == os.getpid()), str(sys.flags.hash_randomization), str(case.data)]})
"""


class Outcome:
    def __init__(self, folder: Path, name: str, timeout_s: float = 60, **levels: Any) -> None:
        if not (folder / "variants.py").exists():
            (folder / "variants.py").write_text(CODE)
        plan = plan_of(folder / "variants.py", [name])
        task = dict(
            plan["variants"][0],
            imports=[],
            code=plan["code"],
            results=plan["results"],
            seed=42,
            block_seed=7,
            bytecode=str(folder / "bytecode"),
            heap=4096,
            threads=1,
            data=str(folder),
        )
        task["levels"] = task["levels"] | levels
        affinity = sorted(os.sched_getaffinity(0))
        self.ended = process.run("--variant", task, threads.environment(1, 42, str(folder)), timeout_s)
        read = {"asked": 1, "affinity": affinity, "blas": None, "tf_intra_op": None, "tf_inter_op": None}
        self.threads = observation.told(self.ended, "threads", read)
        self.status, self.reason = observation.outcome(self.ended, self.threads, affinity, timeout_s)
        self.results = observation.told(self.ended, "results", {})
        self.phases = observation.phases(self.ended)


@pytest.mark.parametrize(
    ("name", "status", "reason"),
    [
        ("raises", "failed", "ValueError: too bad (variants.py, line 10)\nlast output:\njust before"),
        ("raises_in_setup", "failed", "KeyError: 'nothing' (variants.py, line 14)"),
        ("raises_in_first_step", "failed", "ZeroDivisionError: division by zero (variants.py, line 17)"),
        ("kills_itself", "killed", "SIGKILL: probably out of memory"),
        ("leaves", "failed", "left by sys.exit(0) (variants.py, line 35)"),
        ("leaves_at_once", "failed", "ended without a result (exit code 0)"),
        ("takes_too_much", "failed", "MemoryError (variants.py, line 63)"),
        ("no_dict", "failed", "TypeError: run() returned 1.0 where a dict of results is expected"),
    ],
)
def test_a_variant_that_does_not_end_well_says_how(tmp_path: Path, name: str, status: str, reason: str) -> None:
    outcome = Outcome(tmp_path, name)
    assert (outcome.status, outcome.reason) == (status, reason)
    assert outcome.results == {}


def test_the_phases_are_there_as_far_as_it_came(tmp_path: Path) -> None:
    assert list(Outcome(tmp_path, "raises_in_setup").phases) == ["import"]
    assert list(Outcome(tmp_path, "kills_itself").phases) == ["import", "setup", "first_step"]
    assert list(Outcome(tmp_path, "not_a_number").phases) == ["import", "setup", "first_step", "run"]


def test_a_crash_names_its_signal(tmp_path: Path) -> None:
    outcome = Outcome(tmp_path, "crashes")
    assert outcome.status == "killed"
    assert outcome.reason.startswith("SIGABRT")


def test_one_that_hangs_is_stopped(tmp_path: Path) -> None:
    outcome = Outcome(tmp_path, "hangs", timeout_s=1)
    assert (outcome.status, outcome.reason) == ("timeout", "stopped after 1 s")


def test_its_children_are_stopped_with_it(tmp_path: Path) -> None:
    assert Outcome(tmp_path, "hangs_with_children", timeout_s=5).status == "timeout"
    child = int((tmp_path / "child").read_text())
    wait_until(lambda: not is_running(child))  # it was sent the signal; on a busy host it takes a moment


def test_of_megabytes_of_output_only_the_end_is_kept(tmp_path: Path) -> None:
    outcome = Outcome(tmp_path, "shouts")
    assert (outcome.status, outcome.reason, outcome.results) == ("ok", "", {"loss": 1.0})
    assert outcome.ended.output.endswith("x\nthe end")
    assert len(outcome.ended.output) <= process.OUTPUT_KEPT


def test_a_reason_stays_short_whatever_was_printed_and_raised(tmp_path: Path) -> None:
    outcome = Outcome(tmp_path, "shouts_and_raises")
    assert outcome.reason.startswith("ValueError: yyy")
    assert len(outcome.reason) < 6000


def test_numbers_that_are_not_finite_become_null(tmp_path: Path) -> None:
    outcome = Outcome(tmp_path, "not_a_number")
    assert outcome.status == "ok"
    assert outcome.results == {"loss": [None, None, 1.0], "note": "odd"}


def test_numpys_numbers_become_plain_ones(tmp_path: Path) -> None:
    assert Outcome(tmp_path, "numpys_own").results == {"loss": 0.5, "note": [0, 1]}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("undeclared", "ValueError: run() returned 'lost', which is not among the scenario's metrics"),
        ("an_object", "TypeError: result 'loss' is <object"),
    ],
)
def test_results_that_no_observation_can_hold_are_refused(tmp_path: Path, name: str, reason: str) -> None:
    outcome = Outcome(tmp_path, name)
    assert outcome.status == "failed"
    assert outcome.reason.startswith(reason)


def test_a_variant_that_moves_to_other_cpus_is_refused(tmp_path: Path) -> None:
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        pytest.skip("needs two CPUs")
    outcome = Outcome(tmp_path, "other_cpus", cpus=cpus)
    assert outcome.status == "failed"
    assert outcome.reason == f"ran on CPUs {cpus[-1:]} where {cpus} were asked for"


@pytest.mark.parametrize(
    ("siblings", "threads_asked", "expected"),
    [
        ({0: "0-1", 1: "0-1", 2: "2-3", 3: "2-3"}, 2, [0, 2]),
        ({0: "0,2", 1: "1,3", 2: "0,2", 3: "1,3"}, 2, [0, 1]),
        ({0: "0-1", 1: "0-1", 2: "2-3", 3: "2-3"}, 3, [0, 1, 2]),
        ({}, 2, [0, 1]),
    ],
)
def test_each_thread_gets_a_core_of_its_own_as_far_as_there_are_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, siblings: dict[int, str], threads_asked: int, expected: list[int]
) -> None:
    for cpu, text in siblings.items():
        (tmp_path / str(cpu)).write_text(text + "\n")
    pinned: list[list[int]] = []
    monkeypatch.setattr(threads, "SIBLINGS", str(tmp_path / "{}"))
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1, 2, 3})
    monkeypatch.setattr(os, "sched_setaffinity", lambda pid, cpus: pinned.append(cpus))
    assert threads.pin(threads_asked) == expected and pinned == [expected]


def test_it_gets_its_case_and_a_session_of_its_own(tmp_path: Path) -> None:
    outcome = Outcome(tmp_path, "looks_around")
    assert outcome.results == {"loss": 6, "note": ["42", "42", "1", "1", "True", "1", str(tmp_path)]}


def test_nothing_of_the_callers_environment_reaches_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TF_ENABLE_ONEDNN_OPTS", "0")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    passed = threads.environment(3, 42, "/home")
    assert not {"TF_ENABLE_ONEDNN_OPTS", "PYTHONPATH"} & set(passed)
    assert passed["OPENBLAS_NUM_THREADS"] == "3"


@pytest.mark.parametrize(
    ("read", "reason"),
    [
        ({}, None),
        ({"blas": 2, "tf_intra_op": 2}, None),
        ({"tf_intra_op": 0, "tf_inter_op": 0}, None),
        ({"affinity": [0]}, "ran on CPUs [0] where [0, 1] were asked for"),
        ({"blas": 64}, "blas used 64 threads where 2 were asked for"),
        ({"tf_inter_op": 1}, "tf_inter_op used 1 threads where 2 were asked for"),
    ],
)
def test_threads_that_are_not_those_asked_for_are_refused(read: dict, reason: str | None) -> None:
    default = {"asked": 2, "affinity": [0, 1], "blas": None, "tf_intra_op": None, "tf_inter_op": None}
    assert threads.mismatch(default | read, [0, 1]) == reason


def test_the_cost_is_that_of_the_whole_process(tmp_path: Path) -> None:
    outcome = Outcome(tmp_path, "not_a_number")
    cost = outcome.ended.cost
    assert cost["wall_s"] >= sum(phase["wall_s"] for phase in outcome.phases.values())
    assert cost["cpu_s"] >= sum(phase["cpu_s"] for phase in outcome.phases.values())
    # The kernel counts what the process that forked had before the child became a program of its own.
    own_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert 5 < cost["peak_rss_mb"] < own_mb + 500


def test_modules_are_compiled_once_for_all_processes_of_a_block(tmp_path: Path) -> None:
    (tmp_path / "variants.py").write_text(CODE)
    Outcome(tmp_path, "looks_around")
    compiled = list((tmp_path / "bytecode").rglob("variants*.pyc"))
    assert len(compiled) == 1
    assert not list(tmp_path.rglob("__pycache__"))
    before = compiled[0].stat().st_mtime_ns
    Outcome(tmp_path, "looks_around")
    assert compiled[0].stat().st_mtime_ns == before
