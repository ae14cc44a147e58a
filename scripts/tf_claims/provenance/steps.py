"""What each step of a run read and made, as the rules of the workflow say it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path, PurePath
from typing import Any

from pydantic import TypeAdapter

from tf_claims.model.files import Strict, write_whole
from tf_claims.model.results import Results
from tf_claims.provenance.entities import Crate, commit_of


def measured_block(crate: Crate, name: str, commit: str) -> None:
    """Add one block: made by the runner from its plan, code, image, lock and data sets, and nothing else.

    :param name: ``observations/<scenario>/<environment>/<block>.jsonl``
    :param commit: of the sources that its data sets were made with.
    :raises InputError: where one of these is missing.
    """
    scenario, environment, block = PurePath(name).with_suffix("").parts[1:]
    made = crate.file(name)
    plan = crate.file(f"plans/{scenario}/{environment}.json")
    planned = json.loads((crate.folder / plan).read_text())
    used = [
        plan,
        crate.source(planned["code"]),
        crate.source(f"envs/{environment}/requirements.lock"),
        *(each for data in planned["data"] for each in _data(crate, data, commit)),
    ]
    # All processes of a block share the software; one that failed early recorded no conditions.
    observations = list(map(json.loads, (crate.folder / name).read_text().splitlines()))
    conditions: dict[str, Any] = next((each["conditions"] for each in observations if each.get("conditions")), {})
    image = None
    if software := conditions.get("image"):
        container = observations[0]["engine"] == "container"
        record = f"results/{'images' if container else 'venvs'}/{environment}.{software['key']}.json"
        used.append(crate.source(record))
        if container:
            image = _image(crate, record, software["sha256"])
    runner = commit_of(conditions["git"]) if conditions.get("git") else "unknown"
    crate.action(f"measure/{scenario}/{environment}/{block}", "scripts/runner", runner, used, [made], image)


def _image(crate: Crate, name: str, sha256: str) -> str:
    """The image that a block recorded; its OCI digest where the record is of the same SIF file."""
    record = json.loads((crate.checkout / name).read_text())
    same = record["sif_sha256"] == sha256
    return crate.add(
        {
            "@id": f"#image/{PurePath(name).stem}/{sha256[:12]}",
            "@type": "ContainerImage",
            "name": record["environment"],
            "tag": record["key"],
            "additionalType": {"@id": "https://w3id.org/ro/terms/workflow-run#SIFImage"},
            "sha256": sha256,
        }
        | ({"identifier": record["oci_digest"]} if same else {})
    )


def _data(crate: Crate, name: str, commit: str) -> list[str]:
    """The record of a data set and the files it gives checksums of, which are too large to be copied."""
    record = crate.source(f"results/data/{name}.json")
    files = [
        crate.add(
            {
                "@id": f"#data/{name}/{each['name']}",
                "@type": "CreativeWork",
                "name": each["name"],
                "sha256": each["sha256"],
                "contentSize": str(each["bytes"]),
                "isPartOf": {"@id": record},
            }
        )
        for each in json.loads((crate.checkout / "results" / "data" / f"{name}.json").read_text())["files"]
    ]
    text = name.removesuffix("-glove")
    if text != name:
        origin = _data(crate, text, commit)
        crate.action(f"count_cooccurrences/{text}", "tf-claims count-cooccurrences", commit, origin, [record, *files])
    return [record, *files]


class Step(Strict):
    """A rule that makes files of files, as the workflow has it; paths as they are from the checkout."""

    rule: str
    command: str
    inputs: list[str]
    outputs: list[str]


_FILE = TypeAdapter(list[Step])


def write_steps(rules: Iterable[Any], results: Results) -> None:
    """Write ``steps.json``: the workflow's own rules behind the blocks, but for the one that writes the crate.

    :param rules: of Snakemake, those of the workflow.
    """
    steps = [
        Step(
            rule=rule.name,
            command=" ".join((rule.shellcmd or "").split()[:2]),
            inputs=[str(path) for path in rule.input],
            outputs=[str(path) for path in rule.output],
        )
        for rule in rules
        # Rules with wildcards are the blocks and what they need; rules without output make nothing.
        if rule.output and not rule.wildcard_names
        # The crate is written of these.
        if results.crate.name not in {Path(path).name for path in rule.output}
    ]
    text = _FILE.dump_json(steps, indent=1).decode() + "\n"
    if not results.steps.exists() or results.steps.read_text() != text:
        write_whole(results.steps, text)


def analysis_steps(crate: Crate, blocks: list[str], commit: str) -> None:
    """Add what was made of the blocks, from the looks at their precision to the page.

    :param blocks: the blocks that are in the results, as paths in them.
    :param commit: of the sources that judged them.
    :raises InputError: where a file is missing.
    """
    cells: dict[tuple[str, str], list[str]] = defaultdict(list)
    for block in blocks:
        scenario, environment = PurePath(block).parts[1:3]
        cells[scenario, environment].append(block)
    _looks(crate, cells, commit)
    # A list stands for the blocks in it.
    lists = {Results(crate.named).listed_blocks(*cell): measured for cell, measured in cells.items()}
    steps = crate.folder / crate.file(Results(crate.named).steps.name)
    for step in _FILE.validate_json(steps.read_bytes()):
        used = chain.from_iterable(lists.get(Path(path)) or _files(crate, path) for path in step.inputs)
        made = chain.from_iterable(_files(crate, path) for path in step.outputs)
        crate.action(step.rule, step.command, commit, used, made)


def _files(crate: Crate, path: str) -> list[str]:
    """A file or a folder of the results, or a source."""
    if not Path(path).is_relative_to(crate.named):
        return [crate.source(path)]
    name = Path(path).relative_to(crate.named).as_posix()
    return crate.files(name) if (crate.folder / name).is_dir() else [crate.file(name)]


def _looks(crate: Crate, cells: Mapping[tuple[str, str], list[str]], commit: str) -> None:
    for (scenario, environment), measured in cells.items():
        claims = crate.source(f"scenarios/{scenario}/scenario.yaml")
        folder = f"looks/{scenario}/{environment}"
        for look in sorted((crate.folder / folder).glob("*.json")):
            seen = [block for block in measured if int(PurePath(block).stem) <= int(look.stem)]
            if len(seen) < int(look.stem):
                continue  # left from an earlier run that went on for longer
            made = crate.file(f"{folder}/{look.name}")
            step = f"look_at_precision/{scenario}/{environment}/{look.stem}"
            crate.action(step, "tf-claims look", commit, [*seen, claims], [made])
