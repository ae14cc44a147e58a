"""A profile says how to run, never what: dry runs of all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tf_claims.bench.checkout import copied_checkout, snakemake

pytestmark = pytest.mark.container
PROFILES = sorted(file.parent.name for file in Path("profiles").glob("*/config.yaml"))


@pytest.fixture(scope="module")
def checkout() -> Iterator[Path]:
    with copied_checkout() as folder:
        yield folder


def jobs(checkout: Path, profile: str) -> list[str]:
    printed = snakemake("--profile", f"profiles/{profile}", "--dry-run", "--config", "preset=smoke", cwd=checkout)
    return sorted(re.findall(r"jobs done\] (.*)", printed))


@pytest.mark.parametrize("profile", [name for name in PROFILES if name != "local"])
def test_every_profile_runs_the_same_jobs(checkout: Path, profile: str) -> None:
    wanted = jobs(checkout, "local")
    assert [job for job in wanted if job.startswith("measuring")]
    assert jobs(checkout, profile) == wanted
