"""Whole blocks by the real command, over made-up scenarios."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.support.runner_blocks import FAIR, RUNNER, Bench, is_running, own_cpus, wait_until

from runner import block, conditions, threads
from runner.errors import BAD_PLAN, INTERRUPTED, WRONG_PLACE
from runner.plan import order, variant_seed
from tf_claims.model.observation import Observation, read_observations

MIXED = """
    import os, signal, time

    def fair(case):
        import numpy as np
        return (lambda: None), (lambda: {"loss": float("nan"), "note": str(np.__version__)})

    def raises(case):
        raise ValueError("too bad")

    def killed(case):
        return (lambda: None), (lambda: os.kill(os.getpid(), signal.SIGKILL))

    def hangs(case):
        return (lambda: None), (lambda: time.sleep(1000))
"""
NAMES = ["fair", "raises", "killed", "hangs"]

SLEEPS = """
    import os, time

    def sleeps(case):
        with open(os.path.join(str(case.data), "pid.part"), "w") as file:
            file.write(str(os.getpid()))
        os.rename(file.name, os.path.join(str(case.data), "pid"))
        return (lambda: None), (lambda: time.sleep(1000))
"""


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Bench, subprocess.CompletedProcess[str]]:
    bench = Bench(tmp_path_factory.mktemp("block"), MIXED, NAMES, timeout_s=2)
    return bench, bench.run()


@pytest.fixture(scope="module")
def observations(measured: tuple[Bench, Any]) -> dict[str, Observation]:
    first = [each for each in read_observations(measured[0].output) if each.attempt == 1]
    return {str(each.levels["method"]): each for each in first}


def test_every_variant_has_its_observation_whatever_became_of_the_others(
    measured: tuple[Bench, subprocess.CompletedProcess[str]], observations: dict[str, Observation]
) -> None:
    assert measured[1].returncode == 0, measured[1].stderr
    states = {name: (each.status, each.reason) for name, each in observations.items()}
    assert states == {
        "fair": ("ok", ""),
        "raises": ("failed", "ValueError: too bad (variants.py, line 9)"),
        "killed": ("killed", "SIGKILL: probably out of memory"),
        "hangs": ("timeout", "stopped after 2 s"),
    }
    assert observations["fair"].results["loss"] is None


def test_the_variants_run_in_the_order_of_the_block_with_their_seeds(
    measured: tuple[Bench, Any],
) -> None:
    plan = measured[0].plan
    ran = [each for each in read_observations(measured[0].output) if each.attempt == 1]
    assert [each.levels for each in ran] == [each["levels"] for each in order(plan, 0)]
    assert [each.position for each in ran] == [0, 1, 2, 3]
    assert [each.seed for each in ran] == [variant_seed(plan, 0, each.levels) for each in ran]


def test_the_conditions_are_those_of_the_process_and_the_block(
    measured: tuple[Bench, Any], observations: dict[str, Observation]
) -> None:
    import numpy

    found = observations["fair"].conditions
    assert found.versions == {"numpy": numpy.__version__, "python": sys.version.split()[0]}
    assert found.threads.asked == 1
    assert found.threads.affinity == sorted(os.sched_getaffinity(0))[:1]
    assert found.threads.blas in (1, None)  # None where NumPy came without OpenBLAS
    assert found.image.sha256 == hashlib.sha256(b"an image").hexdigest()
    assert (found.image.key, found.image.lock_sha256) == ("0123456789ab", "d" * 64)
    assert found.git.commit == "e" * 40
    assert found.calibration.before_s > 0
    assert found.host.cpus == os.cpu_count()
    assert {each.conditions.calibration for each in observations.values()} == {found.calibration}
    wall_s = found.disturbance.wall_s
    assert wall_s is not None and wall_s > observations["fair"].cost.wall_s
    assert found.disturbance.other_cpu_s is not None
    # The whole host cannot have been busier than all its CPUs; a tick of the kernel's clock may be counted twice.
    own_s = observations["fair"].cost.cpu_s
    assert found.disturbance.other_cpu_s < wall_s * found.host.cpus - own_s + 0.1


def test_one_line_for_each_variant_tells_how_far_it_is(
    measured: tuple[Bench, subprocess.CompletedProcess[str]],
) -> None:
    lines = measured[1].stderr.splitlines()
    assert [line.partition(":")[0] for line in lines[:4]] == [f"block 0, variant {n} of 4" for n in (1, 2, 3, 4)]
    assert any(line.endswith(" s, failed: ValueError: too bad (variants.py, line 9)") for line in lines)


def test_a_plan_that_asks_for_it_has_each_variant_twice_with_seeds_of_their_own_and_none_again(tmp_path: Path) -> None:
    bench = Bench(tmp_path, FAIR, ["fair"], twice=True)
    ended = bench.run()
    assert ended.returncode == 0, ended.stderr
    assert [line.partition(":")[0] for line in ended.stderr.splitlines()[:2]] == [
        "block 0, variant 1 of 2",
        "block 0, variant 2 of 2",
    ]
    both = list(read_observations(bench.output))
    assert [(each.attempt, each.position) for each in both] == [(1, 0), (2, 1)]
    assert both[0].seed != both[1].seed


@pytest.mark.parametrize(
    ("options", "code", "problem"),
    [
        ({"marker": "/nowhere.json"}, WRONG_PLACE, "/nowhere.json: not found: this is no image of this project"),
        ({"record": "/nowhere.json"}, WRONG_PLACE, "/nowhere.json: not found: the record of the image is missing"),
        ({"threads": 5000}, WRONG_PLACE, f"5000 threads are asked for, but only {own_cpus()} CPUs"),
        ({"git": "/nowhere.json"}, BAD_PLAN, "/nowhere.json: no readable record of the git commit"),
        ({"plan": "/nowhere.json"}, BAD_PLAN, "/nowhere.json: no readable plan"),
    ],
)
def test_a_runner_in_the_wrong_place_measures_nothing(
    tmp_path: Path, options: dict[str, Any], code: int, problem: str
) -> None:
    bench = Bench(tmp_path, FAIR, ["fair"])
    done = bench.run(**options)
    assert done.returncode == code
    assert problem in done.stderr
    assert done.stderr.startswith("error: ")
    assert len(done.stderr.splitlines()) == 1
    assert not bench.output.parent.exists()


def test_an_image_of_another_environment_is_refused(tmp_path: Path) -> None:
    done = Bench(tmp_path, FAIR, ["fair"], environment="tf9.9-cpu").run()
    assert done.returncode == WRONG_PLACE
    assert "image.json: is of tf0.0-cpu where the plan needs tf9.9-cpu" in done.stderr


def test_an_image_other_than_the_recorded_one_is_refused(tmp_path: Path) -> None:
    bench = Bench(tmp_path, FAIR, ["fair"])
    (tmp_path / "image.json").write_text(json.dumps(bench.record | {"key": "ffffffffffff"}))
    done = bench.run()
    assert done.returncode == WRONG_PLACE
    assert "marker.json: key is '0123456789ab' where" in done.stderr
    assert "has 'ffffffffffff'" in done.stderr


def test_an_image_that_changed_is_refused(tmp_path: Path) -> None:
    bench = Bench(tmp_path, FAIR, ["fair"])
    bench.image.write_bytes(b"an imagf")
    done = bench.run()
    assert done.returncode == WRONG_PLACE
    assert "image.sif: the image changed after it was built" in done.stderr
    assert not bench.output.exists()


def test_an_image_that_is_gone_is_named(tmp_path: Path) -> None:
    bench = Bench(tmp_path, FAIR, ["fair"])
    bench.image.unlink()
    assert "image.sif: the image cannot be read" in bench.run().stderr


def test_a_variant_without_function_stops_the_block_before_it_starts(tmp_path: Path) -> None:
    done = Bench(tmp_path, FAIR, ["fair", "fare"]).run()
    assert done.returncode == BAD_PLAN
    assert "function 'fare'" in done.stderr


def running_variant(bench: Bench) -> int:
    return int(wait_until(lambda: (bench.folder / "pid").exists() and (bench.folder / "pid").read_text()))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_block_leaves_no_process_and_no_file(tmp_path: Path, number: signal.Signals) -> None:
    bench = Bench(tmp_path, SLEEPS, ["sleeps"])
    with bench.start() as runner:
        variant = running_variant(bench)
        runner.send_signal(number)
        assert runner.wait() == INTERRUPTED
        assert runner.stderr is not None
        assert "it is measured again by the next run" in runner.stderr.read()
    wait_until(lambda: not is_running(variant))
    assert list(bench.output.parent.iterdir()) == []


def test_a_killed_runner_takes_its_variant_with_it(tmp_path: Path) -> None:
    bench = Bench(tmp_path, SLEEPS, ["sleeps"])
    with bench.start() as runner:
        variant = running_variant(bench)
        runner.kill()
        runner.wait()
    wait_until(lambda: not is_running(variant))
    assert not bench.output.exists()


LEAVES = """
    import os, subprocess, sys, time

    def daemon(case):
        # Twice away: a session of its own, and no parent that waits for it.
        code = "import os, time; os.fork() and os._exit(0); time.sleep(1000)"
        return (lambda: None), (lambda: subprocess.call([sys.executable, "-c", code], start_new_session=True) or {})

    def helper(case):
        return (lambda: None), (lambda: subprocess.Popen(["sleep", "1000"]) and {})

    def clock(case):
        return (lambda: setattr(time, "perf_counter", lambda real=time.perf_counter: 9127 - 1000 * real())), dict

    def events(case):
        own = [int(each) for each in os.listdir("/proc/self/fd") if int(each) > 2]
        for each in own:
            try:
                os.write(each, b"no event\\n")
            except OSError:
                pass
        return (lambda: None), dict
"""


def test_what_a_variant_leaves_or_forges_is_a_failed_observation_that_says_so(tmp_path: Path) -> None:
    bench = Bench(tmp_path, LEAVES, ["daemon", "helper", "clock", "events"])
    done = bench.run()
    assert done.returncode == 0, done.stderr
    seen = {str(each.levels["method"]): each for each in read_observations(bench.output) if each.attempt == 1}
    assert seen["helper"].status == "ok", seen["helper"].reason  # in the process' own group: it went with it
    for name, reason in (
        ("daemon", "left processes behind, which were stopped (python"),
        ("clock", "its clock is wrong: it told"),
        ("events", "wrote 'no event' where the runner is told of its phases"),
    ):
        assert seen[name].status == "failed" and seen[name].reason.startswith(reason), seen[name]
    assert "sleep(1000)" not in subprocess.check_output(["ps", "-eo", "args"], text=True).replace("ps -eo", "")


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "0.jsonl"
    path.write_text("before\n")
    with pytest.raises(ValueError, match="JSON compliant"):
        block.write(str(path), [{"a": 1}, {"a": float("nan")}])
    assert path.read_text() == "before\n"
    assert [each.name for each in tmp_path.iterdir()] == ["0.jsonl"]
    block.write(str(path), [{"a": 1}, {"a": 2}])
    assert path.read_text() == '{"a": 1}\n{"a": 2}\n'


def test_what_disturbed_a_block_is_the_difference_and_stays_unknown_where_it_is() -> None:
    before = {"steal_s": 1.5, "cpu_pressure_s": None}
    assert conditions.between(before, {"steal_s": 2.0, "cpu_pressure_s": 7.0}) == {
        "steal_s": 0.5,
        "cpu_pressure_s": None,
    }


def test_disturbance_is_read_as_the_kernel_writes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Busy are user 10, nice 20, system 30, irq 60 and softirq 70 ticks; not idle, iowait, steal, nor guests twice."""
    (tmp_path / "stat").write_text("cpu  10 20 30 40 50 60 70 800 5 5\ncpu0 1 2 3 4 5 6 7 8 0 0\n")
    (tmp_path / "cpu").write_text("some avg10=0.00 avg300=0.00 total=2500000\nfull avg10=0.00 total=1\n")
    monkeypatch.setattr(conditions, "STAT", str(tmp_path / "stat"))
    monkeypatch.setattr(conditions, "PRESSURE", str(tmp_path / "cpu"))
    monkeypatch.setattr(conditions, "_own_cpu_s", lambda: 0.25)
    second = os.sysconf("SC_CLK_TCK")
    found = conditions.disturbance()
    assert found["steal_s"] == 800 / second
    assert found["cpu_pressure_s"] == 2.5
    assert found["other_cpu_s"] == pytest.approx(190 / second - 0.25)
    for name in ("STAT", "PRESSURE"):
        monkeypatch.setattr(conditions, name, str(tmp_path / "absent"))
    unknown = conditions.disturbance()
    assert {unknown[name] for name in ("steal_s", "cpu_pressure_s", "other_cpu_s")} == {None}


def test_what_the_blocks_own_processes_use_is_not_others_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that was started, used CPU time and ended: its time is in both the host's and our own."""
    before = conditions._own_cpu_s()
    subprocess.run([sys.executable, "-c", "sum(range(10**7))"], check=True)
    assert conditions._own_cpu_s() - before > 0.01


def test_the_frequency_is_the_highest_of_the_cpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for cpu, khz in enumerate((800_000, 3_400_000, 4_000_000)):
        (tmp_path / f"cpu{cpu}").write_text(f"{khz}\n")
    (tmp_path / "cpuinfo").write_text("model name\t: X\ncpu MHz\t\t: 2596.148\n")
    monkeypatch.setattr(conditions, "FREQUENCY", str(tmp_path / "cpu{}"))
    monkeypatch.setattr(conditions, "CPUINFO", str(tmp_path / "cpuinfo"))
    assert conditions.mhz([0, 1]) == 3400
    assert conditions.mhz([7]) == 2596.148
    monkeypatch.setattr(conditions, "CPUINFO", str(tmp_path / "absent"))
    assert conditions.mhz([7]) is None


def test_a_graphics_card_is_named_with_its_driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert conditions.host(0)["gpu"] is None or "driver" in conditions.host(0)["gpu"]
    (tmp_path / "information").write_text("Model: \t\t NVIDIA H200\nIRQ: 1\n")
    (tmp_path / "version").write_text("NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5\n")
    monkeypatch.setattr(conditions, "GPU_CARDS", str(tmp_path / "information"))
    monkeypatch.setattr(conditions, "GPU_DRIVER", str(tmp_path / "version"))
    assert conditions.host(0)["gpu"] == "NVIDIA H200, driver 550.54.15"


def test_numpys_own_threads_are_read_back() -> None:
    code = f"""if True:
        import sys; sys.path.insert(0, {str(RUNNER.parent)!r})
        import numpy
        from runner.threads import read_back
        print(read_back(1)["blas"])
    """
    environment = threads.environment(1, 0, "/home")
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    import numpy

    openblas = "openblas" in str(numpy.show_config(mode="dicts")["Build Dependencies"]["blas"]["name"])
    assert done.stdout.strip() == ("1" if openblas else "None")
