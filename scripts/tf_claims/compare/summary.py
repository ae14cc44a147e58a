"""A comparison in a few lines for a person, and in JSON for a program."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tf_claims.compare.changes import Changes
from tf_claims.compare.retest import NOT_THERE, Retest, Row
from tf_claims.compare.runs import Judged, Run
from tf_claims.model.digits import settled
from tf_claims.words.numbers import count, interval, number, percent_of


def summary(runs: Mapping[str, Run], words: Retest, changes: Mapping[str, Changes]) -> str:
    """Which words differ, with their estimates, and how many ratios and conditions; each run under its letter."""
    return "\n".join(_lines(runs, words, changes))


def _lines(runs: Mapping[str, Run], words: Retest, changes: Mapping[str, Changes]) -> Iterator[str]:
    for letter, run in runs.items():
        yield f"{letter}: {run.folder.as_posix()}"
    share = "" if words.share_differing is None else f" ({percent_of(words.share_differing)})"
    yield (
        f"{words.differing} of {count(words.compared, 'word')} differ{share}, "
        f"over {count(len(runs) * (len(runs) - 1) // 2, 'pair')} of runs; "
        f"{words.lost} lost to too few usable blocks; "
        f"{count(sum(len(each.claims) for each in words.not_run), 'row')} judged in some runs only"
    )
    for row in words.changed:
        told = "; ".join(f"{letter} {in_words(each)}" for letter, each in zip(runs, row.judged, strict=True))
        yield f"  {title(row)}: {told}"
    for each in words.not_run:
        told = "; ".join(f"{letter} {why}" for letter, why in zip(runs, each.why, strict=True) if why)
        yield f"  {each.scenario} {' '.join(each.claims)}, {each.environment}, not run: {told}"
    for letter, change in changes.items():
        yield (
            f"{letter} beside {next(iter(runs))}: "
            f"{len(change.moved_ratios)} of {count(len(change.ratios), 'ratio')} moved beyond their intervals "
            f"({number(change.expected_by_chance, 2)} expected by chance); "
            f"{count(len(change.conditions), 'condition')} differ"
        )


def title(row: Row) -> str:
    """``linear_regression C1, tf2.0-cpu``."""
    scenario, claim, environment = row.key
    return f"{scenario} {claim}, {environment}"


def in_words(judged: Judged | None) -> str:
    """``reproduced 12.6 (12.1 to 13.2)``, or ``inconclusive (lost)``."""
    if judged is None:
        return NOT_THERE
    return " ".join(filter(None, [judged.verdict, estimate(judged), "(lost)" if judged.lost else ""]))


def estimate(judged: Judged | None) -> str:
    """``12.6 (12.1 to 13.2)``; "" where there is none."""
    if judged is None or judged.estimate is None:
        return ""
    if judged.ci_low is None or judged.ci_high is None:
        return number(judged.estimate)
    return f"{number(judged.estimate)} ({interval(judged.ci_low, judged.ci_high)})"


def as_json(runs: Mapping[str, Run], words: Retest) -> str:
    """``comparison.json``: what is compared, how much differs, and every row with another word or a lost one."""
    content = {
        "runs": {letter: run.folder.as_posix() for letter, run in runs.items()},
        "rows": words.compared,
        "differing": words.differing,
        "share_differing": words.share_differing,
        "lost": words.lost,
        "not_run_in_some": sum(len(each.claims) for each in words.not_run),
        "changed": [_row(runs, row) for row in words.changed],
        "not_run": [
            {
                "scenario": each.scenario,
                "environment": each.environment,
                "claims": each.claims,
                "why": {letter: why for letter, why in zip(runs, each.why, strict=True) if why},
            }
            for each in words.not_run
        ],
    }
    return json.dumps(settled(content), indent=1, ensure_ascii=False) + "\n"


def _row(runs: Mapping[str, Run], row: Row) -> dict[str, Any]:
    judged = {letter: each for letter, each in zip(runs, row.judged, strict=True) if each is not None}
    fields = ("verdict", "lost", "estimate", "ci_low", "ci_high", "blocks", "reason")
    return {
        **dict(zip(("scenario", "claim", "environment"), row.key, strict=True)),
        "runs": {letter: {name: getattr(each, name) for name in fields} for letter, each in judged.items()},
    }
