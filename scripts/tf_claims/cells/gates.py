"""Known-answer gates: an observation that did not end, or misses a known answer, has no time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tf_claims.model.errors import InputError
from tf_claims.model.reason import because, encode
from tf_claims.model.scenario import Gate, Scenario
from tf_claims.model.selectors import Level, matches

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


class GateRow(NamedTuple):
    """One gate of one variant over all its blocks; ``worst`` is the largest deviation, NaN where one is not finite.

    Without an ``expected`` value all variants are to be alike in each block.
    """

    scenario: str
    environment: str
    variant: str
    metric: str
    expected: float | None
    within: float
    blocks: int
    missed: int
    worst: float

    @property
    def passed(self) -> bool:
        """Whether no block missed it."""
        return self.missed == 0


def apply_gates(
    rows: pd.DataFrame, scenario: Scenario, name: str, environment: str, levels: dict[str, dict[str, Level]]
) -> tuple[pd.DataFrame, list[GateRow]]:
    """``rows`` of one cell with a column ``unusable`` (the reason, encoded; "" where usable), and the gates' table.

    :raises InputError: where a variant was run at different sizes: such times cannot be pooled.
    """
    rows = rows.assign(unusable=_why_not_ended(rows))
    ended = (rows["unusable"] == "").to_numpy()
    table = []
    found = rows.groupby("variant", observed=True).indices
    variants = {variant: np.asarray(found[variant]) for variant in levels if variant in found}
    sizes = {variant: _sizes(rows.iloc[index], variant, name, environment) for variant, index in variants.items()}
    reasons = rows["unusable"].to_numpy(object, copy=True)
    for gate in scenario.gates:
        values = rows[gate.metric].to_numpy(float) if gate.metric in rows else np.full(len(rows), np.nan)
        selected = {
            variant: index
            for variant, index in variants.items()
            if matches(gate.where, levels[variant] | sizes[variant], environment)
        }
        expected = _medians(rows, values, ended, selected) if gate.equals is None else gate.equals
        deviation = np.abs(values - expected)
        missed = ~(deviation <= gate.within)  # NaN misses
        untrusted: set[int] = set()
        for variant, index in selected.items():
            judged = index[ended[index]]
            bad = judged[missed[judged]]
            fresh = bad[reasons[bad] == ""]
            finite = np.isfinite(values[fresh])
            missing = because("gate.unlike", metric=gate.metric, within=gate.within)
            if gate.equals is not None:
                missing = because("gate.missed", metric=gate.metric, expected=gate.equals, within=gate.within)
            reasons[fresh[finite]] = encode(missing)
            reasons[fresh[~finite]] = encode(because("not_finite", metric=gate.metric))
            worst = float(np.max(deviation[judged])) if len(judged) else np.nan
            row = (gate.metric, gate.equals, gate.within, len(judged), len(bad), worst)
            table.append(GateRow(name, environment, variant, *row))
            untrusted |= set(rows["block"].to_numpy()[index[~ended[index] | missed[index]]].tolist())
        if gate.vouches_for is not None and untrusted:
            _distrust(rows, reasons, gate, untrusted, variants, levels)
    rows["unusable"] = reasons
    return rows, table


def _medians(rows: pd.DataFrame, values: Floats, ended: NDArray[np.bool_], selected: dict[str, Indices]) -> Floats:
    """For each row the median of its block over the rows that ended of the variants ``selected``."""
    index = np.concatenate([np.empty(0, int), *selected.values()])
    index = index[ended[index]]
    medians = pd.Series(values[index]).groupby(rows["block"].to_numpy()[index]).median()
    return rows["block"].map(medians).to_numpy(float)


def _why_not_ended(rows: pd.DataFrame) -> pd.Series:
    ended = rows["status"].astype(str) == "ok"
    return pd.Series(
        [
            "" if ok else encode(because("did_not_end", status=str(status), reason=str(reason)))
            for ok, status, reason in zip(ended, rows["status"], rows["reason"], strict=True)
        ],
        index=rows.index,
        dtype=object,
    )


def _distrust(
    rows: pd.DataFrame,
    reasons: np.ndarray[tuple[int], np.dtype[np.object_]],
    gate: Gate,
    blocks: set[int],
    variants: dict[str, Indices],
    levels: dict[str, dict[str, Level]],
) -> None:
    """Take the time from the variants that ``gate`` vouches for in ``blocks``."""
    in_blocks = rows["block"].isin(blocks).to_numpy()
    for variant, index in variants.items():
        if matches(gate.vouches_for or {}, levels[variant]):
            fresh = index[in_blocks[index] & (reasons[index] == "")]
            reasons[fresh] = encode(because("gate.not_vouched", metric=gate.metric))


def _sizes(rows: pd.DataFrame, variant: str, name: str, environment: str) -> dict[str, Level]:
    columns = [column for column in rows.columns if column.startswith("size.")]
    if (rows[columns].nunique(dropna=False) > 1).any():
        different = next(column for column in columns if rows[column].nunique(dropna=False) > 1)
        raise InputError(
            f"observations of scenario {name} in {environment}: field {different}: {variant!r} was run at different "
            "sizes; delete the observation files of the earlier sizes"
        )
    first = rows[columns].iloc[0].dropna()
    return {column.removeprefix("size."): first[column] for column in first.index}
