"""The Bible's file format, on a file packed here."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tf_claims.data.alarm import SourceFailed
from tf_claims.data.bible import verses

CLEAR = 256


def packed(text: bytes, clear_at: int | None = None) -> bytes:
    """``text`` as Unix ``compress`` packs it, without its head; the table is cleared once after ``clear_at`` bytes."""
    bits, width, group, known = "", 9, 0, CLEAR
    table = {bytes([value]): value for value in range(256)}
    word = b""

    def put(code: int) -> None:
        nonlocal bits, width, group, known
        bits = format(code, f"0{width}b") + bits  # read from the far end: lowest bit first
        group += 1
        known += 1  # entries that the reader has by now, an entry later than the writer
        if known >= 1 << width or code == CLEAR:
            bits = "0" * (-group % 8 * width) + bits
            group = 0
            width = 9 if code == CLEAR else width + 1

    for place, value in enumerate(text):
        longer = word + bytes([value])
        if longer in table:
            word = longer
            continue
        put(table[word])
        table[longer] = len(table) + 1
        word = bytes([value])
        if clear_at is not None and place > clear_at:
            put(CLEAR)
            table = {bytes([value]): value for value in range(256)}
            known, clear_at = CLEAR, None
    put(table[word])
    return int(bits, 2).to_bytes(-(-len(bits) // 8), "little")


def write(path: Path, windows: list[bytes], size: int) -> Path:
    head = b"EC02Compressed Data File".ljust(84, b"\0")
    first = len(head) + 8 + 4 * len(windows) + 3
    places = [first + sum(map(len, windows[:index])) for index in range(len(windows))]
    numbers = struct.pack(f">{2 + len(windows)}I", size, len(windows), *places)
    path.write_bytes(head + numbers + b"\x1f\x9d\x90" + b"".join(windows))
    return path


VERSES = ["In the beginning", *(f"and {n * n % 997} {'begat ' * (n % 7)}x" for n in range(900))]
TEXT = ("A title\n" + "".join(f"Ge1:{n} {verse}\n" for n, verse in enumerate(VERSES, 1))).encode()


@pytest.mark.parametrize("clear_at", [None, 100, 1003])
def test_the_verses_come_without_their_numbers(clear_at: int | None, tmp_path: Path) -> None:
    size = 16384
    windows = [packed(TEXT[start : start + size], clear_at) for start in range(0, len(TEXT), size)]
    assert verses(write(tmp_path / "bible.data", windows, size)) == VERSES


def test_another_file_and_a_damaged_one_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"<html>")
    with pytest.raises(SourceFailed, match="not the Bible's file"):
        verses(tmp_path / "x")
    (tmp_path / "y").write_bytes(b"EC02")
    with pytest.raises(SourceFailed, match="damaged"):
        verses(tmp_path / "y")
