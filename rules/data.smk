DATA = {
    "mnist": "results/data/mnist.json",
    "austen-glove": "results/data/austen-glove.npz",
}


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
        "python -m data.fetch {wildcards.dataset} --output {params.folder} 2> {log}"


rule count_cooccurrences:
    input:
        record="results/data/austen.json",
    output:
        "results/data/austen-glove.npz",
    log:
        "results/logs/count_cooccurrences.log",
    resources:
        measure=1,
    params:
        text=lambda wildcards, input: Path(input.record).with_suffix("") / "austen.txt",
    message:
        "counting which words stand near each other"
    shell:
        "python -m data.cooccurrence --text {params.text} --output {output}"
        " --window 5 --weighting inverse --minimum-count 5 2> {log}"
