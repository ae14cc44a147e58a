"""``tf-claims fetch-data <name> --output DIR``: a data set, by content, from the first source that has it."""

from __future__ import annotations

import argparse
from pathlib import Path

from tf_claims.data.alarm import SourceFailed
from tf_claims.data.archive import check_sha256
from tf_claims.data.download import PATIENCE, Patience
from tf_claims.data.sources import obtain
from tf_claims.host.cache import cache_root, place, remove_tree, require_space, scratch
from tf_claims.host.commands import say
from tf_claims.model.dataset import DATA, DataRecord, Dataset, Refusal, read_dataset
from tf_claims.model.errors import InputError
from tf_claims.model.files import read_yaml, write_whole

OWN_HAND = "found in the cache"


def fetch(name: str, root: Path = DATA, patience: Patience = PATIENCE) -> DataRecord:
    """Have the data set in the cache, whole and checked; an intact one there is kept as it is.

    :returns: where it is and where it came from.
    :raises InputError: where the data set is unknown or no source gives its content, naming every source with its
        reason.
    """
    dataset = read_dataset(name, root)
    folder = cache_root() / "data" / name / dataset.key
    record_path = folder.with_suffix(".json")
    if folder.exists():
        try:
            _check(folder, dataset)
        except SourceFailed as fault:
            say(f"data set {name}: the cache's copy is damaged and fetched again: {fault}")
            remove_tree(folder)
        else:
            if record_path.exists():
                return read_yaml(record_path, DataRecord)
            return _record(name, dataset, OWN_HAND, [])
    require_space(folder, 3 * dataset.total_bytes, f"the data set {name}")
    record = _from_first_source(name, dataset, folder, root / f"{name}.yaml", patience)
    write_whole(record_path, record.model_dump_json(indent=1) + "\n")
    return record


def _from_first_source(name: str, dataset: Dataset, folder: Path, config: Path, patience: Patience) -> DataRecord:
    refused: list[Refusal] = []
    for source in dataset.sources:
        say(f"data set {name}: trying {source}")
        with scratch(f"data-{name}") as work:
            files = work / "files"
            files.mkdir()
            (work / "work").mkdir()
            try:
                obtain(source, dataset, files, work / "work", patience)
                _check(files, dataset)
            except SourceFailed as fault:
                say(f"data set {name}: {fault}")
                refused.append(Refusal(source=str(source), reason=str(fault)))
                continue
            for file in files.iterdir():
                file.chmod(0o444)
            place(files, folder)
        return _record(name, dataset, str(source), refused)
    reasons = "\n".join(f"  - {refusal.source}: {refusal.reason}" for refusal in refused)
    raise InputError(
        f"{config}: no source gives the data set {name}:\n{reasons}\n"
        f"connect this machine to one of them, or put {', '.join(file.name for file in dataset.files)} into {folder}"
    )


def _check(folder: Path, dataset: Dataset) -> None:
    """Refuse a folder that lacks a file or has one of the wrong content."""
    for file in dataset.files:
        path = folder / file.name
        if not path.is_file():
            raise SourceFailed(f"{file.name} is missing")
        try:
            check_sha256(path, file.sha256)
        except SourceFailed as fault:
            raise SourceFailed(f"{file.name}: {fault}") from None


def _record(name: str, dataset: Dataset, source: str, refused: list[Refusal]) -> DataRecord:
    return DataRecord(
        name=name,
        title=dataset.title,
        key=dataset.key,
        folder=f"data/{name}/{dataset.key}",
        source=source,
        refused=refused,
        files=dataset.files,
    )


def link(record: DataRecord, output: Path) -> None:
    """Make ``output`` a link to the data set in the cache and write the record beside it, ``<name>.json``.

    :raises InputError: where ``output`` is something with content of its own.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    if output.is_symlink():
        output.unlink()
    elif output.is_dir() and not any(output.iterdir()):
        output.rmdir()
    elif output.exists():
        raise InputError(f"{output}: is in the way of the link to the data set; move it or name another --output")
    output.symlink_to(cache_root() / record.folder)
    write_whole(output.parent / f"{record.name}.json", record.model_dump_json(indent=1) + "\n")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("name", help="a file of config/data without .yaml")
    parser.add_argument("--output", type=Path, required=True, help="becomes a link to the data set's folder")


def execute(options: argparse.Namespace) -> None:
    """Fetch a data set unless the cache has it, and link it.

    :raises InputError: as :func:`fetch` and :func:`link`.
    """
    record = fetch(options.name)
    link(record, options.output)
    say(f"data set {record.name}: {record.source}")
