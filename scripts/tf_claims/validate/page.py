"""The validation page: one file that needs nothing else."""

from __future__ import annotations

from pathlib import Path

from tf_claims.publish.figures import read_figures
from tf_claims.publish.page import linker, template_environment
from tf_claims.validate import criteria, truth_table
from tf_claims.validate.measured import HarnessVerdicts, found
from tf_claims.validate.simulation import Simulated
from tf_claims.validate.summary import Summary


def build_page(simulated: Simulated, measured: HarnessVerdicts, summary: Summary, figures: Path, output: Path) -> str:
    """The page at ``output``. The same numbers give the same page."""
    environment = template_environment(linker(output))
    environment.filters["percent"] = lambda share, digits=1: f"{100 * share:.{digits}f} %"
    verdicts = [*measured.same, *(each for planted in measured.planted.values() for each in planted)]
    template = environment.get_template("validation.html.j2")
    return template.render(
        criteria=criteria.judge(summary, simulated.sequential),
        summary=summary,
        simulated=simulated,
        runs=simulated.fixed[0].runs,
        planted={size: (sum(map(found, each)), len(each)) for size, each in measured.planted.items()},
        environments=sorted({each.environment for each in verdicts}),
        engines=sorted({each.engine for each in verdicts}),
        blocks=sorted({each.blocks for each in verdicts}),
        table=truth_table.rows(),
        figures={figure.anchor.removeprefix("figure-"): figure for figure in read_figures(figures)},
    )
