"""What limits the answers of a run, counted in its own results."""

from __future__ import annotations

from collections.abc import Sequence

from tf_claims.model.study import Study
from tf_claims.model.verdict import Verdict
from tf_claims.publish.conditions import Conditions
from tf_claims.publish.quality import Quality
from tf_claims.words.messages import ENGLISH
from tf_claims.words.numbers import count, environment_name, number
from tf_claims.words.sentences import STATES


def warnings(study: Study, verdicts: Sequence[Verdict], conditions: Conditions, quality: Quality) -> list[str]:
    """What has to be known before any number is read."""
    said = []
    if not study.preset.decides:
        said.append(f"These verdicts mean nothing: the sizes of the preset {study.name} are tiny, and decide no claim.")
    if "venv" in {*conditions.engines, *(each.engine for each in verdicts)}:
        said.append("Not containerised: these numbers come from virtual environments, not from container images.")
    if study.changed_rules:
        said.append(
            "The rules were changed after measuring: these files differ from those that were registered before the "
            f"first block: {', '.join(study.changed_rules)}."
        )
    if quality.mostly_disturbed:
        said.append(
            f"The machine was busy with something else: {number(quality.left)} of "
            f"{count(quality.processes, 'process', 'processes')} were disturbed."
        )
    return said


def threats(verdicts: Sequence[Verdict], conditions: Conditions, quality: Quality) -> list[str]:
    """What may make the answers wrong, or narrower than they look."""
    machines = {(row.host.cpu_model, row.host.cpus, row.host.gpu) for row in conditions.hosts}
    measured = [each for each in verdicts if each.blocks]
    scaled = sum(each.scaled_down for each in measured)
    not_run = sum(each.verdict == "not run" for each in verdicts)
    tested = [each.holds_family_wise for each in verdicts if each.holds_family_wise is not None]
    limited = sum(each.stopped is not None and each.stopped.key != "stopped.precise" for each in measured)
    failures = sum(failure.times for failure in conditions.failures)
    said = [
        f"The blocks come from {count(len(machines), 'type')} of machine. An interval covers the spread between "
        "blocks there; it does not speak about other machines.",
        "The environments are pinned versions on today’s hardware, not the machines of the texts: a size that differs "
        "may be the hardware’s.",
    ]
    if scaled:
        said.append(
            f"{number(scaled)} of {count(len(measured), 'measured verdict')} were measured at less than the published "
            "size (marked †). They do not decide what depends on size."
        )
    if not_run:
        said.append(f"Not run: {count(not_run, 'verdict')} of {number(len(verdicts))} (marked ‡, with the reason).")
    if measured:
        few = min(each.blocks for each in measured)
        said.append(
            f"The smallest number of blocks behind a verdict is {number(few)}. With few blocks or skewed noise an "
            "interval holds somewhat less often than it says."
        )
    if limited:
        said.append(f"For {count(limited, 'verdict')} a limit stopped measuring before every claim was precise.")
    if tested:
        said.append(
            f"Among many tests some are wrong by chance: {number(sum(tested))} of {count(len(tested), 'test')} still "
            "hold when those of their claim are taken together (Holm’s procedure)."
        )
    if quality.disturbed:
        said.append(
            f"{number(quality.disturbed)} of {count(quality.processes, 'process', 'processes')} were disturbed, of "
            f"which {number(quality.replaced)} could be measured again well. A verdict about times does without the "
            "others, or says that it rests on some. A disturbance that is short, or that no measure sees, "
            "is not found."
        )
    several = [each for each in measured if each.states > 1]
    if several:
        said.append(f"Some times lie in several places: {'; '.join(map(_places, several))}.")
    if failures:
        said.append(f"{count(failures, 'process', 'processes')} did not finish; their blocks give no time.")
    return said


def _places(verdict: Verdict) -> str:
    """What a verdict says of them, and where."""
    where = f"{verdict.claim} in {environment_name(verdict.environment)}"
    return f"{where}, {ENGLISH.reasons([each for each in verdict.because if each.key in STATES])}"
