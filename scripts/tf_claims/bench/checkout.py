"""A throw-away copy of the checkout, in which a bench may change files and run the workflow."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tf_claims.host.apptainer import apptainer_bin_dir
from tf_claims.host.cache import cache_root


@contextmanager
def copied_checkout() -> Iterator[Path]:
    """A copy of the files that git does not ignore, with the images already built and this checkout's .venv."""
    with tempfile.TemporaryDirectory(prefix="tf-claims-bench.") as name:
        folder = Path(name)
        listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        for file in subprocess.check_output(listing, text=True).splitlines():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, folder / file)
        (folder / ".venv").symlink_to(Path(".venv").absolute())
        yield folder


def set_blocks(checkout: Path, blocks: int) -> None:
    """Give every preset of every scenario in the copy this number of blocks."""
    for path in checkout.glob("scenarios/*/scenario.yaml"):
        path.write_text(re.sub(r"\bblocks: \{.*\}", f"blocks: {{least: {blocks}, most: {blocks}}}", path.read_text()))


def environment() -> dict[str, str]:
    """The environment variables with which `make reproduce` starts Snakemake.

    A copy shares this checkout's .venv, which has this checkout's package installed: the copy's own code comes first.
    """
    path = os.pathsep.join([str(Path(sys.executable).parent), str(apptainer_bin_dir()), os.environ["PATH"]])
    return os.environ | {"PATH": path, "PYTHONPATH": "scripts", "TF_CLAIMS_CACHE": str(cache_root())}


def tf_claims(*arguments: str) -> list[str]:
    """The command line of a command of the package."""
    return [sys.executable, "-m", "tf_claims", *arguments]


def snakemake(*arguments: str, cwd: Path) -> str:
    """Run Snakemake and return what it prints; its own errors end the bench."""
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", *arguments], cwd=cwd, env=environment(), capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"bench: snakemake {' '.join(arguments)} failed:\n{done.stderr[-2000:]}")
    return done.stdout + done.stderr
