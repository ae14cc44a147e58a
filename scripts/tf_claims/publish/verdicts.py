"""The verdicts of a run, arranged for reading: text by text, claim by claim, one row an environment."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, get_args

from tf_claims.estimands.kind import kind_of
from tf_claims.model.claim import Claim
from tf_claims.model.errors import InputError
from tf_claims.model.reason import Text as Written
from tf_claims.model.scenario import Scenario, Source
from tf_claims.model.verdict import Verdict, VerdictWord
from tf_claims.publish.across import Across, across
from tf_claims.statistics.family import LEVEL
from tf_claims.verdicts.judgement import Evidence, Judgement
from tf_claims.words.joined import join
from tf_claims.words.messages import ENGLISH, Messages
from tf_claims.words.numbers import environment_name, percent_of, published_number
from tf_claims.words.sentences import comparison, fields_of, sentence

WORDS: tuple[str, ...] = get_args(VerdictWord)
# Per cent of a strip's width left free at both ends, so that no mark is cut off.
_MARGIN = 4.0


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


class VerdictRow(NamedTuple):
    """One verdict, with the published number and ours, how precise ours is, and the observations behind it."""

    anchor: str
    environment: str
    verdict: Verdict
    sentence: str
    reason: str
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
    figures: Written
    comparison: str
    across: Across
    note: Written
    scaled_down: list[str]
    rows: list[VerdictRow]


class Text(NamedTuple):
    """One published text and its claims."""

    scenario: str
    source: Source
    claims: list[ClaimBlock]


def arrange(
    judgements: Sequence[Judgement], path: Path, scenarios: Mapping[str, Scenario], messages: Messages = ENGLISH
) -> list[Text]:
    """The verdicts by text, in the order of the texts' names, and by claim, in the order in which they come.

    :raises InputError: where a verdict (read from ``path``) is about a claim that no scenario of the study makes.
    """
    claims: dict[tuple[str, str], list[Judgement]] = {}
    for judgement in judgements:
        claims.setdefault((judgement.verdict.scenario, judgement.verdict.claim), []).append(judgement)
    blocks: dict[str, list[ClaimBlock]] = {}
    for (scenario, name), judged in claims.items():
        known = scenarios[scenario].claims if scenario in scenarios else {}
        if name not in known:
            raise InputError(
                f"{path}: field claim: {name!r} is no claim of scenario {scenario} "
                f"(known: {', '.join(known)}); delete the file and run `make reproduce` again"
            )
        blocks.setdefault(scenario, []).append(_block(known[name], judged, messages))
    texts = [Text(name, scenarios[name].source, of_text) for name, of_text in blocks.items()]
    return sorted(texts, key=lambda text: text.source.text)


def environments(texts: Sequence[Text]) -> list[str]:
    """The environments that have verdicts, in words, in the order in which they come."""
    return list(dict.fromkeys(row.environment for text in texts for claim in text.claims for row in claim.rows))


def count_words(verdicts: Sequence[Verdict]) -> dict[str, int]:
    """How often each verdict was given, in the order of :data:`WORDS`."""
    return {word: sum(verdict.verdict == word for verdict in verdicts) for word in WORDS}


def _block(claim: Claim, judgements: Sequence[Judgement], messages: Messages) -> ClaimBlock:
    evidence = {each.verdict.environment: each.evidence for each in judgements}
    verdicts = join([each.verdict for each in judgements])
    first = verdicts[0]
    anchor = f"{first.scenario}-{first.claim}"
    rows = [
        VerdictRow(
            anchor=f"{anchor}-{verdict.environment}",
            environment=environment_name(verdict.environment),
            verdict=verdict,
            sentence=sentence(verdict, claim, messages),
            reason=messages.reasons(verdict.because),
            reference=_reference(verdict, messages),
            measured=_measured(verdict, claim, messages),
            strip=strip,
            precision=_precision(verdict, claim, messages),
            evidence=evidence.get(verdict.environment),
        )
        for verdict, strip in zip(verdicts, _strips(verdicts, claim), strict=True)
    ]
    return ClaimBlock(
        anchor=anchor,
        name=first.claim,
        says=messages.written(Written(en=first.says, ja=claim.says_ja)),
        published="" if first.published is None else published_number(first.published),
        figures=Written(en=first.published_figures, ja=claim.published.figures_ja),
        comparison=comparison(claim, messages),
        across=across(verdicts, messages),
        note=claim.remark,
        scaled_down=list(dict.fromkeys(messages.reasons(each.scaled) for each in verdicts if each.scaled)),
        rows=rows,
    )


def _reference(verdict: Verdict, messages: Messages) -> Reading | None:
    """The published number, or the known one."""
    if verdict.published is not None:
        return Reading(messages.text("reading.text"), published_number(verdict.published))
    expected = getattr(verdict.facts, "expected", None)
    return None if expected is None else Reading(messages.text("reading.expected"), published_number(expected))


def _measured(verdict: Verdict, claim: Claim, messages: Messages) -> Reading | None:
    if verdict.estimate is None:
        return None
    fields = fields_of(claim, verdict.facts)
    name, estimate, interval = (messages.special(key, claim.kind) for key in ("reading.here", "estimate", "interval"))
    between = ""
    if verdict.ci_low is not None and verdict.ci_high is not None:
        between = messages.text(interval, low=verdict.ci_low, high=verdict.ci_high)
    return Reading(messages.text(name), messages.text(estimate, **fields | {"estimate": verdict.estimate}), between)


def _precision(verdict: Verdict, claim: Claim, messages: Messages) -> list[str]:
    """How precise an estimate is, why there are no more blocks, and whether its test holds among all."""
    said = []
    if verdict.half_width is not None:
        widths = {"half_width": percent_of(verdict.half_width), "precision": percent_of(claim.precision)}
        said.append(messages.text("precision.widths", **widths))
    if verdict.stopped is not None:
        said.append(messages.text("precision.stopped", why=verdict.stopped))
    # Only a test that holds by itself can fail to hold among all of them.
    if verdict.p_value is not None and verdict.p_value <= LEVEL:
        said.append(messages.text("family.holds" if verdict.holds_family_wise else "family.does_not"))
    return said


def _strips(verdicts: Sequence[Verdict], claim: Claim) -> list[Strip | None]:
    drawn = {
        index: (1.0, verdict.published, verdict.estimate, verdict.ci_low, verdict.ci_high)
        for index, verdict in enumerate(verdicts)
        if kind_of(claim).published_ratio
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
