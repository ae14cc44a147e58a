"""`make reproduce PROFILE=slurm` on a real Slurm: the whole study, then what goes wrong on clusters.

The tests run in their order: each finds the checkout as the one before it left it.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tests.cluster.conftest import BLOCKS, FITTING, Checkout
from tests.support.slurm import Slurm

from tf_claims.host.measure_lock import measuring
from tf_claims.model.observation import Observation, read_observations

pytestmark = [pytest.mark.cluster, pytest.mark.container]
PATIENCE_S = 180


def wait_until(done: Callable[[], Any], run: subprocess.Popen[str]) -> Any:
    """What ``done`` returns as soon as that is true, while the run goes on."""
    end = time.monotonic() + PATIENCE_S
    while not (found := done()):
        assert run.poll() is None and time.monotonic() < end, "waited in vain"
        time.sleep(0.2)
    return found


def jobs(slurm: Slurm) -> dict[int, str]:
    """The running jobs: the block, and its job's number."""
    lines = slurm.client("squeue", "--noheader", "--states=RUNNING", "--format=%A %k").splitlines()
    return {int(line.rpartition("_")[2]): line.split()[0] for line in lines}


def details(slurm: Slurm, job: str) -> dict[str, str]:
    """What Slurm knows of a job."""
    return dict(word.split("=", 1) for word in slurm.client("scontrol", "show", "job", job).split() if "=" in word)


@contextmanager
def lock_held() -> Iterator[None]:
    """No block is measured on this host meanwhile: those that have started wait."""
    with measuring("a test"):
        yield


def observed(checkout: Checkout) -> list[Observation]:
    return [each for number in range(1, BLOCKS + 1) for each in read_observations(checkout.block(number))]


def what_does_not_hang_on_time(checkout: Checkout) -> dict[str, Any]:
    """Of results, everything that a second run at this size must give again; times, and what follows from them, not.

    With loops of milliseconds the ratios are noise, so neither they nor the words that judge them are compared; the
    verdicts on values are, and why a claim was not run, and how many blocks each verdict rests on.
    """
    verdicts = json.loads((checkout.results / "verdicts.json").read_text())
    same = ("claim", "scenario", "environment", "says", "estimand", "published", "blocks", "scaled_down_note", "engine")
    table = [{name: each[name] for name in same} for each in verdicts]
    fixed = [
        (each["claim"], each["environment"], each["verdict"], each["reason"])
        for each in verdicts
        if each["estimand"] == "value" or each["verdict"] == "not run"
    ]
    gates = pd.read_csv(checkout.results / "tables/gates.csv")
    observations = [
        (
            each.environment, each.levels, each.sizes, each.block, each.position, each.seed, each.status,
            each.conditions.image, each.conditions.versions, each.conditions.threads, list(each.results),
        )
        for each in observed(checkout)
        if each.attempt == 1
    ]  # fmt: skip
    return {"table": table, "fixed": fixed, "gates": gates["passed"].tolist(), "observations": observations}


def test_the_study_on_the_cluster_equals_the_one_on_this_host(there: Checkout, here: Checkout) -> None:
    wanted, found = what_does_not_hang_on_time(here), what_does_not_hang_on_time(there)
    assert wanted["table"] and wanted["gates"] and len(wanted["observations"]) > BLOCKS
    for part in wanted:
        assert found[part] == wanted[part], part


def test_each_block_was_a_job_with_a_node_of_its_own(there: Checkout, slurm: Slurm) -> None:
    known = [details(slurm, job) for job in slurm.client("squeue", "-h", "--states=all", "--format=%A").split()]
    assert len(known) == BLOCKS
    for job in known:
        assert job["Partition"] == "main" and job["OverSubscribe"] == "NO" and job["NumNodes"] == "1"
        assert job["TimeLimit"] == "00:10:00" and job["MinMemoryNode"] == "5000M" and job["CPUs/Task"] == "2"
    assert {job["NodeList"] for job in known} == set(slurm.nodes)
    for each in observed(there):
        assert each.conditions.threads.asked == 2 == len(each.conditions.threads.affinity)


def test_every_way_to_lose_a_job_is_named_and_finished_blocks_stay(there: Checkout, slurm: Slurm) -> None:
    before = there.block(1).read_bytes()
    lost = set(range(2, BLOCKS + 1))
    for number in lost:
        there.block(number).unlink()
        there.log(number).unlink()
    there.profile(**FITTING | {"runtime": "1", "slurm-requeue": "false"})
    with lock_held():
        run = there.start()
        first, second = wait_until(lambda: found if len(found := jobs(slurm)) == 2 else None, run).items()
        wait_until(lambda: "waiting for" in text(there.log(first[0])), run)
        slurm.client("scancel", first[1])
        # Its node is free for the third, which loses it.
        (last,) = lost - {first[0], second[0]}
        third = last, wait_until(lambda: jobs(slurm).get(last), run)
        wait_until(lambda: "waiting for" in text(there.log(last)), run)
        node = details(slurm, third[1])["NodeList"]
        slurm.lose_node(node)
        wait_until(lambda: details(slurm, third[1])["JobState"] == "NODE_FAIL", run)
        slurm.start_node(node)
        _, said = run.communicate(timeout=PATIENCE_S)
    assert run.returncode != 0
    assert f"Slurm: job {first[1]} ended as CANCELLED: JOB {first[1]} ON " in said
    assert f"Slurm: job {second[1]} ended as TIMEOUT: JOB {second[1]} ON " in said
    assert "DUE TO TIME LIMIT (raise runtime in the profile, or lower the preset's sizes)" in said
    assert f"Slurm: job {third[1]} ended as NODE_FAIL" in said
    assert "what is measured stays" in said
    assert "Traceback" not in said
    assert there.block(1).read_bytes() == before
    assert not any(there.block(number).exists() for number in lost)


def test_a_request_that_no_node_fulfils_is_refused_in_one_line(there: Checkout) -> None:
    there.profile(**FITTING | {"slurm_partition": "moon"})
    code, said = there.reproduce()
    assert code != 0
    assert "Slurm refused the job: sbatch: error: invalid partition specified: moon" in said
    assert "Traceback" not in said


def test_a_lost_node_costs_its_block_a_second_start_only(there: Checkout, here: Checkout, slurm: Slurm) -> None:
    before = there.block(1).read_bytes()
    lost = range(2, BLOCKS + 1)
    there.profile(**FITTING)
    run = there.start()
    # Blocks take turns on this host: the one that has started a variant is measuring.
    number = wait_until(lambda: next((n for n in lost if "variant 2" in text(there.log(n))), None), run)
    job = jobs(slurm)[number]
    node = details(slurm, job)["NodeList"]
    slurm.lose_node(node)
    try:
        _, said = run.communicate(timeout=PATIENCE_S)
    finally:
        slurm.start_node(node)
    assert run.returncode == 0, said
    again = details(slurm, job)
    assert (again["Restarts"], again["JobState"]) == ("1", "COMPLETED")
    assert again["NodeList"] != node
    assert there.block(1).read_bytes() == before
    assert what_does_not_hang_on_time(there) == what_does_not_hang_on_time(here)


def test_a_further_call_submits_nothing(there: Checkout, slurm: Slurm) -> None:
    submitted = slurm.client("squeue", "--noheader", "--states=all", "--format=%A")
    code, said = there.reproduce()
    assert code == 0
    assert "nothing to do: results/smoke is complete" in said
    assert slurm.client("squeue", "--noheader", "--states=all", "--format=%A") == submitted


def text(path: Path) -> str:
    return path.read_text(errors="replace") if path.exists() else ""
