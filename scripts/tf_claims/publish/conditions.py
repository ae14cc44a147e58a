"""Under which conditions the blocks that were judged were measured, summarised from their observations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq

from tf_claims.images.record import ImageRecord, read_record, record_path
from tf_claims.model.observation import Git, Host, Observation, Threads, read_observations
from tf_claims.model.results import Results
from tf_claims.model.selectors import label
from tf_claims.words.messages import ENGLISH, Messages
from tf_claims.words.numbers import environment_name, number, signed_percent

DISTURBANCES = ("steal_s", "other_cpu_s", "throttled_s", "cpu_pressure_s")


class HostRow(NamedTuple):
    """One machine, and the range of its load (mean number of running processes in the last minute)."""

    host: Host
    load: str
    blocks: int


class EnvironmentRow(NamedTuple):
    """One environment as its processes found it, and the records of the images they ran in, with their files."""

    name: str
    folder: str
    engines: list[str]
    versions: dict[str, str]
    threads: list[str]
    keys: list[str]
    checksums: list[str]
    locks: list[str]
    records: list[tuple[Path, ImageRecord]]


class Failure(NamedTuple):
    """Processes that did not finish."""

    environment: str
    variant: str
    status: str
    reason: str
    times: int


class Conditions(NamedTuple):
    """Ranges: ``calibration`` (before a block) and ``drift`` (in it) over blocks, ``disturbances`` over processes."""

    processes: int
    blocks: int
    engines: list[str]
    hosts: list[HostRow]
    environments: list[EnvironmentRow]
    commits: list[str]
    calibration: str
    drift: str
    disturbances: list[str]
    failures: list[Failure]


def read_conditions(results: Results, messages: Messages = ENGLISH) -> Conditions:
    """The conditions of the blocks in the table of observations, which are those that were judged.

    :raises InputError: for a missing or broken observation file, or a broken image record.
    """
    files = _judged(results)
    processes = 0
    failed: Counter[tuple[str, str, str, str]] = Counter()
    # Of a block's many lines, which share its conditions, one for each set of libraries is kept.
    kept: dict[tuple[Path, str, str], Observation] = {}
    disturbances: dict[str, list[float]] = {measure: [] for measure in DISTURBANCES}
    for file in files:
        for each in read_observations(file):
            processes += 1
            for measure, values in disturbances.items():
                if (value := getattr(each.conditions.disturbance, measure)) is not None:
                    values.append(value)
            kept.setdefault((file, str(each.conditions.versions), str(each.conditions.threads)), each)
            if each.status != "ok":
                failed[environment_name(each.environment), label(each.levels), each.status, each.reason] += 1
    blocks = list({file: each for (file, _, _), each in kept.items()}.values())
    environments: dict[str, list[Observation]] = {}
    for each in kept.values():
        environments.setdefault(each.environment, []).append(each)
    calibrations = [each.conditions.calibration for each in blocks]
    return Conditions(
        processes=processes,
        blocks=len(files),
        engines=sorted({each.engine for each in blocks}),
        hosts=_hosts(blocks, messages),
        environments=[_environment(results, observations, messages) for observations in environments.values()],
        commits=sorted({_commit(each.conditions.git, messages) for each in blocks}),
        calibration=_seconds([each.before_s for each in calibrations], messages),
        drift=_span([each.drift for each in calibrations], messages, signed_percent),
        disturbances=[
            messages.text(f"conditions.disturbance.{measure}", span=_seconds([min(values), max(values)], messages))
            for measure, values in disturbances.items()
            if values
        ],
        failures=[Failure(*key, times) for key, times in sorted(failed.items())],
    )


def _judged(results: Results) -> list[Path]:
    """The files of the blocks in the table of observations; others may be there that were measured since."""
    if not results.observations.exists():
        return []
    identity = ["scenario", "environment", "block"]
    blocks = pq.read_table(results.observations, columns=identity).group_by(identity).aggregate([])
    named = sorted((str(each["scenario"]), str(each["environment"]), int(each["block"])) for each in blocks.to_pylist())
    return [results.block(*each) for each in named]


def _hosts(blocks: Sequence[Observation], messages: Messages) -> list[HostRow]:
    rows: dict[tuple[object, ...], list[Host]] = {}
    for each in blocks:
        host = each.conditions.host
        identity = (host.node, host.cpu_model, host.cpus, host.memory_mb, host.kernel, host.governor, host.gpu)
        rows.setdefault(identity, []).append(host)
    return [HostRow(same[0], _span([host.load_1m for host in same], messages), len(same)) for same in rows.values()]


def _environment(results: Results, observations: Sequence[Observation], messages: Messages) -> EnvironmentRow:
    name = observations[0].environment
    conditions = [each.conditions for each in observations]
    versions: dict[str, set[str]] = {}
    for each in conditions:
        for package, version in each.versions.items():
            versions.setdefault(package, set()).add(version)
    keys = sorted({each.image.key for each in conditions})
    files = [path for key in keys if (path := record_path(results.folder, name, key)) is not None]
    return EnvironmentRow(
        name=environment_name(name),
        folder=name,
        engines=sorted({each.engine for each in observations}),
        versions={package: ", ".join(sorted(found)) for package, found in sorted(versions.items())},
        threads=sorted({_threads(each.threads, messages) for each in conditions}),
        keys=keys,
        checksums=sorted({each.image.sha256 for each in conditions if each.image.sha256}),
        locks=sorted({each.image.lock_sha256 for each in conditions}),
        records=[(file, read_record(file)) for file in files],
    )


def _threads(threads: Threads, messages: Messages) -> str:
    """What was asked for, and what the libraries that were loaded said; 0 is their own choice."""
    asked = messages.text("conditions.threads.asked", count=threads.asked, cpus=", ".join(map(str, threads.affinity)))
    found = [
        messages.text(f"conditions.threads.{library}", amount=amount or messages.text("conditions.threads.own"))
        for library in ("blas", "tf_intra_op", "tf_inter_op")
        if (amount := getattr(threads, library)) is not None
    ]
    return "; ".join([asked, *found])


def _commit(git: Git, messages: Messages) -> str:
    if git.commit is None:
        return messages.text("conditions.commit.unknown")
    changed = {True: "changed", False: "clean", None: "dirt_unknown"}[git.dirty]
    return messages.text(f"conditions.commit.{changed}", commit=git.commit)


def _seconds(values: Sequence[float], messages: Messages) -> str:
    return messages.text("conditions.seconds", span=_span(values, messages)) if values else ""


def _span(values: Sequence[float], messages: Messages, write: Callable[[float], str] = number) -> str:
    """The range of ``values``, or the value where all read the same; nothing for no values."""
    ends = list(dict.fromkeys(write(pick(values)) for pick in (min, max))) if values else []
    return messages.text("interval", low=ends[0], high=ends[1]) if len(ends) > 1 else "".join(ends)
