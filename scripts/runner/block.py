"""One block: every variant of a scenario once, in seeded random order, between two calibrations.

A process that something from outside disturbed is measured once more at the end; both of its observations are kept.
Where a plan asks for every variant twice, to compare the same code with itself, none is measured again.
"""

import json
import os
import shutil
import sys
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, NamedTuple

from runner import calibration, conditions, gpu, layout, observation, process, threads
from runner.disturbed import why_disturbed
from runner.errors import WRONG_PLACE, Refusal
from runner.plan import Plan, block_seed, label, order, variant_seed
from runner.seeds import derive


class Setting(NamedTuple):
    """What all observations of a block have in common."""

    block: int
    threads: int
    affinity: List[int]
    engine: str
    data: str
    image: Dict[str, Any]
    git: Dict[str, Any]
    scratch: str


@contextmanager
def scratch(output: str) -> Iterator[str]:
    """A folder beside ``output`` for what the block's processes share, and their home; it is gone afterwards."""
    folder, name = os.path.split(os.path.abspath(output))
    path = os.path.join(folder, ".{}.scratch".format(name))  # one name: what a crash leaves, the next run removes
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def measure(plan: Plan, setting: Setting) -> List[Dict[str, Any]]:
    """The observations of a block: one for each variant, whatever became of it, and those measured again."""
    calm = threads.environment(setting.threads, derive(plan["seed"], "calibration"), setting.scratch)
    card = gpu.state()
    if plan.get("needs_gpu") and card is None:
        raise Refusal(
            "{}: nvidia-smi tells of no GPU here; is the driver loaded?".format(plan["environment"]), WRONG_PLACE
        )
    host = conditions.host(setting.affinity[0])
    before = calibration.measure(calm)
    variants = order(plan, setting.block)
    observations = []
    for position, each in enumerate(variants):
        name = "variant {} of {}: {}".format(position + 1, len(variants), label(each["levels"]))
        observations.append(_observe(plan, setting, position, each, 1 + variants[:position].count(each), name))
    again = [
        variant
        for variant, each in zip(variants, observations)
        if why_disturbed(each["conditions"]["disturbance"], host["cpus"]) and not plan.get("twice")
    ]
    for position, each in enumerate(again, len(variants)):
        name = "variant again of {}: {} (it was disturbed)".format(len(variants), label(each["levels"]))
        observations.append(_observe(plan, setting, position, each, 2, name))
    warm = gpu.state()
    after = calibration.measure(calm)
    shared = {
        "host": host,
        "image": setting.image,
        "git": setting.git,
        "gpu": card and warm and dict(card, sm_mhz=warm["sm_mhz"]),
        "calibration": {
            "before_s": before.seconds,
            "after_s": after.seconds,
            "drift": after.seconds / before.seconds - 1,
        },
    }
    for each in observations:
        each["conditions"].update(shared)
        each["conditions"]["disturbance"].update(mhz_before=before.mhz, mhz_after=after.mhz)
    return observations


def _observe(
    plan: Plan, setting: Setting, position: int, variant: Dict[str, Any], attempt: int, name: str
) -> Dict[str, Any]:
    seed = variant_seed(plan, setting.block, variant["levels"], attempt)
    lie = layout.of(seed)
    task = dict(
        variant,
        code=os.path.abspath(plan["code"]),
        results=plan["results"],
        seed=seed,
        block_seed=block_seed(plan, setting.block),
        bytecode=os.path.join(setting.scratch, "bytecode"),
        threads=setting.threads,
        data=setting.data,
        needs_gpu=plan.get("needs_gpu", False),
        **layout.in_task(lie),
    )
    print("block {}, {} … ".format(setting.block, name), end="", file=sys.stderr, flush=True)
    environment = dict(threads.environment(setting.threads, seed, setting.scratch), **layout.in_environment(lie))
    start = conditions.disturbance()
    ended = process.run("--variant", task, environment, plan["timeout_s"])
    meanwhile = conditions.between(start, conditions.disturbance())
    unread = {
        "asked": setting.threads,
        "affinity": setting.affinity,
        "blas": None,
        "tf_intra_op": None,
        "tf_inter_op": None,
    }
    read = observation.told(ended, "threads", unread)
    status, reason = observation.outcome(ended, read, setting.affinity, plan["timeout_s"])
    verdict = "" if status == "ok" else ", {}: {}".format(status, reason.split("\n")[0])
    print("{:.1f} s{}".format(ended.cost["wall_s"], verdict), file=sys.stderr, flush=True)
    return {
        "schema": 1,
        "scenario": plan["scenario"],
        "environment": plan["environment"],
        "levels": variant["levels"],
        "sizes": variant["sizes"],
        "preset": plan["preset"],
        "block": setting.block,
        "position": position,
        "attempt": attempt,
        "seed": seed,
        "engine": setting.engine,
        "status": status,
        "reason": reason,
        "phases": observation.phases(ended),
        "results": observation.told(ended, "results", {}),
        "cost": ended.cost,
        "conditions": {
            "versions": observation.told(ended, "versions", {}),
            "threads": read,
            "layout": lie,
            "disturbance": meanwhile,
        },
    }


def write(path: str, observations: List[Dict[str, Any]]) -> None:
    """Write a block's file, all of it or nothing."""
    folder, name = os.path.split(os.path.abspath(path))
    os.makedirs(folder, exist_ok=True)
    part = os.path.join(folder, ".{}.part".format(name))  # one name: what a crash leaves, the next run replaces
    try:
        with open(part, "w") as file:
            for each in observations:
                file.write(json.dumps(each, allow_nan=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        if os.path.exists(part):
            os.unlink(part)
        raise
