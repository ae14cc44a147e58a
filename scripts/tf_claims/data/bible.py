"""The King James Bible out of the file in which Debian's ``bible-kjv-text`` keeps it (Bible Retrieval System, 1989).

The file's head ends with the size of a window and the number of windows (two big-endian 32-bit numbers at byte 84) and
the place of each window. Every window is packed alone with the LZW of Unix ``compress``, whose own head (magic 1f 9d
and a byte for 16-bit codes in block mode) stands once, before the first. The text is a title line and a line for each
verse: book, chapter and verse, a blank, the words.
"""

from __future__ import annotations

import struct
from itertools import pairwise
from pathlib import Path

from tf_claims.data.alarm import SourceFailed

MAGIC = b"EC02"
SIZES_AT = 84
CLEAR = 256
FIRST_BITS, LAST_BITS = 9, 16


def verses(file: Path) -> list[str]:
    """The verses in their order, without their numbers.

    :raises SourceFailed: where the file is missing or not of this format.
    """
    try:
        content = file.read_bytes()
        if not content.startswith(MAGIC):
            raise SourceFailed(f"{file.name} is not the Bible's file")
        size, windows = struct.unpack_from(">2I", content, SIZES_AT)
        places = [*struct.unpack_from(f">{windows}I", content, SIZES_AT + 8), len(content)]
        parts = [_unpacked(content[start:end], size) for start, end in pairwise(places)]
        lines = b"".join(parts).decode("ascii").splitlines()
        return [line.split(" ", 1)[1] for line in lines[1:]]
    except (OSError, struct.error, IndexError, ValueError) as error:
        raise SourceFailed(f"{file.name} is damaged: {error}") from None


def _unpacked(packed: bytes, size: int) -> bytes:
    """Undo ``compress`` on one window, which holds ``size`` bytes or, as the last one, fewer.

    Codes come lowest bit first and in groups of eight: where their width changes, the rest of a group is padding.
    """
    table = [bytes([value]) for value in range(256)] + [b""]
    text = bytearray()
    last = b""
    width, at, group = FIRST_BITS, 0, 0
    while at + width <= 8 * len(packed) and len(text) < size:
        code = int.from_bytes(packed[at // 8 : at // 8 + 4], "little") >> at % 8 & ((1 << width) - 1)
        at, group = at + width, group + 1
        if code == CLEAR:
            del table[CLEAR + 1 :]
            last, wider = b"", FIRST_BITS
        else:
            entry = table[code] if code < len(table) or not last else last + last[:1]
            if last and len(table) < 1 << LAST_BITS:
                table.append(last + entry[:1])
            text += entry
            last = entry
            wider = width + 1 if len(table) >= 1 << width and width < LAST_BITS else width
        if wider != width or code == CLEAR:
            at += -group % 8 * width
            width, group = wider, 0
    return bytes(text)
