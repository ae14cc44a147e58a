"""What the paper says, as its template reads it: every number of the paper is in here, written as people read it."""

from __future__ import annotations

from tf_claims.model.files import Strict


class Count(Strict):
    """How many verdicts there are of one word, where there are any."""

    word: str
    amount: str


class ClaimRow(Strict):
    """A claim in one environment. ``why`` stands in place of the numbers where there are none."""

    environment: str
    reference: str
    estimate: str
    interval: str
    blocks: str
    verdict: str
    scaled_down: bool
    robust: bool | None
    why: str


class ClaimTable(Strict):
    """A claim, how it is decided, and a row an environment."""

    name: str
    says: str
    published: str
    compared: str
    decided: str
    note: str
    scaled_down: list[str]
    rows: list[ClaimRow]


class PaperFigure(Strict):
    """``file`` lies beside the template."""

    file: str
    caption: str


class Cause(Strict):
    """What the factorial says about a claimed cause, a sentence an environment."""

    claim: str
    says: str
    sentences: list[str]


class Section(Strict):
    """One published text; ``findings`` are those that the abstract names."""

    name: str
    title: str
    file: str
    stack: str
    counts: list[Count]
    findings: list[str]
    claims: list[ClaimTable]
    causes: list[Cause]
    figures: list[PaperFigure]


class Design(Strict):
    """How one scenario was measured."""

    scenario: str
    factors: str
    variants: str
    least: str
    most: str
    minutes: str
    measured: str


class Method(Strict):
    """What the configuration and the rules of the analysis fix. Shares are in per cent."""

    preset: str
    description: str
    seed: str
    threads: str
    processes: str
    blocks: str
    environments: str
    containers: bool
    designs: list[Design]
    confidence: str
    level: str
    robust: str
    narrower: str
    wider: str
    further: str
    growth: str
    precision: str
    disturbed: list[str]
    rules: str


class Machine(Strict):
    """One host, as name and value pairs."""

    name: str
    facts: list[tuple[str, str]]


class EnvironmentFacts(Strict):
    """One environment with its versions and digests, as name and value pairs."""

    name: str
    facts: list[tuple[str, str]]


class Paper(Strict):
    """The whole paper."""

    title: str
    authors: list[str]
    warnings: list[str]
    claims: str
    verdicts: str
    counts: list[Count]
    sections: list[Section]
    figures: list[PaperFigure]
    method: Method
    threats: list[str]
    machines: list[Machine]
    quiet: list[tuple[str, str]]
    environments: list[EnvironmentFacts]
