# All blocks of each scenario and environment, listed when no more are asked for, or as they are there.
LISTS = [
    R.listed_blocks(*cell) for cell in sorted(LEAST if MEASURE else measured_blocks(R))
]


rule tabulate_observations:
    input:
        LISTS,
    output:
        parquet=R.observations,
        csv=R.observations_csv,
    log:
        f"{R.logs}/tabulate_observations.log",
    resources:
        measure=1,
    message:
        "putting all observations into one table"
    shell:
        "tf-claims tabulate --output {output.parquet} --csv {output.csv} --files-from <(cat {input}) 2> {log}"


rule judge_claims:
    input:
        study=R.study,
        observations=rules.tabulate_observations.output.parquet,
        scenarios=expand("scenarios/{scenario}/scenario.yaml", scenario=STUDY.scenarios),
    output:
        judgements=R.judgements,
        verdicts=report(
            str(R.verdicts),
            caption="../docs/captions/verdicts.rst",
            category="Verdicts",
        ),
        estimates=report(
            str(R.estimates),
            caption="../docs/captions/estimates.rst",
            category="Verdicts",
        ),
    log:
        f"{R.logs}/judge_claims.log",
    resources:
        measure=1,
    message:
        "judging the claims"
    shell:
        f"tf-claims judge --results {R.folder} 2> {{log}}"


rule write_tables:
    input:
        observations=rules.tabulate_observations.output.parquet,
        judgements=rules.judge_claims.output.judgements,
    output:
        report(
            directory(R.tables),
            patterns=["{name}.csv"],
            caption="../docs/captions/tables.rst",
            category="Tables",
        ),
    log:
        f"{R.logs}/write_tables.log",
    resources:
        measure=1,
    message:
        "writing the tables"
    shell:
        f"tf-claims tables --results {R.folder} 2> {{log}}"


rule draw_figures:
    input:
        observations=rules.tabulate_observations.output.parquet,
        judgements=rules.judge_claims.output.judgements,
    output:
        report(
            directory(R.figures),
            patterns=["{name}.svg"],
            caption="../docs/captions/figures.rst",
            category="Figures",
        ),
    log:
        f"{R.logs}/draw_figures.log",
    resources:
        measure=1,
    message:
        "drawing the figures"
    shell:
        f"tf-claims figures --results {R.folder} 2> {{log}}"
