"""Observations made up for tests: valid records with known values, and whole blocks of a scenario's plan.

Used by the tests, and by the bench of the analysis.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from tf_claims.model.plan import plan_block

Change = Callable[[dict[str, Any], random.Random], None]


def observation(
    levels: dict[str, Any],
    sizes: dict[str, Any] | None = None,
    *,
    run_s: float = 1.0,
    results: dict[str, Any] | None = None,
    block: int = 0,
    position: int = 0,
    **fields: Any,
) -> dict[str, Any]:
    """One valid observation as a dictionary; ``fields`` replaces any top-level field."""
    tensorflow = levels.get("implementation") not in ("numpy", "numpy_until_converged", "closed_form")
    versions = {"python": "3.7.9", "numpy": "1.18.5"} | ({"tensorflow": "1.15.0"} if tensorflow else {})
    phases = {
        "import": {"wall_s": 4.2 if tensorflow else 0.11, "cpu_s": 3.9 if tensorflow else 0.1},
        "setup": {"wall_s": 0.05, "cpu_s": 0.05},
        "first_step": {"wall_s": 0.02, "cpu_s": 0.02},
        "run": {"wall_s": run_s, "cpu_s": 1.3 * run_s},
    }
    return {
        "schema": 1,
        "scenario": "linear_regression",
        "environment": "tf1.15-cpu",
        "levels": levels,
        "sizes": {} if sizes is None else sizes,
        "preset": "quick",
        "block": block,
        "position": position,
        "seed": 20191030 + block,
        "engine": "container",
        "status": "ok",
        "reason": "",
        "phases": phases,
        "results": {} if results is None else results,
        "cost": {
            "wall_s": run_s + 5.0,
            "cpu_s": 1.3 * run_s + 5.0,
            "peak_rss_mb": 310.5 if tensorflow else 61.25,
            "voluntary_switches": 1200,
            "involuntary_switches": 15,
        },
        "conditions": {
            "host": {
                "node": "host-1",
                "cpu_model": "Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz",
                "cpus": 2,
                "memory_mb": 24103,
                "kernel": "Linux 6.1.0-18-amd64",
                "governor": None,
                "load_1m": 0.3,
                "gpu": None,
            },
            "versions": versions,
            "threads": {
                "asked": 2,
                "affinity": [0, 1],
                "blas": 2,
                "tf_intra_op": 2 if tensorflow else None,
                "tf_inter_op": 2 if tensorflow else None,
            },
            "image": {
                "key": "0123456789ab",
                "sha256": "c" * 64,
                "lock_sha256": "d" * 64,
                "oci_digest": "sha256:" + "e" * 64,
            },
            "git": {"commit": "e" * 40, "dirty": False},
            "calibration": {"before_s": 0.5 + block / 1000, "after_s": 0.51, "drift": 0.02},
            "disturbance": {"steal_s": 0.01, "cpu_pressure_s": 0.2},
        },
    } | fields


def write_block(path: Path, records: Iterable[dict[str, Any]]) -> Path:
    """Write one block's file as the runner does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records))
    return path


# Seconds of one iteration: a fixed part and a part per point, near to what was measured for the text's two programs.
COSTS = {
    "numpy": (18e-6, 9.0e-9),
    "numpy_until_converged": (18e-6, 9.0e-9),
    "session_feed": (240e-6, 3.5e-9),
    "session_constant": (150e-6, 3.0e-9),
    "graph_loop": (45e-6, 3.0e-9),
    "eager": (900e-6, 3.0e-9),
    "function_step": (210e-6, 3.0e-9),
    "function_loop": (40e-6, 3.0e-9),
    "xla": (30e-6, 1.5e-9),
    "closed_form": (400e-6, 50e-9),
}


def answers(levels: dict[str, Any], sizes: dict[str, Any]) -> dict[str, Any]:
    """What a right implementation of linear_regression returns."""
    known = {10_000: (1.152435, 7.996363, 214.13473), 100_000: (0.970214, 20.137400, 176.40392)}
    w, b, loss = known.get(int(sizes["iterations"]), (0.96818, 20.272985, 176.4))
    raw = levels["inputs"] == "raw"
    converged = levels["implementation"] == "numpy_until_converged"
    return {
        "W": w,
        "b": b,
        "loss": loss,
        "parameter_error": 1e-6,
        "W_unscaled": 0.968180 if not raw else None,
        "b_unscaled": 20.272985 if not raw else None,
        "iterations_to_converge": (189_412 if raw else 84) if converged else None,
    }


@cache
def _plan(preset: str, environment: str) -> dict[str, Any]:
    return plan_block(preset, "linear_regression", environment)


def block_of(
    environment: str, block: int, preset: str = "quick", noise: float = 0.03, change: Change | None = None
) -> list[dict[str, Any]]:
    """One block of linear_regression in ``environment``, every time with log-normal ``noise`` around its cost."""
    chance = random.Random(f"{environment} {block}")
    plan = _plan(preset, environment)
    speed = chance.lognormvariate(0, 0.1)  # how fast the machine was in this block; it cancels in ratios
    records = []
    for position, variant in enumerate(chance.sample(plan["variants"], len(plan["variants"]))):
        levels, sizes = dict(variant["levels"]), dict(variant["sizes"])
        fixed, per_point = COSTS[levels["implementation"]]
        count = sizes["iterations"] if levels["implementation"] != "numpy_until_converged" else 190_000
        seconds = count * (fixed + per_point * levels["n"]) * speed * chance.lognormvariate(0, noise)
        record = observation(
            levels,
            sizes,
            run_s=seconds,
            results={key: value for key, value in answers(levels, sizes).items() if value is not None},
            block=block,
            position=position,
            environment=environment,
            preset=preset,
        )
        if change is not None:
            change(record, chance)
        records.append(record)
    return records


def study_files(
    root: Path, environments: Iterable[str], blocks: int = 5, preset: str = "quick", change: Change | None = None
) -> list[Path]:
    """Observation files as a run of ``preset`` leaves them, under ``root``; ``change`` plants faults."""
    return [
        write_block(
            root / "linear_regression" / environment / f"{block}.jsonl",
            block_of(environment, block, preset, change=change),
        )
        for environment in environments
        for block in range(blocks)
    ]
