"""``make snakemake-report``: Snakemake's own report of a run, beside the pages of this package."""

from __future__ import annotations

import argparse

from tf_claims.host.gpu import why_not
from tf_claims.model.errors import InputError
from tf_claims.model.results import Results
from tf_claims.model.study import plan_study
from tf_claims.options import LOCAL, add_shared_options
from tf_claims.run.engines import choose_engine
from tf_claims.run.reproduce import (
    by_profile,
    one_run_in_this_checkout,
    say,
    snakemake,
    workflow_config,
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_shared_options(parser, "preset", "engine", "environments", "scenarios")


def execute(options: argparse.Namespace) -> None:
    """Write ``results/PRESET/snakemake-report.html``.

    :raises InputError: for an unknown name, without results, and where Snakemake fails.
    """
    study = plan_study(options.preset, why_not, options.environments.split(), options.scenarios.split())
    results = Results.of(study.name)
    if not results.page.exists():
        raise InputError(f"{results.page}: no such file; `make reproduce PRESET={study.name}` makes it")
    report = results.snakemake_report
    with one_run_in_this_checkout() as lock:
        engine = choose_engine(options.engine)
        snakemake(
            by_profile(LOCAL), engine.path, lock, workflow_config(options, engine, study), "--report", str(report)
        )
    say(f"Snakemake's report: {report}")
