"""The verdicts of a run, arranged for reading: text by text, claim by claim, one row an environment."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, get_args

from pydantic import RootModel

from tf_claims.model.errors import InputError
from tf_claims.model.files import check
from tf_claims.model.scenario import Claim, CostModel, Source, Value, read_scenario
from tf_claims.model.verdict import Verdict, VerdictWord
from tf_claims.publish.across import Across, across
from tf_claims.publish.evidence import Evidence, Key
from tf_claims.statistics.family import LEVEL
from tf_claims.statistics.precision import STILL_MEASURING
from tf_claims.words.joined import join
from tf_claims.words.messages import ENGLISH, Messages
from tf_claims.words.numbers import environment_name, number, percent_of, published_number
from tf_claims.words.sentences import comparison, sentence

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
    """One verdict, with the published number and ours, how precise ours is, and the observations behind it."""

    anchor: str
    environment: str
    verdict: Verdict
    sentence: str
    reference: Reading | None
    measured: Reading | None
    strip: Strip | None
    precision: list[str]
    evidence: Evidence | None


class ClaimBlock(NamedTuple):
    """One claim, with what it is about, and its rows."""

    anchor: str
    name: str
    says: str
    published: str
    comparison: str
    across: Across
    note: str
    scaled_down: list[str]
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


def arrange(
    verdicts: Sequence[Verdict],
    path: Path,
    scenarios: Path,
    messages: Messages = ENGLISH,
    evidence: Mapping[Key, Evidence] = MappingProxyType({}),
) -> list[Text]:
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
        blocks = [_block(scenario.claims[claim], join(rows), messages, evidence) for claim, rows in of_text.items()]
        texts.append(Text(name, scenario.source, blocks))
    return texts


def environments(texts: Sequence[Text]) -> list[str]:
    """The environments that have verdicts, in words, in the order in which they come."""
    return list(dict.fromkeys(row.environment for text in texts for claim in text.claims for row in claim.rows))


def count_words(verdicts: Sequence[Verdict]) -> dict[str, int]:
    """How often each verdict was given, in the order of :data:`WORDS`."""
    return {word: sum(verdict.verdict == word for verdict in verdicts) for word in WORDS}


def _block(
    claim: Claim, verdicts: Sequence[Verdict], messages: Messages, evidence: Mapping[Key, Evidence]
) -> ClaimBlock:
    first = verdicts[0]
    anchor = f"{first.scenario}-{first.claim}"
    rows = [
        Row(
            anchor=f"{anchor}-{verdict.environment}",
            environment=environment_name(verdict.environment),
            verdict=verdict,
            sentence=sentence(verdict, claim, messages),
            reference=_reference(verdict, messages),
            measured=_measured(verdict, claim, messages),
            strip=strip,
            precision=_precision(verdict, claim, messages),
            evidence=evidence.get((verdict.scenario, verdict.claim, verdict.environment)),
        )
        for verdict, strip in zip(verdicts, _strips(verdicts), strict=True)
    ]
    return ClaimBlock(
        anchor=anchor,
        name=first.claim,
        says=claim.says_ja if messages.language == "ja" and claim.says_ja else first.says,
        published="" if first.published is None else published_number(first.published),
        comparison=comparison(claim, messages),
        across=across(verdicts, messages),
        note=claim.note,
        scaled_down=list(dict.fromkeys(each.scaled_down_note for each in verdicts if each.scaled_down_note)),
        rows=rows,
    )


def _reference(verdict: Verdict, messages: Messages) -> Reading | None:
    if verdict.published is not None:
        return Reading(messages.text("reading.text"), published_number(verdict.published))
    expected = verdict.details.get("expected")
    if expected is None:
        return None
    return Reading(messages.text("reading.expected"), number(float(expected), _DIGITS_OF_VALUE))


def _measured(verdict: Verdict, claim: Claim, messages: Messages) -> Reading | None:
    if verdict.estimate is None:
        return None
    name, unit, digits = "reading.here", "", 3
    if isinstance(claim.estimand, CostModel):
        name, unit = "reading.equal", f"{claim.estimand.size} = "
    if isinstance(claim.estimand, Value):
        digits = _DIGITS_OF_VALUE
        # Of several metrics the one that is farthest off is shown.
        unit = f"{verdict.details['shown']} = " if "shown" in verdict.details else ""
    low, high = verdict.ci_low, verdict.ci_high
    between = ""
    if low is not None and high is not None:
        between = messages.text("interval", low=number(low, digits), high=number(high, digits))
    return Reading(messages.text(name), unit + number(verdict.estimate, digits), between)


def _precision(verdict: Verdict, claim: Claim, messages: Messages) -> list[str]:
    """How precise an estimate is, why there are no more blocks, and whether its test holds among all."""
    details, said = verdict.details, []
    if (half_width := details.get("half_width")) is not None:
        widths = {"half_width": percent_of(half_width), "precision": percent_of(claim.precision)}
        said.append(messages.text("precision.widths", **widths))
    if (why := details.get("stopped")) and why != STILL_MEASURING:
        said.append(messages.text("precision.stopped", why=messages.find(why, "stop") or why))
    # Only a test that holds by itself can fail to hold among all of them.
    if (p_value := details.get("p_value")) is not None and p_value <= LEVEL:
        said.append(messages.text("family.holds" if details["holds_family_wise"] else "family.does_not"))
    return said


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
