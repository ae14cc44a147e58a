"""``make plan``: prints what a run would measure, build, fetch and need, and what it would not run and why.

``tf-claims plan --preset quick [--engine container] [--environments "tf1.15-cpu …"] [--scenarios "…"]``
"""

from __future__ import annotations

import argparse
import re
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from textwrap import wrap

from tf_claims.cells.measurements import read_measurements
from tf_claims.host.cache import cache_root
from tf_claims.host.gpu import find_device, why_not
from tf_claims.images.key import image_key
from tf_claims.model.errors import InputError
from tf_claims.model.plan import choose_seed
from tf_claims.model.results import Results
from tf_claims.model.study import Study, plan_study, read_study
from tf_claims.options import add_shared_options
from tf_claims.run.blocks import Blocks, blocks_of
from tf_claims.run.engines import check_engine
from tf_claims.run.needs import Software, data_of, software_of
from tf_claims.verdicts.power import FAIR, Chance, chances
from tf_claims.words.messages import ENGLISH
from tf_claims.words.numbers import whole_percent

WIDTH = 100
REFERENCE = Path("reference")
FALLBACK = "quick"  # the preset of a kept result that stands in for another


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_shared_options(parser, "preset", "engine", "environments", "scenarios")


def execute(options: argparse.Namespace) -> None:
    """Print the plan.

    :raises InputError: for an unknown name, and as :func:`describe`.
    """
    check_engine(options.engine)
    seed = choose_seed(Results.of(options.preset))
    study = plan_study(options.preset, why_not, options.environments.split(), options.scenarios.split(), seed)
    print("\n".join(describe(study, options.engine)))


def describe(study: Study, engine: str) -> list[str]:
    """The plan of a study, line by line, each of at most :data:`WIDTH` characters.

    :raises InputError: for a broken lock, data set or observation file.
    """
    running = study.running
    environments = list(dict.fromkeys(cell.environment for cell in running))
    keys = {name: image_key(name) for name in environments}
    blocks = [blocks_of(study, cell, keys[cell.environment], Results.of(study.name), REFERENCE) for cell in running]
    software = [software_of(name, study.stacks[name], engine) for name in environments]
    data = dict.fromkeys(name for cell in running for name in study.scenarios[cell.scenario].data_of(study.name))
    return [
        f"Plan of the preset {study.name}: {len(running)} of {len(study.cells)} pairs of scenario and environment run.",
        *wrap(f"GPU: {_gpu()}", WIDTH),
        "",
        *_table(["scenario", "environment", "variants", "blocks", "measured", "a block", "still"], map(_row, blocks)),
        "",
        *_table(["software", "state"], [(each.environment, each.state) for each in software]),
        "",
        *([*_table(["data", "state"], [data_of(name) for name in data]), ""] if data else []),
        *_needs(blocks, software),
        "",
        *_decidable(study, blocks),
        *_not_run(study),
    ]


def _gpu() -> str:
    try:
        device = find_device()
    except InputError as error:
        return f"unusable: {error}"
    if device is None:
        return "none"
    memory = f"{device.memory_mb:,} MB"
    return f"{device.name}, capability {device.capability}, driver {device.driver}, {memory}, {device.compute_mode}"


def _row(blocks: Blocks) -> Sequence[str]:
    rule = blocks.cell.blocks
    planned = f"{rule.least} to {rule.most}" if rule.most > rule.least else str(rule.least)
    measured = str(blocks.measured) + (f" (and {blocks.outdated} outdated)" if blocks.outdated else "")
    left = blocks.seconds_left()
    return (
        *(blocks.cell.scenario, blocks.cell.environment, str(blocks.variants), planned, measured),
        "unknown" if blocks.cost is None else f"{blocks.cost.seconds:.0f} s",
        "unknown" if left is None else _minutes(*left),
    )


def _needs(blocks: Sequence[Blocks], software: Sequence[Software]) -> list[str]:
    left = [each.seconds_left() for each in blocks]
    known = [each for each in left if each is not None]
    sources = dict.fromkeys(each.cost.source for each in blocks if each.cost is not None)
    build = sum(each.seconds for each in software)
    lines = [f"Software: {_minutes(build, build)}, as seen on two cores"] if build else []
    if known:
        least, most = (sum(each[end] for each in known) for end in (0, 1))
        lines.append(f"Measuring: {_minutes(least, most)}, from the blocks in {' and '.join(sources)}")
    if unknown := len(left) - len(known):
        more = " more" if known else ""
        lines.append(f"Measuring: unknown for {unknown}{more} pairs of scenario and environment: no block of them yet")
    disk = max((each.disk_mb for each in software), default=0) + sum(each.kept_mb for each in software)
    folder = next(path for path in (cache_root(), *cache_root().parents) if path.exists())
    free = shutil.disk_usage(folder).free / 1e6
    lines.append(f"Disk: {disk:,.0f} MB needed at most in the cache, {free:,.0f} MB free" + _short(disk, free))
    memory = max((each.cost.memory_mb for each in blocks if each.cost is not None), default=None)
    available = float(re.findall(r"MemAvailable: +(\d+) kB", Path("/proc/meminfo").read_text())[0]) / 1000
    if memory is not None:
        lines.append(
            f"Memory: {memory:,.0f} MB in the largest process seen, {available:,.0f} MB free"
            + _short(memory, available)
        )
    return lines


def _decidable(study: Study, blocks: Sequence[Blocks]) -> list[str]:
    """A claim a line: how likely the blocks that fit are to decide it, where that is least likely."""
    kept = (Results(REFERENCE / name) for name in dict.fromkeys([study.name, FALLBACK]))
    source = next((each for each in kept if each.study.exists() and each.observations.exists()), None)
    title = "Chance that the blocks that fit decide a claim"
    if source is None:
        return wrap(f"{title}: unknown, no result is kept in {REFERENCE}", WIDTH)
    fitting = {(each.cell.scenario, each.cell.environment): each.fitting for each in blocks}
    try:
        recorded = read_study(source.study)
        found = list(chances(study, fitting, recorded, read_measurements(source.observations, recorded)))
    except InputError as error:
        return wrap(f"{title}: unknown, {source.folder} does not fit the scenarios: {error}", WIDTH)
    instead = "" if recorded.name == study.name else f", since none of {study.name} is kept"
    claims: dict[tuple[str, str], list[Chance]] = {}
    for each in found:
        claims.setdefault((each.scenario, each.claim), []).append(each)
    return [
        *wrap(
            f"{title}, from the mean and the spread in {source.folder}{instead}; the lowest of its environments", WIDTH
        ),
        *_table(["scenario", "claim", "chance", "in", ""], [_lowest(study.name, *each) for each in claims.items()]),
    ]


def _lowest(preset: str, claim: tuple[str, str], found: Sequence[Chance]) -> Sequence[str]:
    known = [(each.power, each.environment) for each in found if each.power is not None]
    if not known:
        return (*claim, "unknown", "", "")
    chance, environment = min(known)
    unknown = len(found) - len(known)
    said = [f"not decidable in {preset}"] if chance < FAIR else []
    return (
        *claim,
        whole_percent(chance),
        environment,
        "; ".join(said + [f"unknown in {unknown} more"] * bool(unknown)),
    )


def _short(needed: float, free: float) -> str:
    return "" if needed <= free else ": NOT ENOUGH"


def _not_run(study: Study) -> list[str]:
    """What is not run, by its reason."""
    reasons: dict[str, dict[str, list[str]]] = {}
    for cell in study.cells:
        if cell.why_not is not None:
            reasons.setdefault(ENGLISH.reason(cell.why_not), {}).setdefault(cell.environment, []).append(cell.scenario)
    lines = ["", "Not run"] if reasons else []
    for reason, environments in reasons.items():
        names = [
            name if len(scenarios) == len(study.scenarios) else f"{name} ({', '.join(scenarios)})"
            for name, scenarios in environments.items()
        ]
        lines += wrap(f"{', '.join(names)}: {reason}", WIDTH, initial_indent="  ", subsequent_indent="    ")
    return lines


def _minutes(least: float, most: float) -> str:
    low, high = (round(seconds / 60) for seconds in (least, most))
    if most == 0:
        return "nothing"
    if high == 0:
        return "under a minute"
    return f"{low} to {high} min" if low < high else f"{high} min"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Columns as wide as their longest text."""
    lines = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip() for line in lines]
