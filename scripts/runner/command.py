"""Measure one block and write its observations.

``python3 -I scripts/runner --plan results/quick/plans/linear_regression/tf1.15-cpu.json --block 3 --threads 2 …``

Exit codes: 0 measured (failed variants are observations), 2 a bad plan, 3 the wrong place, 130 interrupted.
"""

import argparse
import json
import signal
import sys
from typing import Any, Dict, List

from runner import block, data, image, threads
from runner.errors import BAD_PLAN, INTERRUPTED, Refusal
from runner.plan import narrowed, read_plan


def main(arguments: List[str]) -> int:
    """Measure one block; the exit code."""
    options = _parse(arguments)
    for number in (signal.SIGINT, signal.SIGTERM):  # SIGINT too: a shell ignores it for its background jobs
        signal.signal(number, signal.default_int_handler)
    try:
        _run(options)
    except Refusal as refusal:
        print("error: {}".format(refusal), file=sys.stderr)
        return refusal.code
    except KeyboardInterrupt:
        print("\ninterrupted: nothing of this block was kept; it is measured again by the next run", file=sys.stderr)
        return INTERRUPTED
    return 0


def _run(options: argparse.Namespace) -> None:
    plan = narrowed(read_plan(options.plan), options.looks, options.block)
    git = _git(options.git)
    affinity = threads.pin(options.threads)
    place = image.identify(options.marker, plan["environment"], options.record, options.engine == "container")
    data.check(options.data, plan["data"])
    with block.scratch(options.output) as folder:
        setting = block.Setting(
            options.block, options.threads, affinity, options.engine, options.data, place, git, folder
        )
        block.write(options.output, block.measure(plan, setting))


def _git(path: str) -> Dict[str, Any]:
    try:
        with open(path) as file:
            found = json.load(file)
        return {"commit": found["commit"], "dirty": found["dirty"]}
    except (OSError, ValueError, KeyError) as error:
        raise Refusal(
            "{}: no readable record of the git commit ({!r}); delete it and run again".format(path, error), BAD_PLAN
        ) from None


def _parse(arguments: List[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="runner", description=__doc__)
    parser.add_argument("--plan", required=True, help="JSON file made by tf_claims.model.plan")
    parser.add_argument("--looks", required=True, help="folder of the looks at the blocks so far")
    parser.add_argument("--block", type=int, required=True)
    parser.add_argument("--threads", type=int, required=True, help="CPUs of a measured process")
    parser.add_argument("--engine", choices=["container", "venv"], required=True)
    parser.add_argument("--marker", required=True, help="file that only the right image has")
    parser.add_argument("--record", required=True, help="record of the image that the rule means, beside its file")
    parser.add_argument("--data", required=True, help="folder of the data sets")
    parser.add_argument("--git", required=True, help="JSON file with commit and dirty")
    parser.add_argument("--output", required=True, help="the block's observations, JSON lines")
    return parser.parse_args(arguments)
