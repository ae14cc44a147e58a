"""``make reproduce``: finds the tools, chooses the engine, runs the workflow and says where the verdicts are.

``tf-claims reproduce --preset quick [--profile local] [--environments "…"] [--scenarios "…"]``
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import FrameType

import psutil

from tf_claims.host.cache import cache_root
from tf_claims.host.gpu import why_not
from tf_claims.images.failures import failures, forget_failures
from tf_claims.model.errors import InputError
from tf_claims.model.plan import choose_seed
from tf_claims.model.results import ROOT, Results
from tf_claims.model.study import Planned, Study, plan_study
from tf_claims.options import LOCAL, add_shared_options
from tf_claims.run.dates import settle
from tf_claims.run.engines import Engine, choose_engine
from tf_claims.run.requirements import require_cpus, require_places

PROFILES = Path("profiles")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_shared_options(parser, "preset", "engine", "profile", "environments", "scenarios")
    parser.add_argument("--seed", default="", help="to repeat the orders and initial weights of another run")


def execute(options: argparse.Namespace) -> None:
    """Run the workflow, one cell first, and say what came out.

    :raises InputError: for an unknown name, without an engine that works, and as :func:`snakemake`.
    """
    # A wrong name is said before anything is installed or built.
    how = by_profile(options.profile)
    results = Results.of(options.preset)
    seed = choose_seed(results, options.seed)
    study = plan_study(options.preset, why_not, options.environments.split(), options.scenarios.split(), seed)
    require_places()
    if options.profile == LOCAL:
        require_cpus(study.preset.threads)
    page = results.page
    with one_run_in_this_checkout() as lock:
        engine = choose_engine(options.engine)
        say(f"engine: {engine.name}")
        settle(results)
        forget_failures()
        config = workflow_config(options, engine, study) | ({"seed": options.seed} if options.seed else {})
        first = first_cell(study)
        # On a cluster all of them are measured at once.
        if first and options.profile == LOCAL and not page.exists():
            blocks = sum(cell.blocks.least for cell in study.running)
            say(f"first pass: {first.scenario} in {first.environment}, to be read while the others are measured")
            alone = {"environments": first.environment, "scenarios": first.scenario, "blocks_in_all": str(blocks)}
            try:
                snakemake(how, engine.path, lock, config | alone)
                say(f"first verdicts: {page}")
            except InputError:
                if not failures(engine.name):
                    raise
        before = page.stat().st_mtime_ns if page.exists() else None
        unbuilt = run_what_can_be_built(study, engine, partial(snakemake, how, engine.path, lock, config))
    if before == page.stat().st_mtime_ns:
        say(f"nothing to do: {results.folder} is complete")
    say(summary(results))
    say(f"the page: {page}")
    if unbuilt:
        raise InputError(
            f"not measured, since their software could not be made: {', '.join(unbuilt)}; "
            "put right what is said above and run the same command again"
        )


def run_what_can_be_built(study: Study, engine: Engine, run: Callable[[], None]) -> list[str]:
    """Run the workflow, and again without the environments that turned out not to be buildable; these by name.

    :raises InputError: where something else failed, or where none is left.
    """
    wanted = {cell.environment for cell in study.running}
    while True:
        known = {*failures(engine.name)}
        try:
            run()
            return sorted(known)
        except InputError:
            failed = {*failures(engine.name)}
            if failed <= known or wanted <= failed:
                raise
            say(f"going on without {', '.join(sorted(failed))}")


def workflow_config(options: argparse.Namespace, engine: Engine, study: Study) -> dict[str, str]:
    """What the workflow is told of the options, names for patterns; a choice that was not made keeps its default."""
    config = {"preset": options.preset, "engine": engine.name}
    choice = {
        "environments": study.stacks if options.environments else (),
        "scenarios": study.scenarios if options.scenarios else (),
    }
    return config | {name: " ".join(names) for name, names in choice.items() if names}


def by_profile(name: str) -> list[str]:
    """Snakemake's options for a profile of the checkout.

    :raises InputError: where there is none of this name.
    """
    known = sorted(file.parent.name for file in PROFILES.glob("*/config.yaml"))
    if name not in known:
        raise InputError(f"profile {name!r} is unknown; known: {', '.join(known)}")
    return ["--profile", str(PROFILES / name)]


def first_cell(study: Study) -> Planned | None:
    """The cell whose verdicts come first, of those that fetch the fewest data; None where there is only one to run."""
    if len(study.running) < 2:
        return None
    return min(study.running, key=lambda cell: len(study.scenarios[cell.scenario].data_of(study.name)))


def snakemake(how: Sequence[str], path: Sequence[str], lock: int, config: dict[str, str], *arguments: str) -> None:
    """Run the workflow as ``how`` says, a profile or options, with the folders of ``path`` first in ``PATH``.

    :raises InputError: where a job failed; Snakemake's messages came before.
    """
    # The lock of this checkout stands in for Snakemake's own, which a killed run leaves behind.
    command = [sys.executable, "-m", "snakemake", *how, "--nolock"]
    command += ["--config", *(f"{name}={value}" for name, value in config.items())]
    command += arguments
    cache_root().mkdir(parents=True, exist_ok=True)
    programs = os.pathsep.join([str(Path(sys.executable).parent), *path, os.environ["PATH"]])
    environment = os.environ | {"TF_CLAIMS_CACHE": str(cache_root()), "PATH": programs}
    process = subprocess.Popen(command, env=environment, pass_fds=[lock])

    def stop(number: int, frame: FrameType | None) -> None:
        say("stopping; what is measured stays, and `make reproduce` goes on from there")
        # As Ctrl-C at a terminal, which reaches all of them.
        with suppress(psutil.NoSuchProcess):
            for each in [*psutil.Process(process.pid).children(recursive=True), psutil.Process(process.pid)]:
                with suppress(psutil.NoSuchProcess):
                    each.send_signal(signal.SIGINT)

    signal.signal(signal.SIGTERM, stop)
    while True:
        try:
            code = process.wait()
            break
        except KeyboardInterrupt:
            # Snakemake got the signal too and stops its jobs.
            say("stopping; what is measured stays, and `make reproduce` goes on from there")
    if code:
        raise InputError(
            f"the workflow did not finish (exit code {code}); what is measured stays. "
            "Put right what is said above and run the same command again"
        )


@contextmanager
def one_run_in_this_checkout() -> Iterator[int]:
    """Hold this checkout's lock, as a file descriptor that child processes share.

    :raises InputError: where another run holds it.
    """
    ROOT.mkdir(exist_ok=True)
    with (ROOT / ".lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise InputError(
                f"another run works in this checkout (process {file.read().strip()}); wait for it, or use another clone"
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield file.fileno()


def summary(results: Results) -> str:
    """The verdicts counted, in a line."""
    verdicts = json.loads(results.verdicts.read_text())
    counts = Counter(verdict["verdict"] for verdict in verdicts)
    return f"{len(verdicts)} verdicts: " + ", ".join(f"{count} {word}" for word, count in counts.most_common())


def say(text: str) -> None:
    """Tell the person at the terminal, apart from what a command prints."""
    print(text, file=sys.stderr, flush=True)
