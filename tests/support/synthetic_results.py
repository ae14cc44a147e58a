"""A small results folder as the pipeline writes it, with invented numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from tf_claims.cells.tidy import tidy
from tf_claims.model.preset import read_preset
from tf_claims.model.reason import Text, because
from tf_claims.model.study import plan_study, write_study
from tf_claims.verdicts.judgement import Evidence

ENVIRONMENTS = {
    "tf1.15-cpu": ("1.15.0", "1.18.5", "3.7.9"),
    "tf2.0-cpu": ("2.0.0", "1.18.5", "3.7.9"),
    "tf2.21-cpu": ("2.21.0", "2.3.1", "3.11.9"),
}
KEY = "0123456789ab"
STUDY = plan_study("quick", lambda stack: because("gpu.none") if stack.gpu else None, [], ["linear_regression"])
SHRUNK = "10,000 iterations instead of 100,000"

SVG = """<?xml version="1.0" encoding="utf-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns:xlink="http://www.w3.org/1999/xlink" width="460.8pt" height="216pt" viewBox="0 0 460.8 216"
 xmlns="http://www.w3.org/2000/svg" version="1.1">
 <metadata>made by hand</metadata>
 <defs><style type="text/css">*{stroke-linejoin: round}</style><path id="mark" d="M 0 -3 L 3 3 L -3 3 z"/>
 <clipPath id="clip"><rect x="0" y="0" width="460" height="216"/></clipPath></defs>
 <g id="axes_1" clip-path="url(#clip)">
 <use xlink:href="#mark" x="80" y="90" style="fill: #0072b2"><title>C1, tf1.15-cpu: 12.6 in one block</title></use>
 <use xlink:href="#mark" x="160" y="90" style="fill: #0072b2"><title>C1, published: 10</title></use></g>
</svg>
"""


def verdict(claim: str, environment: str, word: str, **fields: Any) -> dict[str, Any]:
    """An element of ``verdicts.json`` about a ratio, with ``fields`` changed; it gives the reason that is its text."""
    content = {
        "claim": claim,
        "scenario": "linear_regression",
        "environment": environment,
        "says": "TensorFlow on the CPU is about ten times slower than NumPy.",
        "estimand": "ratio",
        "verdict": word,
        "reason": "95 % interval excludes 1, and the estimate is within a factor of 2 of the published 10",
        "estimate": 12.58,
        "ci_low": 12.07,
        "ci_high": 13.21,
        "published": 10.0,
        "published_figures": "40 s against 4 s",
        "blocks": 5,
        "scaled_down": True,
        "scaled_down_note": SHRUNK,
        "engine": "container",
    } | fields
    told = [(content["reason"], "because", "as_told"), (content["scaled_down_note"], "scaled", "as_told")]
    said = {name: [because(key, text=Text(en=text)).model_dump()] for text, name, key in told if text}
    if content["reason"] == "no NVIDIA GPU":
        said["because"] = [because("gpu.none").model_dump()]
    return said | content


NOTHING = {"estimate": None, "ci_low": None, "ci_high": None, "blocks": 0, "scaled_down": False, "scaled_down_note": ""}


def verdicts() -> list[dict[str, Any]]:
    """One verdict of each word, and each estimand of the first scenario."""
    c4 = {
        "says": "With a million points and a thousand iterations, TensorFlow and NumPy are nearly equal.",
        "estimand": "equivalence",
        "published": 1.14,
        "published_figures": "25 s against 22 s",
        "scaled_down_note": "50 iterations instead of 1,000",
    }
    c5 = {
        "says": "A fixed overhead per Session.run dominates; as the number of points grows, "
        "the advantage moves to TensorFlow.",
        "estimand": "cost_model",
        "published": None,
        "published_figures": "an explanation, without numbers",
    }
    c7 = {
        "says": "Unscaling the parameters found on standardised x recovers the original solution.",
        "estimand": "value",
        "published": None,
        "published_figures": "W / x_std and b - x_mean W / x_std",
        "estimate": 0.9681813,
        "ci_low": 0.9681811,
        "ci_high": 0.9681816,
        "facts": {"shown": "W_unscaled", "expected": 0.96818, "within": 1e-5},
    }
    return [
        verdict("C1", "tf1.15-cpu", "reproduced"),
        verdict("C1", "tf2.0-cpu", "reproduced", estimate=19.02, ci_low=17.44, ci_high=20.7),
        verdict("C1", "tf2.21-cpu", "direction only", estimate=31.0, ci_low=29.9, ci_high=32.2, reason="too large"),
        verdict("C2", "tf1.15-gpu", "not run", says="On the GPU it is twenty times.", published=20.0,
                reason="no NVIDIA GPU", **NOTHING),
        verdict("C4", "tf1.15-cpu", "contradicted", estimate=1.52, ci_low=1.39, ci_high=1.66, **c4),
        verdict("C4", "tf2.0-cpu", "inconclusive", estimate=1.05, ci_low=0.91, ci_high=1.22, **c4),
        verdict("C4", "tf2.21-cpu", "contradicted", estimate=0.62, ci_low=0.57, ci_high=0.68, **c4),
        verdict("C5", "tf1.15-cpu", "reproduced", estimate=2.13e5, ci_low=1.6e5, ci_high=2.9e5,
                reason="a is 240 us against 12 us, b is smaller for TensorFlow", **c5),
        verdict("C7", "tf1.15-cpu", "reproduced",
                reason="W_unscaled 0.968181 (0.968180 within 0.00001); b_unscaled 20.27299 (20.272985 within 0.001)",
                **c7),
    ]  # fmt: skip


def observation(environment: str, block: int, position: int, **fields: Any) -> dict[str, Any]:
    tensorflow, numpy, python = ENVIRONMENTS[environment]
    loads_tensorflow = position > 0
    versions = {"python": python, "numpy": numpy} | ({"tensorflow": tensorflow} if loads_tensorflow else {})
    return {
        "schema": 1,
        "scenario": "linear_regression",
        "environment": environment,
        "levels": {
            "implementation": "session_feed" if loads_tensorflow else "numpy",
            "n": 1000,
            "inputs": "raw",
            "device": "cpu",
        },
        "sizes": {"iterations": 10000},
        "preset": "quick",
        "block": block,
        "position": position,
        "seed": 7,
        "engine": "container",
        "status": "ok",
        "reason": "",
        "phases": {"run": {"wall_s": 2.5 if loads_tensorflow else 0.2, "cpu_s": 2.5}},
        "results": {"W": 1.152435, "b": 7.996363, "loss": 214.13473, "parameter_error": 0.0},
        "cost": {
            "wall_s": 3.0,
            "cpu_s": 3.0,
            "peak_rss_mb": 200.0,
            "voluntary_switches": 1,
            "involuntary_switches": 1,
        },
        "conditions": {
            "host": {
                "node": "bench-1",
                "cpu_model": "Example CPU @ 2.60GHz",
                "cpus": 2,
                "memory_mb": 8192,
                "kernel": "6.1.0-18-amd64",
                "governor": None,
                "load_1m": 0.2 + 0.3 * block,
                "gpu": None,
            },
            "versions": versions,
            "threads": {
                "asked": 2,
                "affinity": [0, 1],
                "blas": 2,
                "tf_intra_op": 2 if loads_tensorflow else None,
                "tf_inter_op": 0 if loads_tensorflow else None,
            },
            "image": {"key": KEY, "sha256": "ab" * 32, "lock_sha256": "cd" * 32},
            "git": {"commit": "c0ffee" * 6 + "c0ff", "dirty": False},
            "calibration": {"before_s": 0.1 + 0.001 * block, "after_s": 0.101, "drift": 0.031 * block - 0.012},
            "disturbance": {"steal_s": 0.02 * block, "cpu_pressure_s": None},
        },
    } | fields


def evidence(environment: str) -> Evidence:
    """What C1 rests on in an environment: two blocks, of which the second failed in TensorFlow 2.21."""
    failed = because("did_not_end", status="killed", reason="signal 9: out of memory?")
    return Evidence(
        described=because("evidence.metric", metric="run.wall_s"),
        columns=["session_feed", "numpy"],
        result="ratio",
        numbers=[0, 1],
        values=[[2.5, 0.2], [2.5, 0.2]],
        why_unused={1: failed} if environment == "tf2.21-cpu" else {},
    )


def write_verdicts(results: Path, content: list[dict[str, Any]]) -> None:
    """``judgements.json`` and ``verdicts.json`` of these elements."""
    judgements = [
        {"verdict": each}
        | (
            {"evidence": evidence(each["environment"]).model_dump(mode="json")}
            if each.get("claim") == "C1" and each.get("verdict") != "not run"
            else {}
        )
        for each in content
    ]
    write_json(results / "judgements.json", judgements)
    write_json(results / "verdicts.json", content)


def write_lines(path: Path, lines: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def write_results(root: Path, preset: str = "quick") -> Path:
    """The folder ``root/results/<preset>``; six blocks are measured and one process failed."""
    results = root / "results" / preset
    write_study(STUDY._replace(name=preset, preset=read_preset(preset)), results / "study.json")
    write_verdicts(results, verdicts())
    for environment in ENVIRONMENTS:
        for block in range(2):
            lines = [observation(environment, block, position, preset=preset) for position in range(2)]
            write_lines(results / "observations" / "linear_regression" / environment / f"{block}.jsonl", lines)
        write_record(root, environment)
    broken = observation("tf2.21-cpu", 1, 1, preset=preset, status="killed", reason="signal 9: out of memory?")
    last = results / "observations" / "linear_regression" / "tf2.21-cpu" / "1.jsonl"
    write_lines(last, [observation("tf2.21-cpu", 1, 0, preset=preset), broken])
    tables = results / "tables"
    tables.mkdir()
    (tables / "verdicts.csv").write_text(
        "claim,environment,estimate,blocks\nC1,tf1.15-cpu,12.5789,5\nC2,tf1.15-gpu,,0\n"
    )
    (tables / "verdicts.md").write_text("| claim |\n")
    (tables / "verdicts.tex").write_text("\\toprule\n")
    figures = results / "figures"
    (figures / "ja").mkdir(parents=True)
    for name in ("linear_regression_ratios", "linear_regression_cost_model"):
        (figures / f"{name}.svg").write_text(SVG)
        (figures / f"{name}.pdf").write_text("%PDF")
        (figures / "ja" / f"{name}.svg").write_text(SVG.replace("C1, published: 10", "C1、文章の値: 10"))
    (figures / "linear_regression_ratios.txt").write_text("Published ratio <beside>\nours.\n")
    files = sorted((results / "observations").glob("*/*/*.jsonl"))
    pq.write_table(tidy(files), results / "observations.parquet")
    (results / "observations.csv").write_text("scenario\n")
    return results


def write_record(root: Path, environment: str) -> None:
    tensorflow, numpy, python = ENVIRONMENTS[environment]
    record = {
        "environment": environment,
        "key": KEY,
        "sif_sha256": "ab" * 32,
        "oci_digest": "sha256:" + "ef" * 32,
        "base": {
            "kind": "registry",
            "reference": "python:3.7-slim-bookworm",
            "digest": "sha256:" + "12" * 32,
            "python": python,
            "debian": "12",
        },
        "builder": "buildah 1.28.2",
        "apptainer": "1.4.5",
        "lock_sha256": "cd" * 32,
        "python": python,
        "packages": {"numpy": numpy, "tensorflow": tensorflow},
        "size_bytes": 579_000_000,
    }
    write_json(root / "results" / "images" / f"{environment}.{KEY}.json", record)


def write_json(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))
