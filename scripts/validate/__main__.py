"""The proof of the harness, as numbers and as a page.

``python -m validate --results results/validate --output results/validation``
"""

from __future__ import annotations

import argparse
from pathlib import Path

from model.errors import exit_clearly
from model.files import write_whole
from validate import criteria
from validate.figures import draw_figures
from validate.measured import read_measured
from validate.page import build_page
from validate.simulation import say, simulate
from validate.summary import summarise


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, required=True, help="the results folder of the preset validate")
    parser.add_argument("--output", type=Path, required=True, help="the folder for the page and its numbers")
    options = parser.parse_args()
    measured = read_measured(options.results)
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


if __name__ == "__main__":
    exit_clearly(main)
