"""Software that could not be made is named with its reason until it is tried again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tf_claims.host.cache import DiskFull
from tf_claims.images import failures as kept
from tf_claims.images.key import image_key
from tf_claims.model.errors import InputError
from tf_claims.model.study import plan_study
from tf_claims.words.messages import ENGLISH

ENVIRONMENT = "tf2.15-cpu"


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(kept, "IMAGES", tmp_path)
    monkeypatch.setattr(kept, "VENVS", tmp_path / "venvs")
    return tmp_path / f"{ENVIRONMENT}.{image_key(ENVIRONMENT)}.json"


def fail(record: Path, error: InputError) -> None:
    with pytest.raises(InputError), kept.kept_as_failure(record):
        raise error


def test_a_failure_is_the_reason_not_to_run_until_it_is_forgotten(record: Path) -> None:
    fail(record, InputError("tf2.15-cpu: importing TensorFlow: exit code 132\n    Illegal instruction"))
    study = plan_study("quick", lambda stack: None, ["*-cpu"]).without(kept.failures("container"))
    reasons = {cell.environment: cell.why_not for cell in study.cells}
    assert reasons["tf2.21-cpu"] is None and reasons[ENVIRONMENT] is not None
    assert ENGLISH.reason(reasons[ENVIRONMENT]) == (
        "its software could not be made: tf2.15-cpu: importing TensorFlow: exit code 132"
    )
    assert kept.failures("venv") == {}
    kept.forget_failures()
    assert kept.failures("container") == {}


def test_a_failure_of_another_lock_says_nothing_about_this_one(record: Path) -> None:
    fail(record.with_name(f"{ENVIRONMENT}.0123456789ab.json"), InputError("x"))
    assert kept.failures("container") == {}


def test_a_full_disk_is_no_fault_of_an_environment(record: Path) -> None:
    fail(record, DiskFull("the disk is full"))
    assert kept.failures("container") == {}


def test_what_can_be_made_leaves_nothing(record: Path) -> None:
    with kept.kept_as_failure(record):
        pass
    assert kept.failures("container") == {}
