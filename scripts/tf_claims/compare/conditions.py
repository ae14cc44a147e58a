"""Under which conditions a result was measured, and where those of two results differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from tf_claims.cells.pooling import FIELDS

# Column of the table of observations: its name to a person.
OF_ALL = {
    "preset": "preset",
    "schema": FIELDS["schema"],
    "git.commit": "commit",
    "git.dirty": "uncommitted changes",
    "host.cpu_model": "CPU model",
    "host.cpus": "CPUs",
    "host.memory_mb": "memory (MB)",
    "host.kernel": "kernel",
    "host.governor": "frequency governor",
    "host.gpu": "GPU",
    "threads.asked": "threads",
}
OF_ENVIRONMENT = {
    "engine": FIELDS["engine"],
    "image.lock_sha256": FIELDS["image.lock_sha256"],
    "image.sha256": "image, SHA-256",
}
# Where one of these differs, the observations of both may not be judged as those of one experiment.
FORBIDS_POOLING = {"preset", *FIELDS.values()}
NOT_RECORDED = "not recorded"

Where = tuple[str, str]  # a condition, and the environment or scenario that it is about (or "all")


class Difference(NamedTuple):
    """A condition that is not the same in both results."""

    condition: str
    about: str
    first: str
    second: str
    forbids_pooling: bool


def conditions(observations: pd.DataFrame) -> dict[Where, str]:
    """Each condition of a result, as text; several values are separated by commas."""
    return _all_but_sizes(observations) | _sizes(observations)


def _all_but_sizes(observations: pd.DataFrame) -> dict[Where, str]:
    found = {(name, "all"): _values(observations, column) for column, name in OF_ALL.items()}
    versions = {column: column.removeprefix("versions.") for column in _beginning(observations, "versions.")}
    for environment, rows in observations.groupby("environment", observed=True):
        for column, name in OF_ENVIRONMENT.items():
            found[name, str(environment)] = _values(rows, column)
        for column, name in versions.items():
            if rows[column].notna().any():
                found[name, str(environment)] = _values(rows, column)
    return found


def _sizes(observations: pd.DataFrame) -> dict[Where, str]:
    found = {}
    for scenario, rows in observations.groupby("scenario", observed=True):
        for column in _beginning(rows, "size."):
            if rows[column].notna().any():
                found[f"size {column.removeprefix('size.')}", str(scenario)] = _values(rows, column)
    return found


def differences(first: pd.DataFrame, second: pd.DataFrame) -> Iterator[Difference]:
    """Of what both results have, each condition that is not the same."""
    # A scenario's sizes may differ from environment to environment, and one result may have fewer of these.
    ours, theirs = (
        _all_but_sizes(one) | _sizes(_where_also_in(other, one)) for one, other in ((first, second), (second, first))
    )
    shared = {"all"} | _parts(first) & _parts(second)
    for condition, about in dict.fromkeys([*ours, *theirs]):
        one, other = (each.get((condition, about), NOT_RECORDED) for each in (ours, theirs))
        if about in shared and one != other:
            forbids = condition in FORBIDS_POOLING or condition.startswith("size ")
            yield Difference(condition, about, one, other, forbids)


def _where_also_in(other: pd.DataFrame, observations: pd.DataFrame) -> pd.DataFrame:
    """The rows of ``observations`` whose scenario was measured in the same environment in ``other``."""
    cell = ["scenario", "environment"]
    return observations[observations.set_index(cell).index.isin(other.set_index(cell).index)]


def _parts(observations: pd.DataFrame) -> set[str]:
    """The scenarios and environments that were measured."""
    return {str(name) for column in ("scenario", "environment") for name in observations[column].unique()}


def _beginning(observations: pd.DataFrame, prefix: str) -> list[str]:
    return sorted(str(name) for name in observations.columns if str(name).startswith(prefix))


def _values(rows: pd.DataFrame, column: str) -> str:
    known = [] if column not in rows else rows[column].dropna().unique().tolist()
    return ", ".join(_text(value) for value in sorted(known)) or NOT_RECORDED


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):  # numbers with gaps between them are floats in a table
        return str(int(value)) if value.is_integer() else f"{value:g}"
    return str(value)
