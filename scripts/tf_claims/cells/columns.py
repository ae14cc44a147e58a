"""Rows of unlike records collected into Arrow columns, a chunk at a time: fast, and small in memory."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from tf_claims.model.errors import InputError

Columns = dict[str, Any]


class Chunk:
    """Columns of some thousand rows.

    What repeats from row to row (conditions, levels) is kept once under a key, and a row refers to it. The rows' own
    values are kept by row, grouped by the names they have, and turned into columns at the end.
    """

    def __init__(self) -> None:
        self.rows = 0
        self._own: dict[tuple[str, ...], tuple[list[int], list[list[Any]]]] = {}
        self._parts: dict[str, tuple[dict[Hashable, int], list[Columns], list[int]]] = {}

    def refer(self, part: str, key: Hashable, decode: Callable[[], Columns]) -> None:
        """The row under way has the columns of ``key``, which ``decode`` gives at the first time.

        Every row refers to the same parts.
        """
        try:
            known, columns, references = self._parts[part]
        except KeyError:
            known, columns, references = self._parts[part] = ({}, [], [])
        index = known.get(key)
        if index is None:
            columns.append(decode())
            index = known[key] = len(columns) - 1
        references.append(index)

    def end_row(self, names: tuple[str, ...], values: list[Any]) -> None:
        """Ends the row under way with its own values."""
        try:
            rows, all_values = self._own[names]
        except KeyError:
            rows, all_values = self._own[names] = ([], [])
        rows.append(self.rows)
        all_values.append(values)
        self.rows += 1

    def columns(self) -> dict[str, pa.Array]:
        """Each column with an entry for each row, null where a row has none.

        :raises InputError: where a row has a column twice.
        """
        gathered: dict[str, tuple[list[int], list[Any]]] = {}
        for names, (rows, all_values) in self._own.items():
            for name, values in zip(names, zip(*all_values, strict=True), strict=True):
                all_rows, column = gathered.setdefault(name, ([], []))
                all_rows += rows
                column += values
        columns = {}
        for _, parts, references in self._parts.values():
            for name in dict.fromkeys(name for part in parts for name in part):
                having = [index for index, part in enumerate(parts) if name in part]
                distinct = _spread(having, _array([parts[index][name] for index in having]), len(parts))
                columns[name] = distinct.take(pa.array(references, pa.int32()))
        for name, (all_rows, column) in gathered.items():
            if name in columns or len(set(all_rows)) < len(all_rows):
                raise InputError(f"column {name!r} is recorded twice in one observation; give the result another name")
            columns[name] = _spread(all_rows, _array(column), self.rows)
        return columns


def _array(values: list[Any]) -> pa.Array:
    """Numbers as numbers, texts as a dictionary of texts; a mixture becomes texts."""
    try:
        array = pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        array = pa.array([None if value is None else str(value) for value in values])
    return array.dictionary_encode() if pa.types.is_string(array.type) else array


def _spread(rows: list[int], values: pa.Array, length: int) -> pa.Array:
    indices = np.full(length, -1, np.int32)
    indices[rows] = np.arange(len(rows), dtype=np.int32)
    return values.take(pa.array(indices, mask=indices < 0))


def concatenate(chunks: list[dict[str, pa.Array]], names: Iterable[str]) -> pa.Table:
    """One table of all chunks, its columns in the order of ``names``."""
    names = list(names)
    types = {name: _common_type({chunk[name].type for chunk in chunks if name in chunk}) for name in names}
    schema = pa.schema([(name, types[name]) for name in names])
    tables = []
    for chunk in chunks:
        length = len(next(iter(chunk.values())))
        arrays = [_cast(chunk[name], types[name]) if name in chunk else pa.nulls(length, types[name]) for name in names]
        tables.append(pa.table(arrays, schema=schema))
    return pa.concat_tables(tables).unify_dictionaries()


TEXT = pa.dictionary(pa.int32(), pa.string())


def _common_type(types: set[pa.DataType]) -> pa.DataType:
    known = {each for each in types if not pa.types.is_null(each)}
    if not known:
        return TEXT
    if len(known) == 1:
        return known.pop()
    return pa.float64() if known == {pa.int64(), pa.float64()} else TEXT


def _cast(array: pa.Array, wanted: pa.DataType) -> pa.Array:
    if array.type == wanted:
        return array
    return array.cast(pa.string()).dictionary_encode() if wanted == TEXT else array.cast(wanted)
