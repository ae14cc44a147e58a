"""From published claims to verdicts: images, data, blocks, analysis, publication (one file of rules each)."""

import json
import os
import sys
from pathlib import Path

SCRIPTS = str(Path(workflow.basedir) / "scripts")
sys.path.insert(0, SCRIPTS)
os.environ.update(PYTHONPATH=SCRIPTS)

from snakemake.exceptions import WorkflowError
from snakemake_interface_executor_plugins.settings import DeploymentMethod

from tf_claims.model.errors import InputError
from tf_claims.model.plan import write_plans
from tf_claims.model.study import plan_study
from tf_claims.host.gpu import why_not
from tf_claims.images.key import image_key
from tf_claims.host.measure_lock import lock_folder
from tf_claims.images.places import place_of


configfile: "config/config.yaml"


# On a cluster each node reads this file before it starts a block: its lock must be there to be bound.
lock_folder()

PRESET = config["preset"]
ENGINE = config["engine"]
RESULTS = f"results/{PRESET}"

if ENGINE not in ("container", "venv"):
    raise WorkflowError(
        f"config: field engine: {ENGINE!r} is neither container nor venv"
    )
if (
    ENGINE == "container"
    and DeploymentMethod.APPTAINER not in workflow.deployment_settings.deployment_method
):
    # Without this Snakemake would run the blocks on the host, silently.
    raise WorkflowError(
        "engine container needs --software-deployment-method apptainer; `make reproduce` sets it"
    )

try:
    STUDY = plan_study(
        PRESET, why_not, config["environments"].split(), config["scenarios"].split()
    )
    PLACES = {
        name: place_of(ENGINE, name, image_key(name))
        for name in {cell.environment for cell in STUDY.running}
    }
    write_plans(STUDY, Path(RESULTS) / "plans")
    if any(STUDY.stacks[cell.environment].gpu for cell in STUDY.running):
        # As --nv, which the profile's arguments would give every host.
        os.environ.update(APPTAINER_NV="1")
except InputError as error:
    raise WorkflowError(str(error)) from None


wildcard_constraints:
    environment=r"[^/]+?",
    key=r"[0-9a-f]{12}",
    scenario=r"[^/]+",
    text="austen|kjv",
    dataset=r"[a-z0-9]+",
    block=r"\d+",
    measured=r"\d+",


include: "rules/images.smk"
include: "rules/data.smk"
include: "rules/blocks.smk"
include: "rules/measure.smk"
include: "rules/analyse.smk"
include: "rules/publish.smk"


onstart:
    # Which sources a block was measured with; no input of the blocks, or each commit would measure them anew.
    shell(
        "mkdir -p results/data && python -m tf_claims.host.git_state --output results/git.json"
    )


rule all:
    default_target: True
    input:
        page=f"{RESULTS}/report/index.html",
        # A first look is for the page alone: no paper is written of half the blocks.
        papers=(
            []
            if FIRST_LOOK_ALONE
            else [f"{RESULTS}/paper.pdf", f"{RESULTS}/latex/main.tex"]
        ),
        # Where it all comes from, and what is in the images.
        provenance=[] if FIRST_LOOK_ALONE else f"{RESULTS}/ro-crate-metadata.json",
        sboms=[
            place.record.removesuffix(".json") + ".cdx.json"
            for place in PLACES.values()
            if place.image
        ],
        # Named too, so that a block that was deleted is measured again although the page is there.
        blocks=all_blocks,


# Blocks are the jobs of a cluster; everything else runs where Snakemake runs.
workflow.localrules(*{each.name for each in workflow.rules} - {"measure_block"})
