rule plan_block:
    input:
        scenario="scenarios/{scenario}/scenario.yaml",
        preset=f"config/presets/{PRESET}.yaml",
    output:
        f"{RESULTS}/plans/{{scenario}}/{{environment}}.json",
    log:
        f"{RESULTS}/logs/plan_block/{{scenario}}.{{environment}}.log",
    params:
        preset=PRESET,
    message:
        "planning {wildcards.scenario} in {wildcards.environment}"
    shell:
        "python -m model.plan --preset {params.preset} --scenario {wildcards.scenario}"
        " --environment {wildcards.environment} --output {output} 2> {log}"


rule measure_block:
    input:
        plan=rules.plan_block.output,
        code="scenarios/{scenario}/variants.py",
        # The key in their names stands for their content; that they were made again does not change it.
        software=lambda wildcards: ancient(PLACES[wildcards.environment].software),
        record=lambda wildcards: ancient(PLACES[wildcards.environment].record),
        # What is in these is checked by its checksum when it is made.
        data=lambda wildcards: [
            ancient(DATA[name]) for name in STUDY.scenarios[wildcards.scenario].data
        ],
    output:
        f"{RESULTS}/observations/{{scenario}}/{{environment}}/{{block}}.jsonl",
    log:
        f"{RESULTS}/logs/measure_block/{{scenario}}.{{environment}}.{{block}}.log",
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
