"""The observations behind each estimate: what every block gave, and which blocks were not used and why."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import pyarrow.parquet as pq

from tf_claims.cells.measurements import read_measurements
from tf_claims.model.scenario import CostModel, Equivalence, Ratio, Value
from tf_claims.model.selectors import label
from tf_claims.model.study import plan_study
from tf_claims.model.verdict import Verdict
from tf_claims.verdicts.questions import Question, ask

Key = tuple[str, str, str]
"""Scenario, claim and environment."""


class Block(NamedTuple):
    """One block: a value for each column, what they come to, and why it was not used ("" where it was)."""

    number: int
    values: list[float | None]
    result: float | None
    why_unused: str


class Evidence(NamedTuple):
    """``scaled`` tells by which message the values are described, and ``size`` is the size they are scaled by.

    ``result`` names what two values come to: "ratio", "difference" or nothing.
    """

    metric: str
    scaled: str
    size: str
    columns: list[str]
    result: str
    blocks: list[Block]

    @property
    def unused(self) -> bool:
        return any(block.why_unused for block in self.blocks)

    @property
    def as_csv(self) -> str:
        """All digits, a line a block."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        names = [f"{self.metric} of {column}" if self.metric else column for column in self.columns]
        writer.writerow(["block", *names, *filter(None, [self.result]), "not_used_because"])
        for block in self.blocks:
            writer.writerow([block.number, *block.values, *([block.result] if self.result else []), block.why_unused])
        return text.getvalue()

    @property
    def as_link(self) -> str:
        """The same as the target of a link, which needs no other file."""
        return "data:text/csv;charset=utf-8," + quote(self.as_csv)


def read_evidence(results: Path, verdicts: Sequence[Verdict]) -> dict[Key, Evidence]:
    """The observations in a preset's results folder behind each of the verdicts that have some.

    :raises InputError: where the table of observations does not fit the scenarios.
    """
    path = results / "observations.parquet"
    if not path.exists():
        return {}
    names = pq.read_table(path, columns=["scenario", "environment"]).to_pandas().astype(str)
    chosen = (sorted(names[column].unique()) for column in ("environment", "scenario"))
    study = plan_study(results.name, lambda stack: None, *chosen)
    cells = read_measurements(path, study)
    evidence = {}
    for verdict in verdicts:
        cell = cells.get((verdict.scenario, verdict.environment))
        known = cell is not None and verdict.claim in study.scenarios[verdict.scenario].claims
        if cell is not None and known and verdict.verdict != "not run":
            question = ask(study, verdict.scenario, verdict.claim, verdict.environment, cell)
            variants = [label(variant.levels) for variant in question.selection.variants]
            if variants and set(variants) <= set(cell.variants):
                evidence[verdict.scenario, verdict.claim, verdict.environment] = _evidence(question)
    return evidence


def _evidence(question: Question) -> Evidence:
    estimand, cell = question.claim.estimand, question.cell
    columns = question.columns()
    result = "ratio" if isinstance(estimand, Ratio | Equivalence) else ""
    if isinstance(estimand, Equivalence) and estimand.scale == "absolute":
        result = "difference"
    blocks = []
    for block in cell.blocks:
        values: list[float | None] = []
        reasons = []
        for column in columns:
            rows = cell.rows(column.variant).reindex([block])
            found = float(rows[column.metric].iloc[0]) if column.metric in rows else math.nan
            values.append(found * column.factor if math.isfinite(found) else None)
            reasons.append(cell.unusable(column.variant, column.metric)[block])
        why = next(filter(None, reasons), "")
        blocks.append(Block(block, values, _result(result, values), why))
    scaled, size = "metric", ""
    if isinstance(estimand, CostModel):
        scaled, size = "metric.per", estimand.per
    if isinstance(estimand, Ratio) and estimand.at_paper_size:
        scaled, size = "metric.paper", estimand.at_paper_size
    if isinstance(estimand, Value):
        return Evidence("", "value", "", list(estimand.metrics), result, blocks)
    return Evidence(estimand.metric, scaled, size, _headings(question), result, blocks)


def _result(kind: str, values: list[float | None]) -> float | None:
    if not kind or None in values:
        return None
    of, to = (value for value in values if value is not None)
    if kind == "difference":
        return of - to
    return of / to if to else None


def _headings(question: Question) -> list[str]:
    """Each variant by the levels that tell it from the others."""
    variants = [variant.levels for variant in question.selection.variants]
    differing = [factor for factor in variants[0] if len({str(levels[factor]) for levels in variants}) > 1]
    return [", ".join(str(levels[factor]) for factor in differing) for levels in variants]
