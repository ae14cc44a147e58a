"""``tf-claims look``: are the blocks of a scenario in an environment enough, or how many, of what, are there to be?"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tf_claims.cells.measurements import arrange
from tf_claims.cells.tidy import tidy
from tf_claims.model.files import write_whole
from tf_claims.model.results import Results
from tf_claims.model.study import read_study
from tf_claims.options import add_results_option
from tf_claims.verdicts.judge import judge, look_at
from tf_claims.words.messages import ENGLISH


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_results_option(parser)
    parser.add_argument("--scenario", required=True)
    parser.add_argument("--environment", required=True)
    parser.add_argument("--output", type=Path, required=True, help="the JSON file to write")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="the blocks measured so far")


def execute(options: argparse.Namespace) -> None:
    """Run the command."""
    study = read_study(Results(options.results).study).only({(options.scenario, options.environment)})
    table = tidy(options.files)
    cells = arrange(options.files[0].parent, table, set(table.column_names), study)
    look = look_at(study, cells, judge(study, cells))[options.scenario, options.environment]
    why = None if look.why is None else ENGLISH.reasons([look.why])
    said = {"blocks": look.blocks, "variants": look.variants, "why": why}
    write_whole(options.output, json.dumps(said, indent=1) + "\n")
