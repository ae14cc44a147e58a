"""Environments that were not run for one and the same reason, as one: a reader needs no line for each."""

from __future__ import annotations

from collections.abc import Sequence

from tf_claims.model.verdict import Verdict

TOGETHER = "+"
"""Stands between the names of environments that are shown as one."""


def join(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """A claim's verdicts, those of GPU environments not run for the same reason as one of all their environments."""
    joined: dict[str, Verdict] = {}
    for verdict in verdicts:
        alike = verdict.verdict == "not run" and "-gpu" in verdict.environment
        key = verdict.reason if alike else verdict.environment
        names = [joined[key].environment, verdict.environment] if key in joined else [verdict.environment]
        joined[key] = verdict.model_copy(update={"environment": TOGETHER.join(names)})
    return list(joined.values())
