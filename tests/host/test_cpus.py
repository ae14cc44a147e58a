"""The CPU time that control groups leave a process, read as the kernel writes it."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tf_claims.host.cpus import cpu_quota


@pytest.mark.parametrize(
    ("quotas", "expected"),
    [
        ({}, math.inf),
        ({"a/b": "max 100000"}, math.inf),
        ({"a/b": "150000 100000"}, 1.5),
        ({"a": "50000 100000", "a/b": "200000 100000"}, 0.5),
        ({"a": "400000 100000", "a/b": "max 100000"}, 4.0),
        ({"a": "nonsense"}, math.inf),
    ],
)
def test_the_smallest_quota_of_a_group_and_those_above_it(
    tmp_path: Path, quotas: dict[str, str], expected: float
) -> None:
    groups, membership = tmp_path / "cgroup", tmp_path / "membership"
    for name, text in quotas.items():
        (groups / name).mkdir(parents=True, exist_ok=True)
        (groups / name / "cpu.max").write_text(text + "\n")
    membership.write_text("0::/a/b\n")
    assert cpu_quota(groups, membership) == expected


def test_a_host_without_control_groups_has_no_quota(tmp_path: Path) -> None:
    assert cpu_quota(tmp_path, tmp_path / "none") == math.inf
