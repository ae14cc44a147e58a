"""``make report``: from the observations that are there to verdicts, tables, figures, paper and page.

It is the same workflow without its measuring rules: the blocks are its sources. Needs no container and no image.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tf_claims.host.links import refuse_links_out
from tf_claims.model.preset import read_preset
from tf_claims.model.results import Results
from tf_claims.model.study import read_study
from tf_claims.options import add_shared_options
from tf_claims.run.measured import list_blocks
from tf_claims.run.reproduce import one_run_in_this_checkout, say, snakemake, summary

HOW = ["--cores", "all", "--resources", "measure=1", "--logger", "progress", "--scheduler", "greedy"]
"""As the profile for one machine, which would ask for Apptainer."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_shared_options(parser, "preset")


def execute(options: argparse.Namespace) -> None:
    """:raises InputError: for an unknown preset, where nothing was measured, or where a step did not finish."""
    read_preset(options.preset)
    results = Results.of(options.preset)
    refuse_links_out(results.folder, Path())
    with one_run_in_this_checkout() as lock:
        list_blocks(results)
        study = read_study(results.study)
        snakemake(
            HOW,
            [],
            lock,
            {"preset": study.name, "measure": "False"},
            # The code may have changed, which no file tells.
            "--forceall",
        )
    say(summary(results))
    say(f"the page: {results.page}")
