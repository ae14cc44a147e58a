"""The page of a comparison: one file that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tf_claims.compare.changes import Changes
from tf_claims.compare.conditions import conditions
from tf_claims.compare.movement import RatioEstimate
from tf_claims.compare.retest import NOT_THERE, Retest
from tf_claims.compare.runs import Run
from tf_claims.compare.summary import estimate
from tf_claims.publish.page import linker, template_environment
from tf_claims.words.messages import ENGLISH
from tf_claims.words.numbers import count, environment_name, interval, number, percent_of, signed_percent


def build_page(runs: Mapping[str, Run], words: Retest, changes: Mapping[str, Changes], output: Path) -> str:
    """The page as it stands at ``output``; the same input gives the same page.

    ``runs`` are by letter, and ``changes`` has all letters but the first.
    """
    environment = template_environment(linker(output))
    environment.filters |= {"percent": signed_percent, "environment_name": environment_name}
    environment.globals["count"] = count
    return environment.get_template("comparison.html.j2").render(
        about={letter: _about(run) for letter, run in runs.items()},
        words=words,
        share="" if words.share_differing is None else percent_of(words.share_differing),
        changes=changes,
        title=quantity_title,
        measured=measured,
        estimate=estimate,
        not_there=NOT_THERE,
        tables=[*sorted((output.parent / "tables").glob("*.csv")), output.parent / "comparison.json"],
    )


def _about(run: Run) -> dict[str, str]:
    """What a reader wants to know first of a result."""
    known = conditions(run.observations)
    blocks = run.observations[["scenario", "environment", "block"]].drop_duplicates()
    return {
        "Folder": run.folder.as_posix(),
        "Preset": known["preset", "all"],
        "CPU": f"{known['CPU model', 'all']}; CPUs: {known['CPUs', 'all']}",
        "Commit": known["commit", "all"][:12],
        "Measured": f"{count(len(blocks), 'block')}, {count(len(run.observations), 'process', 'processes')}",
    }


def quantity_title(quantity: str) -> str:
    """A quantity of ``estimates.csv`` to a reader; a claim's only ratio has no name."""
    key = f"quantity.{quantity}"
    return ENGLISH.text(key) if key in ENGLISH else "" if quantity == "ratio" else quantity


def measured(ratio: RatioEstimate) -> str:
    """``12.6 (12.1 to 13.2)``."""
    return f"{number(ratio.value)} ({interval(ratio.low, ratio.high)})"
