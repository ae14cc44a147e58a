"""What each step of a run read and made, as the rules of the workflow say it."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import PurePath
from typing import Any

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
        crate.action(f"count_cooccurrences/{text}", "tf_claims.data.cooccurrence", commit, origin, [record, *files])
    return [record, *files]


def analysis_steps(crate: Crate, blocks: list[str], commit: str) -> None:
    """Add what was made of the blocks, from the looks at their precision to the page.

    :param blocks: the blocks that are in the results, as paths in them.
    :param commit: of the sources that judged them.
    """
    cells = defaultdict(list)
    for block in blocks:
        cells[PurePath(block).parts[1:3]].append(block)
    claims = {scenario: crate.source(f"scenarios/{scenario}/scenario.yaml") for scenario, _ in cells}
    for (scenario, environment), measured in cells.items():
        folder = f"looks/{scenario}/{environment}"
        for look in sorted((crate.folder / folder).glob("*.json")):
            seen = [block for block in measured if int(PurePath(block).stem) <= int(look.stem)]
            if len(seen) < int(look.stem):
                continue  # left from an earlier run that went on for longer
            made = crate.file(f"{folder}/{look.name}")
            step = f"look/{scenario}/{environment}/{look.stem}"
            crate.action(step, "tf_claims.verdicts.look", commit, [*seen, claims[scenario]], [made])
    parquet, csv, verdicts = map(crate.file, ("observations.parquet", "observations.csv", "verdicts.json"))
    preset = crate.source(f"config/presets/{crate.folder.name}.yaml")
    estimates, paper = crate.file("estimates.csv"), crate.file("paper.pdf")
    tables, figures = crate.files("tables"), crate.files("figures")
    shown = [verdicts, *tables, *figures]
    crate.action("tidy", "tf_claims.cells.tidy", commit, blocks, [parquet, csv])
    crate.action(
        "judge", "tf_claims.verdicts.judge", commit, [parquet, preset, *claims.values()], [verdicts, estimates]
    )
    crate.action("tables", "tf_claims.tables.write", commit, [parquet, verdicts], tables)
    crate.action("figures", "tf_claims.figures.draw", commit, [parquet, verdicts], figures)
    crate.action("paper", "tf_claims.publish.paper", commit, shown, [paper])
    crate.action("latex", "tf_claims.publish.latex", commit, shown, crate.files("latex"))
    crate.action("page", "tf_claims.publish.page", commit, [parquet, *shown, paper], crate.files("report"))
