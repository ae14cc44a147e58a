rule prepare_data:
    input:
        ancient("config/data/{dataset}.yaml"),
    output:
        "results/data/{dataset}.json",
    log:
        "results/logs/prepare_data/{dataset}.log",
    resources:
        measure=1,
    message:
        "fetching and checking the data set {wildcards.dataset}"
    shell:
        "python -m data.fetch {wildcards.dataset} --output results/data/{wildcards.dataset} 2> {log}"
