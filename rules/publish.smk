rule write_page:
    input:
        verdicts=rules.judge_claims.output.verdicts,
        tables=rules.write_tables.output,
        figures=rules.draw_figures.output,
    output:
        f"{RESULTS}/report/index.html",
    log:
        f"{RESULTS}/logs/write_page.log",
    resources:
        measure=1,
    params:
        results=lambda wildcards, input: Path(input.verdicts).parent,
        so_far=f"--so-far {config['blocks_in_all']}" if config["blocks_in_all"] else "",
    message:
        "writing the page"
    shell:
        "python -m publish.page --results {params.results} --output {output} {params.so_far} 2> {log}"
