# The same choice of environments and scenarios for everything that reads the study.
CHOICE = f"--preset {PRESET} --environments '{config['environments']}' --scenarios '{config['scenarios']}'"


checkpoint look_at_precision:
    input:
        blocks=lambda wildcards: blocks_up_to(**wildcards),
        claims="scenarios/{scenario}/scenario.yaml",
    output:
        f"{RESULTS}/looks/{{scenario}}/{{environment}}/{{measured}}.json",
    log:
        f"{RESULTS}/logs/look_at_precision/{{scenario}}.{{environment}}.{{measured}}.log",
    resources:
        measure=1,
    message:
        "looking at the precision of {wildcards.scenario} in {wildcards.environment} after {wildcards.measured} blocks"
    shell:
        f"python -m tf_claims.verdicts.look --preset {PRESET} --scenario {{wildcards.scenario}}"
        " --environment {wildcards.environment} --output {output} {input.blocks} 2> {log}"


rule list_blocks:
    input:
        blocks=lambda wildcards: blocks_of(**wildcards),
        # So that a block that is measured again is looked at again.
        looks=lambda wildcards: looks_of(**wildcards),
    output:
        f"{RESULTS}/looks/{{scenario}}/{{environment}}/blocks.txt",
    log:
        f"{RESULTS}/logs/list_blocks/{{scenario}}.{{environment}}.log",
    resources:
        measure=1,
    message:
        "{wildcards.scenario} in {wildcards.environment}: all blocks are measured"
    shell:
        "(printf '%s\n' {input.blocks} > {output}) 2> {log}"


rule tabulate_observations:
    input:
        [
            f"{RESULTS}/looks/{scenario}/{environment}/blocks.txt"
            for scenario, environment in LEAST
        ],
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
        "python -m tf_claims.cells.tidy --output {output.parquet} --csv {output.csv} --files-from <(cat {input}) 2> {log}"


rule judge_claims:
    input:
        observations=rules.tabulate_observations.output.parquet,
        scenarios=expand("scenarios/{scenario}/scenario.yaml", scenario=STUDY.scenarios),
    output:
        verdicts=report(
            f"{RESULTS}/verdicts.json",
            caption="../docs/captions/verdicts.rst",
            category="Verdicts",
        ),
        estimates=report(
            f"{RESULTS}/estimates.csv",
            caption="../docs/captions/estimates.rst",
            category="Verdicts",
        ),
    log:
        f"{RESULTS}/logs/judge_claims.log",
    resources:
        measure=1,
    params:
        choice=CHOICE,
    message:
        "judging the claims"
    shell:
        "python -m tf_claims.verdicts.judge {params.choice} --observations {input.observations}"
        " --output {output.verdicts} --estimates {output.estimates} 2> {log}"


rule write_tables:
    input:
        observations=rules.tabulate_observations.output.parquet,
        verdicts=rules.judge_claims.output.verdicts,
    output:
        report(
            directory(f"{RESULTS}/tables"),
            patterns=["{name}.csv"],
            caption="../docs/captions/tables.rst",
            category="Tables",
        ),
    log:
        f"{RESULTS}/logs/write_tables.log",
    resources:
        measure=1,
    params:
        choice=CHOICE,
    message:
        "writing the tables"
    shell:
        "python -m tf_claims.tables.write {params.choice} --observations {input.observations}"
        " --verdicts {input.verdicts} --output-dir {output} 2> {log}"


rule draw_figures:
    input:
        observations=rules.tabulate_observations.output.parquet,
        verdicts=rules.judge_claims.output.verdicts,
    output:
        report(
            directory(f"{RESULTS}/figures"),
            patterns=["{name}.svg"],
            caption="../docs/captions/figures.rst",
            category="Figures",
        ),
    log:
        f"{RESULTS}/logs/draw_figures.log",
    resources:
        measure=1,
    params:
        choice=CHOICE,
    message:
        "drawing the figures"
    shell:
        "python -m tf_claims.figures.draw {params.choice} --observations {input.observations}"
        " --verdicts {input.verdicts} --output-dir {output} 2> {log}"
