"""From published claims to verdicts: images, data, blocks, analysis, publication (one file of rules each)."""

import json
from pathlib import Path

from snakemake.exceptions import WorkflowError

from tf_claims.host.gpu import why_not
from tf_claims.images.failures import failures
from tf_claims.images.key import image_key
from tf_claims.images.places import place_of
from tf_claims.model.errors import InputError
from tf_claims.model.files import NAME
from tf_claims.model.plan import choose_seed, write_plans
from tf_claims.model.results import Results
from tf_claims.model.study import plan_study, read_study, register_rules, write_study
from tf_claims.provenance.steps import write_steps
from tf_claims.run.engines import check_engine
from tf_claims.run.measured import measured_blocks


configfile: "config/config.yaml"


PRESET = config["preset"]
ENGINE = config["engine"]
# Without measuring, the blocks that are there are the sources of everything else: `make report`.
MEASURE = config["measure"]
R = Results.of(PRESET)

if not isinstance(MEASURE, bool):
    raise WorkflowError(f"config: field measure: {MEASURE!r} is neither True nor False")

try:
    check_engine(ENGINE)
    if MEASURE and workflow.is_main_process:
        STUDY = plan_study(
            PRESET,
            why_not,
            config["environments"].split(),
            config["scenarios"].split(),
            choose_seed(R, str(config["seed"])),
        )
        STUDY = register_rules(STUDY.without(failures(ENGINE)), R)
        write_plans(STUDY, R)
        write_study(STUDY, R.study)
    else:
        # What was planned once holds, whatever GPU this host or node has.
        STUDY = read_study(R.study)
    PLACES = {
        name: place_of(ENGINE, name, image_key(name))
        for name in {cell.environment for cell in STUDY.running}
    }
except InputError as error:
    raise WorkflowError(str(error)) from None


# Of a first pass over one environment: there is a page of it, and no more.
FIRST_LOOK_ALONE = bool(config["blocks_in_all"])


wildcard_constraints:
    environment=r"[^/]+?",
    key=r"[0-9a-f]{12}",
    scenario=NAME.pattern,
    text="austen|kjv",
    dataset=r"[a-z0-9]+",
    block=r"\d+",
    measured=r"\d+",


if MEASURE:

    include: "rules/images.smk"
    include: "rules/data.smk"
    include: "rules/blocks.smk"
    include: "rules/measure.smk"


include: "rules/analyse.smk"
include: "rules/publish.smk"


# How each file is made, for the record of where the results come from.
if workflow.is_main_process:
    write_steps(workflow.rules, R)


onstart:
    # Which sources a block was measured with; no input of the blocks, or each commit would measure them anew.
    shell("mkdir -p results/data && tf-claims git-state --output results/git.json")


rule all:
    default_target: True
    input:
        page=R.page,
        # A first look is for the page alone: no paper is written of half the blocks.
        papers=[] if FIRST_LOOK_ALONE else [R.paper, R.latex],
        # Where it all comes from, and what is in the images.
        provenance=[] if FIRST_LOOK_ALONE else R.crate,
        sboms=[
            place.record.removesuffix(".json") + ".cdx.json"
            for place in PLACES.values()
            if MEASURE and place.image
        ],
        # Named too, so that a block that was deleted is measured again although the page is there.
        blocks=all_blocks if MEASURE else [],


# Blocks are the jobs of a cluster; everything else runs where Snakemake runs.
workflow.localrules(*{each.name for each in workflow.rules} - {"measure_block"})
