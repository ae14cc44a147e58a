"""Under which conditions a run was measured, summarised from its observations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tf_claims.images.record import ImageRecord, read_record, record_path
from tf_claims.model.observation import Git, Host, Observation, Threads, read_observations
from tf_claims.model.selectors import label
from tf_claims.words.numbers import environment_name, number, percent


class HostRow(NamedTuple):
    """One machine, and the range of its load (mean number of running processes in the last minute)."""

    host: Host
    load: str
    blocks: int


class EnvironmentRow(NamedTuple):
    """One environment as its processes found it, and the records of the images they ran in, with their files."""

    name: str
    folder: str
    engine: str
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
    """``calibration`` (before each block), ``drift`` (inside one) and ``disturbance`` are ranges over blocks."""

    processes: int
    blocks: int
    engines: list[str]
    hosts: list[HostRow]
    environments: list[EnvironmentRow]
    commits: list[str]
    calibration: str
    drift: str
    disturbance: str
    failures: list[Failure]


def read_conditions(results: Path) -> Conditions:
    """The conditions of everything measured so far under ``results/<preset>``.

    :raises InputError: for a broken observation file or image record.
    """
    files = sorted((results / "observations").glob("*/*/*.jsonl"))
    processes = 0
    failed: Counter[tuple[str, str, str, str]] = Counter()
    # Of a block's many lines, which share its conditions, one for each set of libraries is kept.
    kept: dict[tuple[Path, str, str], Observation] = {}
    for file in files:
        for each in read_observations(file):
            processes += 1
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
        hosts=_hosts(blocks),
        environments=[_environment(results, observations) for observations in environments.values()],
        commits=sorted({_commit(each.conditions.git) for each in blocks}),
        calibration=_span([each.before_s for each in calibrations], "{} s"),
        drift=_span([each.drift for each in calibrations], write=percent),
        disturbance=_disturbance(blocks),
        failures=[Failure(*key, times) for key, times in sorted(failed.items())],
    )


def _hosts(blocks: Sequence[Observation]) -> list[HostRow]:
    rows: dict[tuple[object, ...], list[Host]] = {}
    for each in blocks:
        host = each.conditions.host
        identity = (host.node, host.cpu_model, host.cpus, host.memory_mb, host.kernel, host.governor, host.gpu)
        rows.setdefault(identity, []).append(host)
    return [HostRow(same[0], _span([host.load_1m for host in same]), len(same)) for same in rows.values()]


def _environment(results: Path, observations: Sequence[Observation]) -> EnvironmentRow:
    name = observations[0].environment
    conditions = [each.conditions for each in observations]
    versions: dict[str, set[str]] = {}
    for each in conditions:
        for package, version in each.versions.items():
            versions.setdefault(package, set()).add(version)
    keys = sorted({each.image.key for each in conditions})
    files = [path for key in keys if (path := record_path(results, name, key)) is not None]
    return EnvironmentRow(
        name=environment_name(name),
        folder=name,
        engine=" and ".join(sorted({each.engine for each in observations})),
        versions={package: ", ".join(sorted(found)) for package, found in sorted(versions.items())},
        threads=sorted({_threads(each.threads) for each in conditions}),
        keys=keys,
        checksums=sorted({each.image.sha256 for each in conditions if each.image.sha256}),
        locks=sorted({each.image.lock_sha256 for each in conditions}),
        records=[(file, read_record(file)) for file in files],
    )


def _threads(threads: Threads) -> str:
    cpus = ", ".join(map(str, threads.affinity))
    libraries = {
        "BLAS": threads.blas,
        "TensorFlow inside an operation": threads.tf_intra_op,
        "TensorFlow between operations": threads.tf_inter_op,
    }
    found = [f"{name} {amount or 'its own choice'}" for name, amount in libraries.items() if amount is not None]
    return "; ".join([f"{threads.asked} asked for, on CPU {cpus}", *found])


def _commit(git: Git) -> str:
    if git.commit is None:
        return "unknown (not a git checkout)"
    changed = {True: "with uncommitted changes", False: "without changes", None: "changes unknown"}[git.dirty]
    return f"{git.commit} ({changed})"


def _disturbance(blocks: Sequence[Observation]) -> str:
    measures = {
        "CPU time stolen by other virtual machines": [each.conditions.disturbance.steal_s for each in blocks],
        "CPU time used by other programs": [each.conditions.disturbance.other_cpu_s for each in blocks],
        "time in which some task waited for a CPU": [each.conditions.disturbance.cpu_pressure_s for each in blocks],
    }
    known = {name: [value for value in values if value is not None] for name, values in measures.items()}
    return "; ".join(f"{name} {_span(values, '{} s')} a block" for name, values in known.items() if values)


def _span(values: Sequence[float], unit: str = "{}", write: Callable[[float], str] = number) -> str:
    """The range of ``values``, or the value where all read the same; nothing for no values."""
    ends = dict.fromkeys(write(pick(values)) for pick in (min, max)) if values else {}
    return unit.format(" to ".join(ends)) if ends else ""
