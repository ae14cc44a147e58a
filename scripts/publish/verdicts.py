"""The verdicts of a run, arranged for reading: text by text, claim by claim, one row an environment."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, get_args

from pydantic import RootModel

from model.errors import InputError
from model.files import check
from model.scenario import Claim, CostModel, Source, Value, read_scenario
from model.verdict import Verdict, VerdictWord
from publish.sentences import comparison, sentence
from publish.words import environment_name, interval, number, published_number

WORDS: tuple[str, ...] = get_args(VerdictWord)
# Per cent of a strip's width left free at both ends, so that no mark is cut off.
_MARGIN = 4.0
# A known value is met or missed in a late digit.
_DIGITS_OF_VALUE = 6


class Strip(NamedTuple):
    """Where the marks of one ratio lie on a logarithmic line that all rows of a claim share; per cent of its width."""

    equal: float
    published: float
    estimate: float
    low: float
    high: float


class Reading(NamedTuple):
    """A number with its name and its 95 % interval, which is empty for a published number."""

    name: str
    value: str
    interval: str = ""


class Row(NamedTuple):
    """One verdict, with the published number and ours."""

    anchor: str
    environment: str
    verdict: Verdict
    sentence: str
    reference: Reading | None
    measured: Reading | None
    strip: Strip | None


class ClaimBlock(NamedTuple):
    """One claim, with what it is about, and its rows."""

    anchor: str
    name: str
    says: str
    published: str
    comparison: str
    notes: list[str]
    rows: list[Row]


class Text(NamedTuple):
    """One published text and its claims."""

    scenario: str
    source: Source
    claims: list[ClaimBlock]


class _Verdicts(RootModel[list[Verdict]]):
    pass


def read_verdicts(path: Path) -> list[Verdict]:
    """The elements of ``verdicts.json``.

    :raises InputError: naming the file and the field, where it is missing, cut short or does not fit.
    """
    fix = "delete it and run `make reproduce` again: nothing is measured twice"
    try:
        content = json.loads(path.read_text())
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; run `make reproduce` first") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not JSON, or cut short: {error}; {fix}") from None
    return check(path, _Verdicts, content).root


def arrange(verdicts: Sequence[Verdict], path: Path, scenarios: Path) -> list[Text]:
    """The verdicts by text and claim, in the order in which they come.

    :raises InputError: where a verdict (read from ``path``) is about a claim that no scenario makes.
    """
    claims: dict[str, dict[str, list[Verdict]]] = {}
    for verdict in verdicts:
        claims.setdefault(verdict.scenario, {}).setdefault(verdict.claim, []).append(verdict)
    texts = []
    for name, of_text in claims.items():
        scenario = read_scenario(name, scenarios)
        for claim in of_text:
            if claim not in scenario.claims:
                raise InputError(
                    f"{path}: field claim: {claim!r} is no claim of scenario {name} "
                    f"(known: {', '.join(scenario.claims)}); delete the file and run `make reproduce` again"
                )
        blocks = [_block(scenario.claims[claim], rows) for claim, rows in of_text.items()]
        texts.append(Text(name, scenario.source, blocks))
    return texts


def environments(texts: Sequence[Text]) -> list[str]:
    """The environments that have verdicts, in words, in the order in which they come."""
    return list(dict.fromkeys(row.environment for text in texts for claim in text.claims for row in claim.rows))


def count_words(verdicts: Sequence[Verdict]) -> dict[str, int]:
    """How often each verdict was given, in the order of :data:`WORDS`."""
    return {word: sum(verdict.verdict == word for verdict in verdicts) for word in WORDS}


def _block(claim: Claim, verdicts: Sequence[Verdict]) -> ClaimBlock:
    first = verdicts[0]
    value = "" if first.published is None else published_number(first.published)
    anchor = f"{first.scenario}-{first.claim}"
    rows = [
        Row(
            anchor=f"{anchor}-{verdict.environment}",
            environment=environment_name(verdict.environment),
            verdict=verdict,
            sentence=sentence(verdict, claim),
            reference=_reference(verdict),
            measured=_measured(verdict, claim),
            strip=strip,
        )
        for verdict, strip in zip(verdicts, _strips(verdicts), strict=True)
    ]
    return ClaimBlock(anchor, first.claim, first.says, value, comparison(claim), _notes(claim, verdicts), rows)


def _reference(verdict: Verdict) -> Reading | None:
    if verdict.published is not None:
        return Reading("The text", published_number(verdict.published))
    expected = verdict.details.get("expected")
    return None if expected is None else Reading("Expected", number(float(expected), _DIGITS_OF_VALUE))


def _measured(verdict: Verdict, claim: Claim) -> Reading | None:
    if verdict.estimate is None:
        return None
    name, unit, digits = "Here", "", 3
    if isinstance(claim.estimand, CostModel):
        name, unit = "Equal at", f"{claim.estimand.size} = "
    if isinstance(claim.estimand, Value):
        digits = _DIGITS_OF_VALUE
        # Of several metrics the one that is farthest off is shown.
        unit = f"{verdict.details['shown']} = " if "shown" in verdict.details else ""
    low, high = verdict.ci_low, verdict.ci_high
    between = "" if low is None or high is None else interval(low, high, digits)
    return Reading(name, unit + number(verdict.estimate, digits), between)


def _notes(claim: Claim, verdicts: Sequence[Verdict]) -> list[str]:
    """The claim's own note, then each way in which it was scaled down, once."""
    scaled = dict.fromkeys(verdict.scaled_down_note for verdict in verdicts if verdict.scaled_down)
    notes = [f"Scaled down: {note}" for note in scaled if note]
    return [claim.note, *notes] if claim.note else notes


def _strips(verdicts: Sequence[Verdict]) -> list[Strip | None]:
    drawn = {
        index: (1.0, verdict.published, verdict.estimate, verdict.ci_low, verdict.ci_high)
        for index, verdict in enumerate(verdicts)
        if verdict.estimand == "ratio"
    }
    complete = {
        index: [math.log(value) for value in values if value is not None]
        for index, values in drawn.items()
        if all(value is not None and 0 < value < math.inf for value in values)
    }
    if not complete:
        return [None] * len(verdicts)
    low = min(min(values) for values in complete.values())
    high = max(max(values) for values in complete.values())
    scale = (100 - 2 * _MARGIN) / ((high - low) or 1.0)
    strips: list[Strip | None] = []
    for index in range(len(verdicts)):
        values = complete.get(index)
        strips.append(Strip(*(round(_MARGIN + (v - low) * scale, 2) for v in values)) if values else None)
    return strips
