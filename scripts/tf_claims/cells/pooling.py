"""Observations are pooled only where they are repetitions of one experiment.

A block is a repetition of another only where the same software ran in the same way and was recorded in the same form
(pyperf, too, refuses to put runs with different conditions together).
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from tf_claims.model.errors import InputError

# Column of the table: what it is, to a person.
FIELDS = {
    "schema": "schema of the observations",
    "engine": "engine",
    "image.lock_sha256": "lock, SHA-256",
    "image.oci_digest": "image, OCI digest",
}
_MOST_FILES = 4
_DIGITS = 12  # of a checksum


def refuse_unlike(path: Path, frame: pd.DataFrame) -> None:
    """That the observations of each environment have one schema, one engine, one lock and one image.

    :param path: where ``frame`` came from
    :raises InputError: naming the field, what it says in which blocks, and the fix.
    """
    for field in [name for name in FIELDS if name in frame]:
        for environment, rows in frame.groupby("environment", observed=True):
            found = rows.groupby(field, observed=True, sort=False)
            if len(found) > 1:
                said = "; ".join(f"{str(value)[:_DIGITS]} in {_files(blocks)}" for value, blocks in found)
                raise InputError(
                    f"{path}: field {field}: the observations of {environment} are not repetitions of one experiment "
                    f"and cannot be pooled: {said}. Compare them by `make compare RUNS='... ...'`, each in a folder "
                    "of its own; to go on with this one, delete the observation files of the unwanted kind and run "
                    "again"
                )


def _files(rows: pd.DataFrame) -> str:
    blocks = rows[["scenario", "environment", "block"]].drop_duplicates()
    names = ["{}/{}/{}.jsonl".format(*block) for block in blocks.itertuples(index=False)]
    more = f" and {len(names) - _MOST_FILES} more" if len(names) > _MOST_FILES else ""
    return ", ".join(names[:_MOST_FILES]) + more
