"""The content of the paper of a run, from its verdicts, its conditions and the configuration."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import yaml

from tf_claims.model.results import Results
from tf_claims.model.scenario import Scenario
from tf_claims.model.study import read_study
from tf_claims.model.verdict import Verdict
from tf_claims.publish.conditions import Conditions, EnvironmentRow, read_conditions
from tf_claims.publish.figures import caption
from tf_claims.publish.paper_method import method
from tf_claims.publish.paper_model import (
    Cause,
    ClaimRow,
    ClaimTable,
    Count,
    EnvironmentFacts,
    Machine,
    Paper,
    PaperFigure,
    Section,
)
from tf_claims.publish.paper_threats import threats, warnings
from tf_claims.publish.quality import read_quality
from tf_claims.publish.reviews import CITATION
from tf_claims.publish.verdicts import ClaimBlock, Text, VerdictRow, arrange, count_words
from tf_claims.verdicts.judgement import read_judgements
from tf_claims.words.numbers import number, short_environment_name
from tf_claims.words.sentences import decision

TITLE = "Do published claims about TensorFlow hold? A replication in pinned environments"


def read_paper(results: Results) -> Paper:
    """What the paper of a preset's results folder says.

    :raises InputError: for broken input, naming file and field.
    """
    study = read_study(results.study)
    judgements = read_judgements(results.judgements)
    verdicts = [each.verdict for each in judgements]
    conditions = read_conditions(results)
    texts = arrange(judgements, results.judgements, study.scenarios)
    # The summary before the rest.
    figures = sorted(results.figures.glob("*.svg"), key=lambda path: (not path.stem.endswith("_ratios"), path))
    of_texts = [each for each in figures if any(_is_about(each, text.scenario) for text in texts)]
    quality = read_quality(results.tables, judgements)
    return Paper(
        title=TITLE,
        authors=[each["name"] for each in yaml.safe_load(CITATION.read_text())["authors"]],
        warnings=warnings(study, verdicts, conditions, quality),
        claims=number(sum(len(text.claims) for text in texts)),
        verdicts=number(len(verdicts)),
        counts=_counts(verdicts),
        sections=[_section(text, study.scenarios[text.scenario], verdicts, figures) for text in texts],
        figures=[_figure(each) for each in figures if each not in of_texts],
        method=method(study, verdicts, conditions),
        threats=threats(verdicts, conditions, quality),
        machines=_machines(conditions),
        quiet=_filled(
            ("Calibration before a block", conditions.calibration),
            ("Drift inside a block", conditions.drift),
            ("Disturbance", "; ".join(conditions.disturbances)),
            ("Engine", ", ".join(conditions.engines)),
            ("Git commit", ", ".join(conditions.commits)),
        ),
        environments=[EnvironmentFacts(name=each.name, facts=_environment(each)) for each in conditions.environments],
    )


def _is_about(figure: Path, scenario: str) -> bool:
    return figure.stem.startswith(f"{scenario}_")


def _figure(path: Path) -> PaperFigure:
    return PaperFigure(file=path.name, caption=caption(path))


def _counts(verdicts: Sequence[Verdict]) -> list[Count]:
    return [Count(word=word, amount=number(amount)) for word, amount in count_words(verdicts).items() if amount]


def _section(text: Text, scenario: Scenario, verdicts: Sequence[Verdict], figures: Sequence[Path]) -> Section:
    causes = [claim for claim in text.claims if hasattr(scenario.claims[claim.name].estimand, "cause")]
    told = dict.fromkeys([text.claims[0].name, *(claim.name for claim in causes)])
    return Section(
        name=text.scenario,
        title=text.source.title,
        file=text.source.text,
        stack=text.source.stack,
        counts=_counts([each for each in verdicts if each.scenario == text.scenario]),
        findings=[_finding(claim) for claim in text.claims if claim.name in told],
        claims=[_claim(claim, scenario) for claim in text.claims],
        causes=[
            Cause(claim=claim.name, says=claim.says, sentences=[row.sentence for row in claim.rows]) for claim in causes
        ],
        figures=[_figure(each) for each in figures if _is_about(each, text.scenario)],
    )


def _finding(claim: ClaimBlock) -> str:
    """A claim, its verdicts by version, and what came out in the last environment that ran it."""
    ran = [row for row in claim.rows if row.verdict.verdict != "not run"] or claim.rows
    versions = claim.across.versions
    return f"“{claim.says}” {versions[:1].upper()}{versions[1:]}. {ran[-1].sentence}"


def _claim(claim: ClaimBlock, scenario: Scenario) -> ClaimTable:
    return ClaimTable(
        name=claim.name,
        says=claim.says,
        published=claim.rows[0].verdict.published_figures,
        compared=claim.comparison,
        decided=decision(scenario.claims[claim.name]),
        note=claim.note.en,
        scaled_down=claim.scaled_down,
        rows=[_measured(row) for row in claim.rows],
    )


def _measured(row: VerdictRow) -> ClaimRow:
    verdict = row.verdict
    return ClaimRow(
        environment=short_environment_name(verdict.environment),
        reference=row.reference.value if row.reference else "",
        estimate=row.measured.value if row.measured else "",
        interval=row.measured.interval if row.measured else "",
        blocks=number(verdict.blocks),
        verdict=verdict.verdict,
        scaled_down=verdict.scaled_down,
        robust=verdict.robust,
        why="" if row.measured else row.reason,
    )


def _machines(conditions: Conditions) -> list[Machine]:
    return [
        Machine(
            name=row.host.node,
            facts=_filled(
                ("CPU", f"{row.host.cpu_model}, {number(row.host.cpus)} CPUs"),
                ("Memory", f"{number(row.host.memory_mb)} MB"),
                ("GPU", str(row.host.gpu) if row.host.gpu else "none"),
                ("Kernel", row.host.kernel),
                ("Frequency governor", row.host.governor or "not known"),
                ("Load before a block", row.load),
                ("Blocks", number(row.blocks)),
            ),
        )
        for row in conditions.hosts
    ]


def _environment(row: EnvironmentRow) -> list[tuple[str, str]]:
    """Its versions, threads and digests; of each of its images what was written down when it was built.

    An image that was built again has another checksum: its record is not that of the image measured in.
    """
    built = [record for _, record in row.records if record.sif_sha256 is None or record.sif_sha256 in row.checksums]
    images = chain.from_iterable(
        (
            ("OCI digest", record.oci_digest),
            ("SIF, SHA-256", record.sif_sha256),
            ("Base", " ".join(filter(None, (record.base.reference, record.base.digest))) if record.base else None),
            ("Python", record.base.python if record.base else None),
            ("Debian", record.base.debian if record.base else None),
            ("Built with", record.builder),
            ("Apptainer", record.apptainer),
        )
        for record in built
    )
    measured_in = [("Image as measured in, SHA-256", each) for each in row.checksums]
    return _filled(
        ("Engine", " and ".join(row.engines)),
        ("Versions as imported", ", ".join(f"{name} {version}" for name, version in row.versions.items())),
        *(("Threads", each) for each in row.threads),
        *(("Lock, SHA-256", each) for each in row.locks),
        *measured_in,
        *images,
        ("Image’s record", None if built else "of another build" if row.records else "none found"),
    )


def _filled(*facts: tuple[str, str | None]) -> list[tuple[str, str]]:
    return [(name, value) for name, value in facts if value]
