rule write_paper:
    input:
        verdicts=rules.judge_claims.output.verdicts,
        tables=rules.write_tables.output,
        figures=rules.draw_figures.output,
    output:
        paper=report(
            f"{RESULTS}/paper.pdf",
            caption="../docs/captions/paper.rst",
            category="Paper",
        ),
    log:
        f"{RESULTS}/logs/write_paper.log",
    resources:
        measure=1,
    params:
        results=lambda wildcards, input: Path(input.verdicts).parent,
    message:
        "writing the paper"
    shell:
        "python -m tf_claims.publish.paper --results {params.results} --output {output.paper} 2> {log}"


rule write_latex:
    input:
        verdicts=rules.judge_claims.output.verdicts,
        tables=rules.write_tables.output,
        figures=rules.draw_figures.output,
    output:
        main=f"{RESULTS}/latex/main.tex",
    log:
        f"{RESULTS}/logs/write_latex.log",
    resources:
        measure=1,
    params:
        results=lambda wildcards, input: Path(input.verdicts).parent,
    message:
        "writing the tables and figures for LaTeX"
    shell:
        "python -m tf_claims.publish.latex --results {params.results} --output {output.main} 2> {log}"


rule write_page:
    input:
        observations=rules.tabulate_observations.output.parquet,
        verdicts=rules.judge_claims.output.verdicts,
        tables=rules.write_tables.output,
        figures=rules.draw_figures.output,
        # The page links to it; while blocks are still missing there is none.
        paper=[] if FIRST_LOOK_ALONE else rules.write_paper.output,
    output:
        english=f"{RESULTS}/report/index.html",
        japanese=f"{RESULTS}/report/index.ja.html",
    log:
        f"{RESULTS}/logs/write_page.log",
    resources:
        measure=1,
    params:
        results=lambda wildcards, input: Path(input.verdicts).parent,
        so_far=f"--so-far {config['blocks_in_all']}" if config["blocks_in_all"] else "",
    message:
        "writing the page, in English and in Japanese"
    shell:
        "python -m tf_claims.publish.page --results {params.results} --output {output.english} {params.so_far} 2> {log}"


rule write_provenance:
    input:
        verdicts=rules.judge_claims.output.verdicts,
        estimates=rules.judge_claims.output.estimates,
        tables=rules.write_tables.output,
        figures=rules.draw_figures.output,
        paper=rules.write_paper.output,
        latex=rules.write_latex.output,
        page=rules.write_page.output,
    output:
        crate=f"{RESULTS}/ro-crate-metadata.json",
        # A crate holds nothing from outside its folder.
        sources=directory(f"{RESULTS}/sources"),
    log:
        f"{RESULTS}/logs/write_provenance.log",
    resources:
        measure=1,
    params:
        results=lambda wildcards, input: Path(input.verdicts).parent,
    message:
        "writing where each result comes from"
    shell:
        "python -m tf_claims.provenance.crate --results {params.results} 2> {log}"
