"""The proof of the harness, as numbers and as a page.

``tf-claims validate --results results/validate --twice results/twice --output results/validation``
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tf_claims.model.files import write_whole
from tf_claims.validate import criteria
from tf_claims.validate.figures import draw_figures
from tf_claims.validate.measured import read_measured
from tf_claims.validate.page import build_page
from tf_claims.validate.simulation import say, simulate
from tf_claims.validate.summary import summarise


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--results", type=Path, required=True, help="the results folder of the preset validate")
    parser.add_argument("--twice", type=Path, required=True, help="the results folder of the preset twice")
    parser.add_argument("--output", type=Path, required=True, help="the folder for the page and its numbers")


def execute(options: argparse.Namespace) -> None:
    """Simulate, read what was measured, and write numbers, figures and page.

    :raises InputError: where the results are not those of the two presets.
    """
    measured = read_measured(options.results, options.twice)
    simulated = simulate(options.output / "simulation")
    summary = summarise(simulated.fixed, measured)
    write_whole(options.output / "summary.json", summary.model_dump_json(indent=1) + "\n")
    draw_figures(simulated.fixed, measured, options.output / "figures")
    page = options.output / "index.html"
    write_whole(page, build_page(simulated, measured, summary, options.output / "figures", page))
    for each in criteria.judge(summary, simulated.sequential):
        say(f"{'holds' if each.holds else 'FAILS'}: {each.name}: {each.found} (wanted: {each.wanted})")
    say(f"noise floor: {100 * summary.noise_floor:.1f} %")
    say(f"the page: {page}")
