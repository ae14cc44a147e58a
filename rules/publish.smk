rule write_paper:
    input:
        judgements=rules.judge_claims.output.judgements,
        tables=rules.write_tables.output,
        figures=rules.draw_figures.output,
    output:
        paper=report(
            str(R.paper),
            caption="../docs/captions/paper.rst",
            category="Paper",
        ),
    log:
        f"{R.logs}/write_paper.log",
    resources:
        measure=1,
    message:
        "writing the paper"
    shell:
        f"tf-claims paper --results {R.folder} 2> {{log}}"


rule write_latex:
    input:
        judgements=rules.judge_claims.output.judgements,
        tables=rules.write_tables.output,
        figures=rules.draw_figures.output,
    output:
        main=R.latex,
    log:
        f"{R.logs}/write_latex.log",
    resources:
        measure=1,
    message:
        "writing the tables and figures for LaTeX"
    shell:
        f"tf-claims latex --results {R.folder} 2> {{log}}"


rule write_page:
    input:
        observations=rules.tabulate_observations.output.parquet,
        judgements=rules.judge_claims.output.judgements,
        tables=rules.write_tables.output,
        figures=rules.draw_figures.output,
        # The page links to it; while blocks are still missing there is none.
        paper=[] if FIRST_LOOK_ALONE else rules.write_paper.output,
    output:
        english=R.page,
        japanese=R.page_ja,
    log:
        f"{R.logs}/write_page.log",
    resources:
        measure=1,
    params:
        so_far=f"--so-far {config['blocks_in_all']}" if config["blocks_in_all"] else "",
    message:
        "writing the page, in English and in Japanese"
    shell:
        f"tf-claims page --results {R.folder} {{params.so_far}} 2> {{log}}"


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
        crate=R.crate,
        # A crate holds nothing from outside its folder.
        sources=directory(R.sources),
    log:
        f"{R.logs}/write_provenance.log",
    resources:
        measure=1,
    message:
        "writing where each result comes from"
    shell:
        f"tf-claims crate --results {R.folder} 2> {{log}}"
