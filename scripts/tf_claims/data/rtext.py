"""Texts that R has stored as vectors of lines; no R is needed."""

from __future__ import annotations

import warnings
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tf_claims.data.alarm import SourceFailed


def joined(texts: Iterable[list[str]]) -> bytes:
    """Texts one after the other; every line ends with a newline."""
    return "".join(f"{line}\n" for text in texts for line in text).encode()


def from_rda(file: Path) -> list[str]:
    """The lines of the one variable in an ``.rda`` file.

    :raises SourceFailed: where the file is no such thing.
    """
    variables = _converted(file.read_bytes())
    if not isinstance(variables, dict) or len(variables) != 1:
        raise SourceFailed("not an R data file of one variable")
    return [str(line) for line in next(iter(variables.values()))]


def from_database(stem: Path) -> list[list[str]]:
    """The lines of every variable in R's lazy-load data base ``stem``.rdx and .rdb, by the variables' names.

    The index gives offset and length of each variable; a blob there is the length of what follows unpacked (four
    bytes, big-endian) and a zlib stream of R's serialisation (R's ``makeLazyLoadDB``).

    :raises SourceFailed: where the data base is missing or broken.
    """
    try:
        index = _converted(zlib.decompress(Path(f"{stem}.rdx").read_bytes(), zlib.MAX_WBITS | 32))["variables"]
        blobs = Path(f"{stem}.rdb").read_bytes()
        places = [(int(start), int(length)) for _, (start, length) in sorted(index.items())]
        parts = [zlib.decompress(blobs[start + 4 : start + length]) for start, length in places]
    except (OSError, zlib.error, KeyError, TypeError, ValueError) as error:
        raise SourceFailed(f"no R data base {stem.name}: {error}") from None
    return [[str(line) for line in _converted(part)] for part in parts]


def _converted(serialised: bytes) -> Any:
    import rdata  # brings xarray, which takes long to import

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a part without a file's head is what is meant here
            return rdata.conversion.convert(rdata.parser.parse_data(serialised))
    except Exception as error:  # whatever its reader raises on broken content
        raise SourceFailed(f"not R's serialisation: {error}") from None
