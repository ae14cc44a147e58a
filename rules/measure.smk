def place_of(environment):
    """Where an environment's software lies: an image, or a virtual environment."""
    folder, ending = ("images", ".sif") if ENGINE == "container" else ("venvs", "")
    return f"results/{folder}/{environment}.{KEYS[environment]}{ending}"


def record_of(environment):
    folder = "images" if ENGINE == "container" else "venvs"
    return f"results/{folder}/{environment}.{KEYS[environment]}.json"


def image_of(wildcards):
    """The image in which a block runs; None for the engine venv."""
    return place_of(wildcards.environment) if ENGINE == "container" else None


def python_of(wildcards):
    return (
        "python3"
        if ENGINE == "container"
        else f"{place_of(wildcards.environment)}/bin/python3"
    )


def marker_of(wildcards):
    return (
        "/etc/tf-claims.json"
        if ENGINE == "container"
        else f"{place_of(wildcards.environment)}/tf-claims.json"
    )


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
        place=lambda wildcards: ancient(place_of(wildcards.environment)),
        record=lambda wildcards: ancient(record_of(wildcards.environment)),
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
        image_of
    threads: STUDY.preset.threads
    resources:
        measure=1,
    params:
        python=python_of,
        marker=marker_of,
        engine=ENGINE,
        data="/data" if ENGINE == "container" else "results/data",
    message:
        "measuring {wildcards.scenario} in {wildcards.environment}, block {wildcards.block}"
    shell:
        "{params.python} -I scripts/runner --plan {input.plan} --block {wildcards.block} --threads {threads}"
        " --engine {params.engine} --record {input.record} --marker {params.marker}"
        " --lock /tmp/tf-claims-lock/measure.lock --data {params.data} --git results/git.json"
        " --output {output} 2> {log}"
