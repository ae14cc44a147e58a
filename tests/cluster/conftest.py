"""A Slurm that runs while its tests run, and a checkout whose profile fits it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.make import make_command
from tests.support.slurm import Slurm

from tf_claims.bench.checkout import copied_checkout, environment, set_blocks

STUDY = {"PRESET": "smoke", "SCENARIOS": "linear_regression", "ENVS": "tf1.15-cpu", "SEED": "7"}
BLOCKS = 4
"""One to stay, one to cancel, one to run out of time, one to lose its node."""


class Checkout:
    """A copy of the checkout in which the study of the tests is reproduced under a profile."""

    def __init__(self, folder: Path, cluster: Slurm | None = None) -> None:
        self.folder, self.cluster = folder, cluster
        self.runs: list[subprocess.Popen[str]] = []
        set_blocks(folder, BLOCKS)

    def profile(self, **changes: str) -> None:
        """Write the Slurm profile anew, with the values of some of its fields changed."""
        lines = Path("profiles/slurm/config.yaml").read_text().splitlines()
        for name, value in changes.items():
            (number,) = (n for n, line in enumerate(lines) if line.lstrip(" #").startswith(f"{name}:"))
            lines[number] = f"{lines[number].partition(name)[0].replace('# ', '')}{name}: {value}"
        (self.folder / "profiles/slurm/config.yaml").write_text("\n".join(lines) + "\n")

    def start(self) -> subprocess.Popen[str]:
        """Start to reproduce; standard error is a pipe."""
        variables = environment()
        if self.cluster:
            variables["PATH"] = f"{self.cluster.folder / 'bin'}:{variables['PATH']}"
        command = make_command("reproduce", **STUDY, PROFILE="slurm" if self.cluster else "local")
        run = subprocess.Popen(
            command, cwd=self.folder, env=variables, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        self.runs.append(run)
        return run

    def end(self) -> None:
        """Stop what a test that failed left running."""
        for run in self.runs:
            if run.poll() is None:
                os.killpg(run.pid, signal.SIGINT)
                run.communicate()

    def reproduce(self) -> tuple[int, str]:
        """Reproduce; the exit code and what was said."""
        run = self.start()
        _, said = run.communicate()
        return run.returncode, said

    @property
    def results(self) -> Path:
        return self.folder / "results/smoke"

    def block(self, number: int) -> Path:
        return self.results / f"observations/linear_regression/tf1.15-cpu/{number}.jsonl"

    def log(self, number: int) -> Path:
        return self.results / f"logs/measure_block/linear_regression.tf1.15-cpu.{number}.log"


@pytest.fixture(scope="session")
def slurm() -> Iterator[Slurm]:
    folder = Path(tempfile.mkdtemp(prefix="slurm."))
    cluster = Slurm(folder)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def here() -> Iterator[Checkout]:
    """The study, reproduced on this host alone."""
    with copied_checkout() as folder:
        checkout = Checkout(folder)
        try:
            code, said = checkout.reproduce()
            assert code == 0, said
            yield checkout
        finally:
            checkout.end()


@pytest.fixture(scope="session")
def there(slurm: Slurm) -> Iterator[Checkout]:
    """The study, reproduced on the cluster; the tests spoil it one after the other and reproduce it again."""
    with copied_checkout() as folder:
        checkout = Checkout(folder, slurm)
        checkout.profile(**FITTING)
        try:
            code, said = checkout.reproduce()
            assert code == 0, said
            yield checkout
        finally:
            checkout.end()


FITTING = {
    "slurm_partition": "main",
    "mem_mb": "5000",
    "runtime": "10",
    "slurm-init-seconds-before-status-checks": "2",
}
"""What a site would change: its partition, the size of its nodes; and Slurm is asked more often than one should."""
