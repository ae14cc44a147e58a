BLOCKS = [
    f"{RESULTS}/observations/{cell.scenario}/{cell.environment}/{block}.jsonl"
    for cell in STUDY.running
    for block in range(1, cell.blocks + 1)
]
# The same choice of environments and scenarios for everything that reads the study.
CHOICE = f"--preset {PRESET} --environments '{config['environments']}' --scenarios '{config['scenarios']}'"


rule tabulate_observations:
    input:
        BLOCKS,
    output:
        parquet=f"{RESULTS}/observations.parquet",
        csv=f"{RESULTS}/observations.csv",
    log:
        f"{RESULTS}/logs/tabulate_observations.log",
    resources:
        measure=1,
    message:
        "putting all observations into one table"
    shell:
        "python -m analysis.tidy --output {output.parquet} --csv {output.csv} --files-from <(printf '%s\n' {input}) 2> {log}"


rule judge_claims:
    input:
        observations=rules.tabulate_observations.output.parquet,
        scenarios=expand("scenarios/{scenario}/scenario.yaml", scenario=STUDY.scenarios),
    output:
        verdicts=f"{RESULTS}/verdicts.json",
        estimates=f"{RESULTS}/estimates.csv",
    log:
        f"{RESULTS}/logs/judge_claims.log",
    resources:
        measure=1,
    params:
        choice=CHOICE,
    message:
        "judging the claims"
    shell:
        "python -m analysis.judge {params.choice} --observations {input.observations}"
        " --output {output.verdicts} --estimates {output.estimates} 2> {log}"


rule write_tables:
    input:
        observations=rules.tabulate_observations.output.parquet,
        verdicts=rules.judge_claims.output.verdicts,
    output:
        directory(f"{RESULTS}/tables"),
    log:
        f"{RESULTS}/logs/write_tables.log",
    resources:
        measure=1,
    params:
        choice=CHOICE,
    message:
        "writing the tables"
    shell:
        "python -m analysis.tables {params.choice} --observations {input.observations}"
        " --verdicts {input.verdicts} --output-dir {output} 2> {log}"


rule draw_figures:
    input:
        observations=rules.tabulate_observations.output.parquet,
        verdicts=rules.judge_claims.output.verdicts,
    output:
        directory(f"{RESULTS}/figures"),
    log:
        f"{RESULTS}/logs/draw_figures.log",
    resources:
        measure=1,
    params:
        choice=CHOICE,
    message:
        "drawing the figures"
    shell:
        "python -m analysis.figures {params.choice} --observations {input.observations}"
        " --verdicts {input.verdicts} --output-dir {output} 2> {log}"
