"""``ro-crate-metadata.json`` of a run: which files each file was made of, by which command, in which image.

A Provenance Run Crate 0.5 (https://w3id.org/ro/wfrun/provenance/0.5) whose root is the results of the preset. The same
results give the same bytes.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from tf_claims.model.errors import InputError
from tf_claims.model.files import write_whole
from tf_claims.model.results import Results
from tf_claims.options import add_results_option
from tf_claims.provenance.entities import Crate, Entity, commit_of, ref, refs
from tf_claims.provenance.steps import analysis_steps, measured_block

NAME = Results(Path()).crate.name
CONTEXT = ["https://w3id.org/ro/crate/1.1/context", "https://w3id.org/ro/terms/workflow-run/context"]
PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/ro/wfrun/provenance/0.5": "Provenance Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
LICENSE = "https://spdx.org/licenses/MIT"


def write_crate(results: Path) -> None:
    """Write the crate of one run, and copies of the sources that it names, into the run's folder.

    :param results: the run's folder, ``results/<preset>`` of a checkout.
    :raises InputError: where a file that the results were made of is missing.
    """
    crate = Crate(results)
    git = json.loads(_text(results.parent / "git.json"))
    # Without git the release is all that is known.
    published = git.get("committed") or _released(crate.checkout / "CITATION.cff")
    names = _blocks(results / "observations.parquet")
    for name in names:
        measured_block(crate, name, commit_of(git))
    analysis_steps(crate, names, commit_of(git))
    _describe(crate, git, published)
    content = {"@context": CONTEXT, "@graph": [crate.entities[key] for key in sorted(crate.entities)]}
    write_whole(results / NAME, json.dumps(content, indent=1, sort_keys=True) + "\n")


def _blocks(observations: Path) -> list[str]:
    """The blocks that the results were derived from; of an earlier, wider choice there may be more files."""
    if not observations.is_file():
        raise InputError(f"{observations}: no such file; `make reproduce` makes it")
    rows = pq.read_table(observations, columns=["scenario", "environment", "block"]).to_pylist()
    return sorted({"observations/{scenario}/{environment}/{block}.jsonl".format(**row) for row in rows})


def _describe(crate: Crate, git: dict[str, Any], published: str) -> None:
    """Add the root, the workflow, and the run of the workflow as a whole."""
    preset = crate.folder.name
    rules = [crate.source(f"rules/{each.name}") for each in sorted((crate.checkout / "rules").glob("*.smk"))]
    config = [crate.source(each) for each in ("config/config.yaml", f"config/presets/{preset}.yaml")]
    workflow = crate.source("Snakefile")
    actions, images = crate.of_type("CreateAction"), crate.of_type("ContainerImage")
    made = {each["@id"] for action in actions for each in crate.entities[action]["result"]}
    used = {each["@id"] for action in actions for each in crate.entities[action]["object"]}
    crate.entities[workflow] |= {
        "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow"],
        "name": "Snakemake workflow",
        "programmingLanguage": ref("#snakemake"),
        "version": commit_of(git),
        "hasPart": refs(crate.of_type("SoftwareApplication")),
    }
    run: Entity = {
        "@id": "#run",
        "@type": "CreateAction",
        "name": f"make reproduce PRESET={preset}",
        "instrument": ref(workflow),
        "object": refs([*(used - made), *config, *rules]),
        "result": refs(made),
    }
    language = {"@type": "ComputerLanguage", "name": "Snakemake", "url": ref("https://snakemake.readthedocs.io")}
    # Some files have several types.
    parts = [name for name, entity in crate.entities.items() if "File" in entity["@type"]]
    for entity in (
        run | ({"containerImage": refs(images)} if images else {}),
        {"@id": "#snakemake"} | language,
        {"@id": "https://snakemake.readthedocs.io", "@type": "WebSite", "name": "Snakemake"},
        {"@id": LICENSE, "@type": "CreativeWork", "name": "MIT License"},
        *(
            {"@id": address, "@type": "CreativeWork", "name": name, "version": address.rsplit("/", 1)[1]}
            for address, name in PROFILES.items()
        ),
        {
            "@id": NAME,
            "@type": "CreativeWork",
            "about": ref("./"),
            "conformsTo": [
                ref("https://w3id.org/ro/crate/1.1"),
                ref("https://w3id.org/workflowhub/workflow-ro-crate/1.0"),
            ],
        },
        {
            "@id": "./",
            "@type": "Dataset",
            "name": f"Verdicts on published claims about TensorFlow, preset {preset}",
            "description": "The run of the workflow: blocks of observations, and the verdicts derived from them.",
            "datePublished": published,
            "license": ref(LICENSE),
            "conformsTo": refs(PROFILES),
            "mainEntity": ref(workflow),
            "mentions": refs(["#run", *actions]),
            "hasPart": refs(parts),
        },
    ):
        crate.add(entity)


def _released(citation: Path) -> str:
    line = next(line for line in _text(citation).splitlines() if line.startswith("date-released:"))
    return line.split(":", 1)[1].strip(' "')


def _text(path: Path) -> str:
    if not path.is_file():
        raise InputError(f"{path}: no such file; `make reproduce` makes it")
    return path.read_text()


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_results_option(parser)


def execute(options: argparse.Namespace) -> None:
    """Run the command."""
    write_crate(options.results)
