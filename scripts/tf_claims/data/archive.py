"""Files out of archives, checked on the way: gzip, zip (wheels too) and NumPy's npz."""

from __future__ import annotations

import gzip
import hashlib
import zipfile
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tf_claims.data.alarm import SourceFailed

BROKEN = (zipfile.BadZipFile, gzip.BadGzipFile, zlib.error, EOFError, KeyError, ValueError, NotImplementedError)
IDX_UINT8 = 0x08


def sha256_of(path: Path) -> str:
    """The sha256 of a file's content in hex digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_sha256(path: Path, expected: str) -> None:
    """Refuse a file with another content.

    :raises SourceFailed: naming both checksums.
    """
    if (found := sha256_of(path)) != expected:
        raise SourceFailed(f"wrong content: {path.stat().st_size:,} bytes with sha256 {found} instead of {expected}")


def gunzip(packed: Path, into: Path, size: int) -> None:
    """Unpack a gzip file; one that holds more than ``size`` bytes is read no further than that shows.

    :raises SourceFailed: where it is no gzip file, or broken.
    """
    try:
        with gzip.open(packed) as content:
            into.write_bytes(content.read(size + 1))
    except BROKEN as error:
        raise SourceFailed(f"not a whole gzip file: {error}") from None


def unzip(archive: Path, member: str, into: Path, size: int) -> None:
    """Unpack one member of a zip archive, of ``size`` bytes.

    :raises SourceFailed: where the archive is broken, or has no such member.
    """
    try:
        with zipfile.ZipFile(archive) as content, content.open(member) as file:
            into.write_bytes(file.read(size + 1))
    except BROKEN as error:
        raise SourceFailed(f"no member {member} in the archive: {error}") from None


def array_to_idx(archive: Path, name: str, into: Path) -> None:
    """Write one uint8 array of an npz archive as an idx file.

    The format (as on the page of MNIST): two zero bytes, the type (0x08 for unsigned bytes), the number of dimensions,
    each dimension as a big-endian 32-bit number, the elements in C order.

    :raises SourceFailed: where the archive is broken, or the array is missing or of another type.
    """
    try:
        with np.load(archive, allow_pickle=False) as content:
            array: NDArray[np.uint8] = content[name]
    except BROKEN as error:
        raise SourceFailed(f"no array {name} in the archive: {error}") from None
    if array.dtype != np.uint8:
        raise SourceFailed(f"array {name} is of type {array.dtype} instead of uint8")
    shape = np.array(array.shape, ">u4").tobytes()
    into.write_bytes(bytes([0, 0, IDX_UINT8, array.ndim]) + shape + np.ascontiguousarray(array).tobytes())
