"""``make reproduce``: finds the tools, chooses the engine, runs the workflow and says where the verdicts are.

``tf-claims reproduce --preset quick [--profile local] [--environments "…"] [--scenarios "…"]``
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tf_claims.host.cache import cache_root
from tf_claims.host.gpu import why_not
from tf_claims.model.errors import InputError
from tf_claims.model.plan import choose_seed
from tf_claims.model.results import ROOT, Results
from tf_claims.model.study import Study, plan_study
from tf_claims.options import LOCAL, add_shared_options
from tf_claims.run.engines import Engine, choose_engine

PROFILES = Path("profiles")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_shared_options(parser, "preset", "engine", "profile", "environments", "scenarios")
    parser.add_argument("--seed", default="", help="to repeat the orders and initial weights of another run")


def execute(options: argparse.Namespace) -> None:
    """Run the workflow, the first environment first, and say what came out.

    :raises InputError: for an unknown name, without an engine that works, and as :func:`snakemake`.
    """
    # A wrong name is said before anything is installed or built.
    how = by_profile(options.profile)
    results = Results.of(options.preset)
    seed = choose_seed(results, options.seed)
    study = plan_study(options.preset, why_not, options.environments.split(), options.scenarios.split(), seed)
    page = results.page
    with one_run_in_this_checkout() as lock:
        engine = choose_engine(options.engine)
        say(f"engine: {engine.name}" + (f" ({engine.reason})" if engine.reason else ""))
        config = workflow_config(options, engine) | ({"seed": options.seed} if options.seed else {})
        first = first_environment(study)
        # On a cluster all environments are measured at once.
        if first and options.profile == LOCAL and not page.exists():
            blocks = sum(cell.blocks.least for cell in study.running)
            say(f"first pass: {first} alone, so that its verdicts can be read while the others are measured")
            snakemake(how, engine.path, lock, config | {"environments": first, "blocks_in_all": str(blocks)})
            say(f"first verdicts: {page}")
        before = page.stat().st_mtime_ns if page.exists() else None
        snakemake(how, engine.path, lock, config)
    if before == page.stat().st_mtime_ns:
        say(f"nothing to do: {results.folder} is complete")
    say(summary(results))
    say(f"the page: {page}")


def workflow_config(options: argparse.Namespace, engine: Engine) -> dict[str, str]:
    """What the workflow is told of the options; a choice that was not made keeps its default there."""
    config = {"preset": options.preset, "engine": engine.name}
    choice = {"environments": options.environments, "scenarios": options.scenarios}
    return config | {name: value for name, value in choice.items() if value}


def by_profile(name: str) -> list[str]:
    """Snakemake's options for a profile of the checkout.

    :raises InputError: where there is none of this name.
    """
    known = sorted(file.parent.name for file in PROFILES.glob("*/config.yaml"))
    if name not in known:
        raise InputError(f"profile {name!r} is unknown; known: {', '.join(known)}")
    return ["--profile", str(PROFILES / name)]


def first_environment(study: Study) -> str | None:
    """The environment whose verdicts come first; None where there is only one to run."""
    running = list(dict.fromkeys(cell.environment for cell in study.running))
    return running[0] if len(running) > 1 else None


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
