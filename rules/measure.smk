# One input of each block instead of all of these: planning thousands of blocks is mostly about their inputs.
rule prepare_cell:
    input:
        # The key or the checksum in their records stands for their content; that they were made again changes nothing.
        lambda wildcards: ancient(needs_of(**wildcards)),
    output:
        R.prepared("{scenario}", "{environment}"),
    log:
        f"{R.logs}/prepare_cell/{{scenario}}.{{environment}}.log",
    resources:
        measure=1,
    params:
        place=lambda wildcards: PLACES[wildcards.environment].model_dump_json(),
    message:
        "{wildcards.scenario} in {wildcards.environment}: software and data are there"
    shell:
        "(printf '%s\n' {params.place:q} > {output}) 2> {log}"


# Without a message, which would cost a tenth of planning: the progress plugin says it.
rule measure_block:
    input:
        # Written when the workflow is read, and only where its content changes; the code's checksum is part of it.
        plan=R.plan("{scenario}", "{environment}"),
        # Not ancient: Snakemake does not look at the other inputs of a job after one that is made again.
        prepared=R.prepared("{scenario}", "{environment}"),
    output:
        R.block("{scenario}", "{environment}", "{block}"),
    log:
        f"{R.logs}/measure_block/{{scenario}}.{{environment}}.{{block}}.log",
    retries: 0
    threads: STUDY.preset.threads
    resources:
        measure=1,
    params:
        # Not an input: which variants a further block holds is no reason to measure it again.
        looks=f"{R.looks}/{{scenario}}/{{environment}}",
        # Not those of the job, which Snakemake lowers without a word where there are fewer CPUs.
        threads=STUDY.preset.threads,
    shell:
        "tf-claims measure --plan {input.plan} --prepared {input.prepared} --looks {params.looks}"
        " --block {wildcards.block} --threads {params.threads} --git results/git.json --output {output} 2> {log}"


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
