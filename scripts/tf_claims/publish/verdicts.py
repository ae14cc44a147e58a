"""The verdicts of a run, arranged for reading: text by text, claim by claim, one row an environment."""

from __future__ import annotations

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
from tf_claims.publish.forest import Forest, Marks, forest
from tf_claims.statistics.family import LEVEL
from tf_claims.verdicts.judgement import Evidence, Judgement
from tf_claims.words.joined import join
from tf_claims.words.messages import ENGLISH, Messages
from tf_claims.words.numbers import environment_name, percent_of, published_number
from tf_claims.words.sentences import comparison, fields_of, sentence, sentences

WORDS: tuple[str, ...] = get_args(VerdictWord)


class Reading(NamedTuple):
    """A number with its name and its 95 % interval, which is empty for a published number."""

    name: str
    value: str
    interval: str = ""


class VerdictRow(NamedTuple):
    """One verdict, with the published number and ours, its place in the plot, its precision and its observations.

    ``ratio`` is our number where it is a ratio, for the table at a glance.
    """

    anchor: str
    environment: str
    verdict: Verdict
    sentence: str
    reason: str
    reference: Reading | None
    measured: Reading | None
    ratio: str
    marks: Marks | None
    precision: list[str]
    evidence: Evidence | None


class ClaimBlock(NamedTuple):
    """One claim, with what it is about, what was found in a sentence or a few, its plot and its rows."""

    anchor: str
    name: str
    says: str
    published: str
    figures: Written
    comparison: str
    across: Across
    sentences: list[str]
    forest: Forest | None
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
    plot = forest(verdicts, claim, messages)
    anchor = f"{first.scenario}-{first.claim}"
    rows = [
        VerdictRow(
            anchor=f"{anchor}-{verdict.environment}",
            environment=environment_name(verdict.environment),
            verdict=verdict,
            sentence=sentence(verdict, claim, messages),
            reason=messages.reasons(verdict.because),
            reference=_reference(verdict, messages),
            measured=measured,
            ratio=measured.value if measured and kind_of(claim).together == "ratio" else "",
            marks=marks,
            precision=_precision(verdict, claim, messages),
            evidence=evidence.get(verdict.environment),
        )
        for verdict, measured, marks in zip(
            verdicts,
            [_measured(verdict, claim, messages) for verdict in verdicts],
            plot.rows if plot else [None] * len(verdicts),
            strict=True,
        )
    ]
    return ClaimBlock(
        anchor=anchor,
        name=first.claim,
        says=messages.written(Written(en=first.says, ja=claim.says_ja)),
        published="" if first.published is None else published_number(first.published),
        figures=Written(en=first.published_figures, ja=claim.published.figures_ja),
        comparison=comparison(claim, messages),
        across=across(verdicts, messages),
        sentences=sentences(verdicts, claim, messages),
        forest=plot,
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
    rule = kind_of(claim).rule.split(".")
    name, estimate, interval = (messages.special(key, *rule) for key in ("reading.here", "estimate", "interval"))
    between = ""
    if verdict.ci_low is not None and verdict.ci_high is not None:
        between = messages.text(interval, low=verdict.ci_low, high=verdict.ci_high)
    return Reading(messages.text(name), messages.text(estimate, **fields | {"estimate": verdict.estimate}), between)


def _precision(verdict: Verdict, claim: Claim, messages: Messages) -> list[str]:
    """How precise an estimate is, why there are no more blocks, whether its test holds among all, and its word."""
    said = []
    if verdict.half_width is not None:
        widths = {"half_width": percent_of(verdict.half_width), "precision": percent_of(claim.precision)}
        said.append(messages.text("precision.widths", **widths))
    if verdict.stopped is not None:
        said.append(messages.text("precision.stopped", why=verdict.stopped))
    # Only a test that holds by itself can fail to hold among all of them.
    if verdict.p_value is not None and verdict.p_value <= LEVEL:
        said.append(messages.text("family.holds" if verdict.holds_family_wise else "family.does_not"))
    if verdict.robust is not None:
        said.append(messages.text("robust.yes" if verdict.robust else "robust.no"))
    return said
