rule measure_block:
    input:
        # Written when the workflow is read, and only where its content changes.
        plan=R.plan("{scenario}", "{environment}"),
        code="scenarios/{scenario}/variants.py",
        # The key in their names stands for their content; that they were made again does not change it.
        software=lambda wildcards: ancient(PLACES[wildcards.environment].software),
        record=lambda wildcards: ancient(PLACES[wildcards.environment].record),
        # What is in these is checked by its checksum when it is made.
        data=lambda wildcards: [
            ancient(DATA[name])
            for name in STUDY.scenarios[wildcards.scenario].data_of(PRESET)
        ],
    output:
        R.block("{scenario}", "{environment}", "{block}"),
    log:
        f"{R.logs}/measure_block/{{scenario}}.{{environment}}.{{block}}.log",
    retries: 0
    container:
        lambda wildcards: PLACES[wildcards.environment].image
    threads: STUDY.preset.threads
    resources:
        measure=1,
    params:
        engine=ENGINE,
        place=lambda wildcards: PLACES[wildcards.environment],
    message:
        "measuring {wildcards.scenario} in {wildcards.environment}, block {wildcards.block}"
    shell:
        "{params.place.python} -I scripts/runner --plan {input.plan} --block {wildcards.block} --threads {threads}"
        " --engine {params.engine} --record {input.record} --marker {params.place.marker}"
        " --lock /tmp/tf-claims-lock/measure.lock --data {params.place.data} --git results/git.json"
        " --output {output} 2> {log}"


checkpoint look_at_precision:
    input:
        blocks=lambda wildcards: blocks_up_to(**wildcards),
        claims="scenarios/{scenario}/scenario.yaml",
    output:
        R.look("{scenario}", "{environment}", "{measured}"),
    log:
        f"{R.logs}/look_at_precision/{{scenario}}.{{environment}}.{{measured}}.log",
    resources:
        measure=1,
    message:
        "looking at the precision of {wildcards.scenario} in {wildcards.environment} after {wildcards.measured} blocks"
    shell:
        f"tf-claims look --results {R.folder} --scenario {{wildcards.scenario}}"
        " --environment {wildcards.environment} --output {output} {input.blocks} 2> {log}"


rule list_blocks:
    input:
        blocks=lambda wildcards: blocks_of(**wildcards),
        # So that a block that is measured again is looked at again.
        looks=lambda wildcards: looks_of(**wildcards),
    output:
        R.listed_blocks("{scenario}", "{environment}"),
    log:
        f"{R.logs}/list_blocks/{{scenario}}.{{environment}}.log",
    resources:
        measure=1,
    message:
        "{wildcards.scenario} in {wildcards.environment}: all blocks are measured"
    shell:
        "(printf '%s\n' {input.blocks} > {output}) 2> {log}"
