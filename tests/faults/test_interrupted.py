"""Runs that are stopped, killed or find broken files: nothing measured is lost, nothing half-written is read."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest
from tests.support.make import make_command, make_in

from tf_claims.bench.checkout import copied_checkout, environment

pytestmark = pytest.mark.container
NARROW = {"PRESET": "smoke", "ENVS": "tf1.15-cpu", "SCENARIOS": "linear_regression"}


def finished_blocks(checkout: Path) -> dict[str, str]:
    """The blocks that are done, by name, with the checksum of their observations."""
    files = sorted((checkout / "results/smoke/observations").glob("*/*/[0-9]*.jsonl"))
    return {str(path.relative_to(checkout)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def stop_after(seconds: float, number: signal.Signals, checkout: Path, blocks: int) -> None:
    """Start a run, and send its whole process group a signal some time after so many blocks are done."""
    run = subprocess.Popen(
        make_command("reproduce", **NARROW),
        cwd=checkout,
        env=environment(),
        start_new_session=True,
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 300
    while len(finished_blocks(checkout)) < blocks and time.monotonic() < deadline:
        time.sleep(0.2)
    time.sleep(seconds)
    os.killpg(run.pid, number)
    run.communicate()


def test_a_run_that_is_stopped_and_then_killed_goes_on_where_it_was():
    with copied_checkout() as checkout:
        stop_after(random.uniform(0, 5), signal.SIGINT, checkout, blocks=1)
        before = finished_blocks(checkout)
        assert before, "no block was done within five minutes"
        stop_after(random.uniform(2, 8), signal.SIGKILL, checkout, blocks=1)
        assert {name: finished_blocks(checkout)[name] for name in before} == before

        done = make_in(checkout)("reproduce", **NARROW)

        assert done.returncode == 0, done.stderr[-3000:]
        after = finished_blocks(checkout)
        assert {name: after[name] for name in before} == before
        assert sorted(after) == [f"results/smoke/observations/linear_regression/tf1.15-cpu/{n}.jsonl" for n in (1, 2)]
        assert not list((checkout / "results/smoke/observations").rglob(".*"))


def test_a_truncated_block_is_named_and_the_others_stay(spoilt):
    file = spoilt / "results/smoke/observations/linear_regression/tf1.15-cpu/1.jsonl"
    whole, before = file.read_bytes(), finished_blocks(spoilt)
    del before[str(file.relative_to(spoilt))]
    file.write_bytes(whole[:-30])

    done = make_in(spoilt)("reproduce", PRESET="smoke")

    assert done.returncode != 0
    lines = whole.count(b"\n")
    assert f"tf1.15-cpu/1.jsonl: line {lines} is cut short; delete the file" in done.stderr
    assert "Traceback" not in done.stderr
    after = finished_blocks(spoilt)
    assert {name: after[name] for name in before} == before


def test_an_image_that_changed_is_refused(spoilt):
    """One byte of the image is another: no block runs in it, and what is measured stays."""
    (link,) = (spoilt / "results/images").glob("tf1.15-cpu.*.sif")
    content = bytearray(link.read_bytes())
    content[-1] ^= 1
    link.unlink()
    link.write_bytes(content)
    block = spoilt / "results/smoke/observations/linear_regression/tf1.15-cpu/2.jsonl"
    block.unlink()
    before = finished_blocks(spoilt)

    done = make_in(spoilt)("reproduce", PRESET="smoke")

    assert done.returncode != 0
    assert "changed after it was built" in done.stderr
    assert finished_blocks(spoilt) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small file system as the cache needs root")
def test_a_full_disk_is_said_before_anything_is_half_made(tmp_path):
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=60m", "tmpfs", str(tmp_path)], check=True)
    try:
        with copied_checkout() as checkout:
            done = make_in(checkout)("reproduce", **NARROW, TF_CLAIMS_CACHE=str(tmp_path))
            assert done.returncode != 0
            assert "disk" in done.stderr and "TF_CLAIMS_CACHE" in done.stderr
            assert "Traceback" not in done.stderr
            assert not list(tmp_path.glob("images/*"))
    finally:
        subprocess.run(["umount", "-l", str(tmp_path)], check=True)
