"""The kept reference: its observations give its files byte for byte, in any process and on any processor."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "reference" / "quick"
ELSEWHERE = {
    "here": {"PYTHONHASHSEED": "0", "LC_ALL": "C", "TZ": "UTC"},
    # Another place, and NumPy, its BLAS and the C library with the code that they use on an old processor.
    "on another machine": {
        "PYTHONHASHSEED": "4711",
        "LC_ALL": "de_DE.UTF-8",
        "TZ": "Asia/Kolkata",
        "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
        "OPENBLAS_CORETYPE": "Nehalem",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F",
        "OMP_NUM_THREADS": "1",
    },
}
REFRESH = "`make reference FROM=reference/quick` derives them again without measuring; look at the difference in git"


@pytest.mark.parametrize("place", ELSEWHERE)
def test_observations_give_the_kept_files(place: str, tmp_path: Path) -> None:
    subprocess.run(
        [
            sys.executable,
            "-m",
            "tf_claims",
            "reference",
            "--results",
            str(REFERENCE),
            "--references",
            str(tmp_path),
        ],
        cwd=ROOT,
        env=os.environ | ELSEWHERE[place] | {"PYTHONPATH": "scripts"},
        check=True,
        capture_output=True,
    )
    derived, kept = (
        {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
        for folder in (tmp_path / "quick", REFERENCE)
    )
    assert {"README.md", "estimates.csv", "observations.parquet", "tables/verdicts.csv", "verdicts.json"} <= set(kept)
    assert set(derived) == set(kept), f"other files than those kept: {REFRESH}"
    texts = set(kept) - {"observations.parquet"}
    changed = sorted(name for name in texts if derived[name].read_bytes() != kept[name].read_bytes())
    assert not changed, f"not what the code makes of the kept observations: {', '.join(changed)}; {REFRESH}"


def test_it_is_small_and_names_no_machine() -> None:
    assert sum(path.stat().st_size for path in REFERENCE.rglob("*") if path.is_file()) < 1_000_000
    assert "host.node" not in pq.read_schema(REFERENCE / "observations.parquet").names
