DATA = {
    "mnist": "results/data/mnist.json",
    "austen-glove": "results/data/austen-glove.npz",
    "kjv-glove": "results/data/kjv-glove.npz",
}
# Words seen less often are left out of the vocabulary.
MINIMUM_COUNT = {"austen": 5, "kjv": 2}


rule fetch_data:
    input:
        ancient("config/data/{dataset}.yaml"),
    output:
        "results/data/{dataset}.json",
    log:
        "results/logs/fetch_data/{dataset}.log",
    resources:
        measure=1,
    params:
        folder=lambda wildcards, output: output[0].removesuffix(".json"),
    message:
        "fetching and checking the data set {wildcards.dataset}"
    shell:
        "tf-claims fetch-data {wildcards.dataset} --output {params.folder} 2> {log}"


rule count_cooccurrences:
    input:
        record="results/data/{text}.json",
    output:
        npz="results/data/{text}-glove.npz",
        record="results/data/{text}-glove.json",
    log:
        "results/logs/count_cooccurrences/{text}.log",
    resources:
        measure=1,
    params:
        file=lambda wildcards, input: f"{Path(input.record).with_suffix('')}/{wildcards.text}.txt",
        minimum=lambda wildcards: MINIMUM_COUNT[wildcards.text],
    message:
        "counting which words stand near each other in {wildcards.text}"
    shell:
        "tf-claims count-cooccurrences --text {params.file} --output {output.npz}"
        " --window 5 --weighting inverse --minimum-count {params.minimum} 2> {log}"
