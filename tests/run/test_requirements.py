"""What a run asks of a host is asked for before anything is built."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tf_claims.model.errors import InputError
from tf_claims.run import requirements
from tf_claims.run.requirements import require_cpus, require_places


@pytest.mark.parametrize(("quota", "told"), [(1.5, r"may use \d+ and a quota of 1\.5"), (float("inf"), r"may use 0;")])
def test_fewer_cpus_than_the_preset_measures_with_are_refused(
    monkeypatch: pytest.MonkeyPatch, quota: float, told: str
) -> None:
    monkeypatch.setattr(requirements, "cpu_quota", lambda: quota)
    if quota > 2:
        monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set())
    with pytest.raises(InputError, match=told):
        require_cpus(2)


def test_enough_cpus_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requirements, "cpu_quota", lambda: 2.0)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1})
    require_cpus(2)


@pytest.mark.parametrize("name", ["two words", "a,b", "a:b", "it's", 'a"b', "a$b", "a#b", "a\\b"])
def test_a_path_that_some_program_reads_otherwise_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / name).mkdir()
    monkeypatch.setenv("TF_CLAIMS_CACHE", str(tmp_path / name))
    with pytest.raises(InputError, match=r"in the path of the cache; set TF_CLAIMS_CACHE to a plainer place"):
        require_places()
    monkeypatch.setenv("TF_CLAIMS_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path / name)
    with pytest.raises(InputError, match=r"in the path of the checkout; move it to a plainer place"):
        require_places()


@pytest.mark.parametrize("name", ["plain", "über-日本_語.1+2@x~"])
def test_other_paths_are_fine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / name)
    monkeypatch.setenv("TF_CLAIMS_CACHE", str(tmp_path / name))
    require_places()


def test_a_folder_for_temporary_files_that_is_not_there_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "none"))
    with pytest.raises(InputError, match="none: TMPDIR names it, but it is no folder"):
        require_places()
