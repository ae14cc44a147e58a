"""The blocks that are there, where nothing is to be measured."""

from __future__ import annotations

from pathlib import Path

from tf_claims.model.errors import InputError
from tf_claims.model.files import write_whole
from tf_claims.model.results import Results


def measured_blocks(results: Results) -> dict[tuple[str, str], list[Path]]:
    """By scenario and environment: the blocks that the run listed at its end, or else all that are there."""
    folders = sorted(folder for folder in results.blocks.glob("*/*") if folder.is_dir())
    found = {(folder.parent.name, folder.name): _blocks(results, folder) for folder in folders}
    return {cell: blocks for cell, blocks in found.items() if blocks}


def list_blocks(results: Results) -> None:
    """Write the lists that a run which was stopped did not come to.

    :raises InputError: where nothing was measured.
    """
    measured = measured_blocks(results)
    if not measured:
        raise InputError(f"{results.blocks}: no observations; `make reproduce PRESET={results.folder.name}` makes some")
    for cell, blocks in measured.items():
        path = results.listed_blocks(*cell)
        if not path.exists():
            write_whole(path, "".join(f"{block}\n" for block in blocks))


def _blocks(results: Results, folder: Path) -> list[Path]:
    scenario, environment = folder.parent.name, folder.name
    listed = results.listed_blocks(scenario, environment)
    if listed.exists():
        return [Path(line) for line in listed.read_text().split()]
    return sorted(folder.glob("*.jsonl"), key=lambda path: int(path.stem))
