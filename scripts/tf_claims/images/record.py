"""The record of the image (or virtual environment) that an environment's processes ran in."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from tf_claims.model.files import check, read_json


class _Record(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class BaseRecord(_Record):
    """What an image was built on; which fields there are depends on ``kind``."""

    kind: str
    reference: str | None = None
    digest: str | None = None
    python: str | None = None
    debian: str | None = None


class ImageRecord(_Record):
    """What was written down when it built an image. A virtual environment has no image file and no base."""

    environment: str
    key: str
    lock_sha256: str
    packages: dict[str, str] = {}
    sif_sha256: str | None = None
    oci_digest: str | None = None
    base: BaseRecord | None = None
    builder: str | None = None
    apptainer: str | None = None
    size_bytes: int | None = None


def record_path(results: Path, environment: str, key: str) -> Path | None:
    """Where the record lies beside the results folder of a preset; None where there is none."""
    paths = (results.parent / folder / f"{environment}.{key}.json" for folder in ("images", "venvs"))
    return next((path for path in paths if path.exists()), None)


def read_record(path: Path) -> ImageRecord:
    """:raises InputError: naming file and field, for a record that is cut short or does not fit."""
    return check(path, ImageRecord, read_json(path))
