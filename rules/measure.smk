rule measure_block:
    input:
        # Written when the workflow is read, and only where its content changes.
        plan=f"{RESULTS}/plans/{{scenario}}/{{environment}}.json",
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
