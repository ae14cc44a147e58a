rule build_image:
    input:
        # The key in the name stands for the content of these.
        dockerfile=ancient("docker/Dockerfile"),
        stack=ancient("envs/{environment}/stack.yaml"),
        lock=ancient("envs/{environment}/requirements.lock"),
    output:
        sif="results/images/{environment}.{key}.sif",
        record="results/images/{environment}.{key}.json",
    log:
        "results/logs/build_image/{environment}.{key}.log",
    resources:
        measure=1,
    message:
        "building the image {wildcards.environment}"
    shell:
        "tf-claims image {wildcards.environment} --sif {output.sif} --record {output.record} 2> {log}"


rule build_venv:
    input:
        stack=ancient("envs/{environment}/stack.yaml"),
        lock=ancient("envs/{environment}/requirements.lock"),
    output:
        venv=directory("results/venvs/{environment}.{key}"),
        record="results/venvs/{environment}.{key}.json",
    log:
        "results/logs/build_venv/{environment}.{key}.log",
    resources:
        measure=1,
    message:
        "building the virtual environment {wildcards.environment}"
    shell:
        "tf-claims venv {wildcards.environment} --venv {output.venv} --record {output.record} 2> {log}"


rule write_sbom:
    input:
        record=ancient("results/images/{environment}.{key}.json"),
        lock=ancient("envs/{environment}/requirements.lock"),
    output:
        "results/images/{environment}.{key}.cdx.json",
    log:
        "results/logs/write_sbom/{environment}.{key}.log",
    resources:
        measure=1,
    message:
        "writing the bill of materials of {wildcards.environment}"
    shell:
        "tf-claims sbom --record {input.record} --lock {input.lock} --output {output} 2> {log}"
