"""``config/data/<name>.yaml``: a data set by the content of its files, and the sources that may have it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from tf_claims.model.errors import InputError
from tf_claims.model.files import Strict, read_yaml

DATA = Path("config/data")

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Url = Annotated[str, Field(pattern=r"^https?://[^\s]+$")]
FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]


class DataFile(Strict):
    """One file: its content decides, wherever it came from."""

    name: FileName
    bytes: int = Field(gt=0)
    sha256: Sha256


class Web(Strict):
    """Each file at an address of its own, as it is or packed with gzip."""

    kind: Literal["web"]
    files: dict[FileName, Url]
    unpack: Literal["nothing", "gzip"] = "nothing"

    def __str__(self) -> str:
        return f"web, {next(iter(self.files.values()), 'no address')}"


class Zip(Strict):
    """A zip archive at one address."""

    kind: Literal["zip"]
    url: Url
    sha256: Sha256
    files: dict[FileName, str] = Field(description="the archive's member of each file")

    def __str__(self) -> str:
        return f"zip, {self.url}"


class Npz(Strict):
    """A NumPy archive of uint8 arrays at one address; each becomes an idx file, the format of MNIST."""

    kind: Literal["npz"]
    url: Url
    sha256: Sha256
    files: dict[FileName, str] = Field(description="the archive's array of each file")

    def __str__(self) -> str:
        return f"npz, {self.url}"


class Wheel(Strict):
    """A wheel of the Python package index, read as a zip archive: nothing of it is run."""

    kind: Literal["wheel"]
    package: str
    version: str
    sha256: Sha256
    files: dict[FileName, str] = Field(description="the wheel's member of each file")

    def __str__(self) -> str:
        return f"Python package {self.package} {self.version}"


class Debian(Strict):
    """Texts inside a Debian package, read without installing it: R's data base of texts, or the Bible's own format."""

    kind: Literal["debian"]
    package: str
    holds: Literal["R texts", "Bible"]
    files: dict[FileName, str] = Field(description="where in the package: for R without .rdb or .rdx")

    def __str__(self) -> str:
        return f"Debian package {self.package}"


class Rda(Strict):
    """R data files at addresses of their own; the texts in the order listed make one file."""

    kind: Literal["rda"]
    files: dict[FileName, list[Url]]

    def __str__(self) -> str:
        return f"rda, {next((url for urls in self.files.values() for url in urls), 'no address')}"


Source = Annotated[Web | Zip | Npz | Wheel | Debian | Rda, Field(discriminator="kind")]


class Dataset(Strict):
    """The files of a data set and its sources in the order in which they are tried."""

    title: str
    licence: str
    files: list[DataFile] = Field(min_length=1)
    sources: list[Source] = Field(min_length=1)

    @model_validator(mode="after")
    def _every_source_has_every_file(self) -> Self:
        names = {file.name for file in self.files}
        for source in self.sources:
            if set(source.files) != names:
                raise ValueError(f"source '{source}' must give exactly the files {', '.join(sorted(names))}")
        return self

    @property
    def key(self) -> str:
        """First 12 hex digits of a sha256 over the names and contents of the files."""
        lines = sorted(f"{file.name} {file.bytes} {file.sha256}\n" for file in self.files)
        return hashlib.sha256("".join(lines).encode()).hexdigest()[:12]

    @property
    def total_bytes(self) -> int:
        """The size of all files together."""
        return sum(file.bytes for file in self.files)


class Refusal(Strict):
    """A source that was tried and did not give the data set."""

    source: str
    reason: str


class DataRecord(Strict):
    """Where the files of a data set came from and where in the cache they are."""

    name: str
    title: str
    key: str
    folder: str = Field(description="relative to the cache's root")
    source: str
    refused: list[Refusal]
    files: list[DataFile]


def read_dataset(name: str, root: Path = DATA) -> Dataset:
    """The data set's description.

    :raises InputError: for an unknown data set or a file that does not fit.
    """
    path = root / f"{name}.yaml"
    if not path.exists():
        known = sorted(file.stem for file in root.glob("*.yaml"))
        raise InputError(f"{path}: data set {name!r} is unknown; known: {', '.join(known) or 'none'}")
    return read_yaml(path, Dataset)
