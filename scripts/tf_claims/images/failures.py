"""Environments whose software could not be made, and what was said, until the next run tries again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tf_claims.host.cache import DiskFull
from tf_claims.images.key import image_key
from tf_claims.model.errors import InputError
from tf_claims.model.files import write_whole
from tf_claims.model.reason import Reason, because
from tf_claims.model.results import IMAGES, VENVS

SUFFIX = ".failed"


@contextmanager
def kept_as_failure(record: Path) -> Iterator[None]:
    """Keep what is raised inside beside ``record``, and raise it; a full disk is no fault of the environment."""
    try:
        yield
    except DiskFull:
        raise
    except InputError as error:
        write_whole(record.with_suffix(SUFFIX), f"{error}\n")
        raise


def failures(engine: str) -> dict[str, Reason]:
    """By environment why its software, as it is locked now, could not be made."""
    folder = IMAGES if engine == "container" else VENVS
    found = {}
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        environment, _, key = path.stem.rpartition(".")
        if key == image_key(environment):
            found[environment] = because("not_built", why=path.read_text().strip().splitlines()[0])
    return found


def forget_failures() -> None:
    """What failed is tried again."""
    for folder in (IMAGES, VENVS):
        for path in folder.glob(f"*{SUFFIX}"):
            path.unlink()
