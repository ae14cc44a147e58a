"""All observation files as one wide table, a row an observation, as Parquet and as CSV.

``tf-claims tabulate --output observations.parquet --csv observations.csv (FILE... | --files-from list.txt)``

Columns: the identity (``schema`` … ``reason``), ``variant`` (the name of the combination of levels),
``level.<factor>``, ``size.<name>``, the cost (``process.wall_s``, ``peak_rss_mb`` …), ``<phase>.wall_s`` and
``<phase>.cpu_s`` (seconds), the results (``loss``; of a list ``loss[1]``, ``loss[2]`` …), and the conditions
(``host.cpu_model`` …). A result that was not recorded, or is not a finite number, is empty.
"""

from __future__ import annotations

import argparse
import gc
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from tf_claims.cells.columns import Chunk, Columns, concatenate
from tf_claims.model.errors import InputError
from tf_claims.model.files import replaced
from tf_claims.model.observation import Conditions, Level, Observation, read_lines
from tf_claims.model.selectors import label

FILES_AT_ONCE = 1000
SHARED = ("schema", "scenario", "environment", "preset", "block", "seed", "engine", "status", "reason")
COST = ("process.wall_s", "process.cpu_s", "peak_rss_mb", "voluntary_switches", "involuntary_switches")
ORDER = (*SHARED, "variant", "position", "attempt")


class _Line(Observation, frozen=True):
    """An observation whose repetitive parts stay encoded: they are decoded once for many lines."""

    levels: msgspec.Raw  # type: ignore[assignment]
    sizes: msgspec.Raw  # type: ignore[assignment]
    conditions: msgspec.Raw  # type: ignore[assignment]


_LINE = msgspec.json.Decoder(_Line)
_LEVELS = msgspec.json.Decoder(dict[str, Level])
_CONDITIONS = msgspec.json.Decoder(Conditions)


def tidy(paths: Sequence[Path]) -> pa.Table:
    """The observations of all files, in the order of the files and their lines.

    :raises InputError: for a file that is missing, empty, cut short or foreign.
    """
    if not paths:
        raise InputError("no observation file was given: nothing has been measured yet")
    parts = [paths[start : start + FILES_AT_ONCE] for start in range(0, len(paths), FILES_AT_ONCE)]
    if len(parts) == 1:
        chunks = [_read(paths)]
    else:
        with ProcessPoolExecutor(min(len(parts), os.cpu_count() or 1)) as pool:
            chunks = list(pool.map(_read, parts))
    names = dict.fromkeys((*ORDER, *(name for columns in chunks for name in columns)))
    return concatenate(chunks, sorted(names, key=_group))


def _read(paths: Sequence[Path]) -> dict[str, pa.Array]:
    gc.disable()  # very many small objects live at once, and none of them is in a cycle
    chunk = Chunk()
    for path in paths:
        before = chunk.rows
        for _ in read_lines(path, partial(_add, chunk)):
            pass
        if chunk.rows == before:
            raise InputError(f"{path}: holds no observation; delete the file, and the block is measured again")
    return chunk.columns()


def _add(chunk: Chunk, encoded: bytes) -> None:
    line = _LINE.decode(encoded)
    identity = (
        line.schema,
        line.scenario,
        line.environment,
        line.preset,
        line.block,
        line.seed,
        line.engine,
        line.status,
        line.reason,
    )
    chunk.refer("identity", identity, lambda: dict(zip(SHARED, identity, strict=True)))
    for part, columns in PARTS.items():
        raw = bytes(getattr(line, part))
        chunk.refer(part, raw, lambda raw=raw, columns=columns: columns(raw))  # type: ignore[misc]
    results: dict[str, Any] = line.results
    if list in map(type, results.values()):
        results = _elements(results)
    cost = line.cost
    values = [
        line.position,
        line.attempt,
        cost.wall_s,
        cost.cpu_s,
        cost.peak_rss_mb,
        cost.voluntary_switches,
        cost.involuntary_switches,
    ]
    for seconds in line.phases.values():
        values.append(seconds.wall_s)
        values.append(seconds.cpu_s)
    values += results.values()
    chunk.end_row(_names(tuple(line.phases), tuple(results)), values)


@cache
def _names(phases: tuple[str, ...], results: tuple[str, ...]) -> tuple[str, ...]:
    clocks = (f"{phase}.{clock}" for phase in phases for clock in ("wall_s", "cpu_s"))
    return ("position", "attempt", *COST, *clocks, *results)


def _elements(results: dict[str, Any]) -> dict[str, Any]:
    """``results`` with ``loss[1]``, ``loss[2]`` … in place of a list ``loss``."""
    flat: dict[str, Any] = {}
    for name, result in results.items():
        if isinstance(result, list):
            flat |= {f"{name}[{index}]": element for index, element in enumerate(result, start=1)}
        else:
            flat[name] = result
    return flat


def _level_columns(encoded: bytes) -> Columns:
    levels = _LEVELS.decode(encoded)
    return {"variant": label(levels)} | {f"level.{factor}": level for factor, level in levels.items()}


def _size_columns(encoded: bytes) -> Columns:
    return {f"size.{name}": size for name, size in _LEVELS.decode(encoded).items()}


def _condition_columns(encoded: bytes) -> Columns:
    conditions = msgspec.to_builtins(_CONDITIONS.decode(encoded))
    conditions["threads"]["affinity"] = " ".join(map(str, conditions["threads"]["affinity"]))
    return {f"{part}.{name}": value for part, values in conditions.items() if values for name, value in values.items()}


PARTS = {"levels": _level_columns, "sizes": _size_columns, "conditions": _condition_columns}


def _group(column: str) -> int:
    """The place of a column's group in the table: identity, levels, sizes, then all else as met."""
    if column in ORDER:
        return 0
    return {"level": 1, "size": 2}.get(column.split(".")[0], 3)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--files-from", type=Path, help="a text file that names one observation file a line")
    parser.add_argument("--output", type=Path, required=True, help="the Parquet file to write")
    parser.add_argument("--csv", type=Path, required=True, help="the CSV file to write")


def execute(options: argparse.Namespace) -> None:
    """Write the table in both forms.

    :raises InputError: as :func:`tidy`.
    """
    listed = options.files_from.read_text().splitlines() if options.files_from else []
    table = tidy([*options.files, *map(Path, listed)])
    with replaced(options.output) as draft:
        pq.write_table(table, draft)
    with replaced(options.csv) as draft:
        pa_csv.write_csv(table, draft)
