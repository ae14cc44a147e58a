"""``make report``: from the observations that are there to verdicts, tables, figures, paper and page.

Needs no container and no image, and measures nothing.
``python -m tf_claims.run.report --preset quick [--environments "…"] [--scenarios "…"]``
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tf_claims.model.errors import InputError, exit_clearly
from tf_claims.model.study import Cell, Study, plan_study
from tf_claims.run.reproduce import RESULTS, one_run_in_this_checkout, say, summary


def observation_files(study: Study, results: Path) -> list[Path]:
    """The observation files of a study in the order in which the workflow lists them.

    :raises InputError: where there is none.
    """
    files = [file for cell in study.cells for file in _blocks_of(cell, results)]
    if not files:
        raise InputError(
            f"{results / 'observations'}: no observations; `make reproduce PRESET={study.name}` makes some"
        )
    return files


def _blocks_of(cell: Cell, results: Path) -> list[Path]:
    """The blocks that the run listed at its end, or else all that are there."""
    listed = results / "looks" / cell.scenario / cell.environment / "blocks.txt"
    folder = results / "observations" / cell.scenario / cell.environment
    numbers = (
        [Path(line).stem for line in listed.read_text().split()]
        if listed.exists()
        else [file.stem for file in folder.glob("*.jsonl")]
    )
    return [folder / f"{number}.jsonl" for number in sorted(map(int, numbers))]


def steps(study: Study, results: Path, choice: list[str]) -> Iterator[list[str]]:
    """The commands that the rules of analysis and publication run, in order."""
    observations, verdicts, estimates, tables, figures, paper, latex, page = (
        str(results / name)
        for name in (
            *("observations.parquet", "verdicts.json", "estimates.csv", "tables", "figures"),
            *("paper.pdf", "latex/main.tex", "report/index.html"),
        )
    )
    files = list(map(str, observation_files(study, results)))
    yield ["tf_claims.cells.tidy", "--output", observations, "--csv", str(results / "observations.csv"), *files]
    chosen = ["--preset", study.name, *choice, "--observations", observations]
    yield ["tf_claims.verdicts.judge", *chosen, "--output", verdicts, "--estimates", estimates]
    for module, folder in (("tf_claims.tables.write", tables), ("tf_claims.figures.draw", figures)):
        yield [module, *chosen, "--verdicts", verdicts, "--output-dir", folder]
    for module, output in (
        ("tf_claims.publish.paper", paper),
        ("tf_claims.publish.latex", latex),
        ("tf_claims.publish.page", page),
    ):
        yield [module, "--results", str(results), "--output", output]
    yield ["tf_claims.provenance.crate", "--results", str(results)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", default="quick")
    parser.add_argument("--environments", default="", help="names or patterns, separated by blanks")
    parser.add_argument("--scenarios", default="", help="names or patterns, separated by blanks")
    options = parser.parse_args()
    # What was measured elsewhere counts too where this host could not run it.
    study = plan_study(options.preset, lambda stack: None, options.environments.split(), options.scenarios.split())
    results = RESULTS / study.name
    choice = ["--environments", options.environments, "--scenarios", options.scenarios]
    with one_run_in_this_checkout():
        for command in steps(study, results, choice):
            done = subprocess.run([sys.executable, "-m", *command])
            if done.returncode:
                raise InputError(f"{command[0]} did not finish (exit code {done.returncode}); what it said is above")
    say(summary(study))
    say(f"the page: {results / 'report' / 'index.html'}")


if __name__ == "__main__":
    exit_clearly(main)
