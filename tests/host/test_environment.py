"""What a user set for other work does not reach the programs of a run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tf_claims.host.environment import set_aside


def test_what_changes_programs_is_set_aside_and_what_says_where_things_are_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = ("APPTAINER_BIND", "APPTAINERENV_X", "SINGULARITY_BINDPATH", "PIP_USER", "PIP_TARGET", "BASH_ENV")
    stays = ("APPTAINER_TMPDIR", "PIP_INDEX_URL", "HOME", "PATH", "TF_CLAIMS_CACHE", "http_proxy")
    for name in (*gone, *stays):
        monkeypatch.setenv(name, str(tmp_path))
    earlier = os.umask(0o077)
    try:
        set_aside()
        (tmp_path / "made").touch()
    finally:
        os.umask(earlier)
    assert not set(gone) & set(os.environ) and set(stays) <= set(os.environ)
    assert (tmp_path / "made").stat().st_mode & 0o777 == 0o644
