rule write_page:
    message:
        "writing the page"
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
        results=RESULTS,
        so_far="--so-far" if config["so_far"] else "",
    shell:
        "python -m publish.page --results {params.results} --output {output} {params.so_far} 2> {log}"
