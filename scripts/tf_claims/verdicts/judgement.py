"""A verdict with all that it rests on: what figures, tables and pages show, so that nothing is computed twice."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from pydantic import TypeAdapter

from tf_claims.model.digits import settled
from tf_claims.model.files import Strict, check_with, read_json, write_whole
from tf_claims.model.reason import Reason
from tf_claims.model.selectors import Level
from tf_claims.model.verdict import Verdict
from tf_claims.statistics.intervals import Estimate, Floats
from tf_claims.verdicts.sensitivity import Sensitivity


class Line(Strict):
    """A line of ``estimates.csv``."""

    quantity: str
    value: float | None
    low: float | None
    high: float | None
    blocks: int
    method: str

    @property
    def estimate(self) -> Estimate:
        """The numbers as statistics give them."""
        return Estimate(self.value, self.low, self.high, self.blocks)


class Observed(NamedTuple):
    """One block: a value for each column, what they come to, and why it was not used (None where it was)."""

    number: int
    values: list[float | None]
    result: float | None
    why_unused: Reason | None


class Evidence(Strict):
    """What each block gave: ``values`` has a list a block, with a value for each of ``columns``.

    ``described`` says what the values are, ``result`` what two of them come to. A block that was ``disturbed`` may have
    been used nevertheless.
    """

    described: Reason
    columns: list[str]
    result: Literal["", "ratio", "difference"]
    numbers: list[int]
    values: list[list[float | None]]
    why_unused: dict[int, Reason]
    disturbed: dict[int, Reason] = {}

    @property
    def blocks(self) -> list[Observed]:
        """Block by block."""
        return [
            Observed(number, values, _together(self.result, values), self.why_unused.get(number))
            for number, values in zip(self.numbers, self.values, strict=True)
        ]

    @property
    def used(self) -> Floats:
        """The values that the estimate rests on, (blocks, columns)."""
        kept = [
            values for number, values in zip(self.numbers, self.values, strict=True) if number not in self.why_unused
        ]
        return np.array(kept, float).reshape(len(kept), len(self.columns))


def _together(kind: str, values: Sequence[float | None]) -> float | None:
    if not kind or None in values:
        return None
    of, to = (value for value in values if value is not None)
    if kind == "difference":
        return of - to
    return of / to if to else None


class Judgement(Strict):
    """A verdict, the levels of the variants in the order of its evidence's columns, and its estimates.

    A verdict that was not run has neither evidence nor sensitivity.
    """

    verdict: Verdict
    variants: list[dict[str, Level]] = []
    lines: list[Line] = []
    evidence: Evidence | None = None
    sensitivity: Sensitivity | None = None

    def line(self, quantity: str) -> Line:
        """The line of that name."""
        return next(line for line in self.lines if line.quantity == quantity)


_FILE = TypeAdapter(list[Judgement])


def write_judgements(judgements: Sequence[Judgement], path: Path) -> None:
    """Write ``judgements.json``, its numbers settled."""
    content = settled(_FILE.dump_python(list(judgements)))
    write_whole(path, json.dumps(content, ensure_ascii=False) + "\n")


def read_judgements(path: Path) -> list[Judgement]:
    """The judgements of a run, in the order of the claims.

    :raises InputError: naming the file and the field, where it is missing, cut short or does not fit.
    """
    return check_with(path, _FILE.validate_python, read_json(path))


def finite(values: Sequence[float | None]) -> list[float | None]:
    """``values`` with None in place of what is not a finite number, which JSON cannot hold."""
    return [value if value is not None and math.isfinite(value) else None for value in values]
