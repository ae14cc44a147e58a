"""``make plan``: counts, times and reasons from made-up blocks and stand-in GPUs; nothing is started."""

import json
import os
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tf_claims.bench.made_up import block_of, study_files, write_block
from tf_claims.cells.tidy import tidy
from tf_claims.host.gpu import STATED, why_not
from tf_claims.images.key import image_key
from tf_claims.model import results as paths
from tf_claims.model.plan import write_plans
from tf_claims.model.preset import BlockRule
from tf_claims.model.results import Results
from tf_claims.model.study import plan_study, write_study
from tf_claims.run import needs
from tf_claims.run import plan as planning
from tf_claims.run.blocks import block_range, blocks_of

NAME, ENV = "linear_regression", "tf1.15-cpu"
GPUS = {
    "V100": ("Tesla V100-SXM2-16GB, 7.0, 535.104.05, 16384, Default", []),
    "A100": ("NVIDIA A100-SXM4-40GB, 8.0, 535.104.05, 40960, Default", ["tf1.15-gpu", "tf2.0-gpu"]),
    "H100": ("NVIDIA H100 80GB HBM3, 9.0, 550.54.15, 81559, Exclusive_Process", ["tf1.15-gpu", "tf2.0-gpu"]),
}


@pytest.fixture
def results(tmp_path, monkeypatch):
    """No results, no reference and an empty cache."""
    monkeypatch.setattr(paths, "ROOT", tmp_path / "results")
    monkeypatch.setattr(needs, "MADE", tmp_path / "results" / "data")
    monkeypatch.setattr(planning, "REFERENCE", tmp_path / "reference")
    monkeypatch.setenv("TF_CLAIMS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.delenv(STATED, raising=False)
    return tmp_path / "results" / "quick"


def study(environments: str = ENV, scenarios: str = NAME):
    return plan_study("quick", why_not, environments.split(), scenarios.split())


def write_blocks(results: Path, count: int, key: str) -> list[Path]:
    files = []
    for block in range(1, count + 1):
        records = block_of(ENV, block)
        for record in records:
            record["conditions"]["image"]["key"] = key
            record["cost"] |= {"wall_s": 2.0, "peak_rss_mb": 300.0 + block}
            record["conditions"]["calibration"] |= {"before_s": 0.5, "after_s": 0.5}
        files.append(write_block(results / "observations" / NAME / ENV / f"{block}.jsonl", records))
    return files


def found(results: Path):
    (cell,) = study().running
    return blocks_of(study(), cell, image_key(ENV), Results(results), results.parent / "reference")


def test_measured_blocks_and_what_the_others_take(results):
    write_plans(study(), Results(results))
    variants = len(write_blocks(results, 2, image_key(ENV))) and len(block_of(ENV, 1))
    blocks = found(results)
    assert (blocks.measured, blocks.outdated, blocks.variants) == (2, 0, variants)
    assert blocks.cost == (2.0 * variants + 10, 302.0, str(results))  # ten repeats of half a second, twice
    rule = blocks.cell.blocks
    assert rule.minutes is not None
    most = max(rule.least, min(rule.most, int(rule.minutes * 60 // blocks.cost.seconds)))
    assert blocks.seconds_left() == ((rule.least - 2) * blocks.cost.seconds, (most - 2) * blocks.cost.seconds)


@pytest.mark.parametrize("change", ["seed", "code_sha256", "image", "older"])
def test_blocks_that_will_be_measured_again_do_not_count(results, change):
    write_plans(study(), Results(results))
    files = write_blocks(results, 2, "0" * 12 if change == "image" else image_key(ENV))
    plan = results / "plans" / NAME / f"{ENV}.json"
    planned = json.loads(plan.read_text())
    if change in planned:
        plan.write_text(json.dumps(planned | {change: "another"}))
    if change == "older":
        os.utime(files[0], (1, 1))  # than the plan
    blocks = found(results)
    assert (blocks.measured, blocks.outdated) == ((1, 1) if change == "older" else (0, 2))


def test_without_blocks_the_time_is_unknown(results):
    blocks = found(results)
    assert (blocks.measured, blocks.cost, blocks.seconds_left()) == (0, None, None)
    text = "\n".join(planning.describe(study(), "container"))
    assert "Measuring: unknown for 1 pairs of scenario and environment: no block of them yet" in text
    assert "Software: 2 min, as seen on two cores" in text


def test_without_blocks_here_the_reference_tells_what_one_takes(results):
    reference = results.parent / "reference"
    files = write_blocks(reference, 3, image_key(ENV))
    (reference / "quick").mkdir()
    pq.write_table(tidy(files), reference / "quick" / "observations.parquet")
    cost = found(results).cost
    assert cost == (2.0 * len(block_of(ENV, 1)), 303.0, str(reference / "quick"))


@pytest.mark.parametrize(
    ("rule", "seconds", "blocks"),
    [
        (BlockRule(least=3, most=12, minutes=3), 30, (3, 6)),
        (BlockRule(least=3, most=12, minutes=3), 90, (3, 3)),
        (BlockRule(least=3, most=12, minutes=30), 30, (3, 12)),
        (BlockRule(least=3, most=12), 1e6, (3, 12)),
    ],
)
def test_the_range_of_blocks_follows_the_rule(rule, seconds, blocks):
    assert block_range(rule, seconds) == blocks


@pytest.mark.parametrize("gpu", GPUS)
def test_the_plan_for_a_host_with_a_gpu(results, monkeypatch, gpu):
    line, too_new = GPUS[gpu]
    monkeypatch.setenv(STATED, line)
    lines = planning.describe(study("*", "*"), "container")
    text = "\n".join(lines)
    assert max(map(len, lines)) <= planning.WIDTH
    assert f"GPU: {line.split(',')[0]}, capability {line.split(', ')[1]}, driver" in text
    assert f"{27 - 3 * len(too_new)} of 27 pairs of scenario and environment run." in text
    assert ("Not run" in text) == bool(too_new)
    for name in too_new:
        assert f"\n{NAME}  {name} " not in text
    if too_new:
        assert f"  {', '.join(too_new)}: GPU too new: {line.split(',')[0]} has compute capability" in text
    assert "tf1.15-gpu-nv  to be built: all of it is nvcr.io/nvidia/tensorflow:23.03-tf1-py3, to be pulled" in text
    assert "tf2.21-gpu     to be built: an image of 45 packages (45 to download)" in text


def test_the_plan_for_a_host_without_one(results):
    lines = planning.describe(study("*", "*"), "container")
    text = "\n".join(lines)
    assert "GPU: none" in text and "12 of 27 pairs of scenario and environment run." in text
    assert lines[-1] == "  tf1.15-gpu, tf1.15-gpu-nv, tf2.0-gpu, tf2.15-gpu, tf2.21-gpu: no NVIDIA GPU"
    assert "mnist         to be fetched (55 MB; see config/data/mnist.yaml)" in text
    assert "austen-glove  to be fetched (4 MB; see config/data/austen.yaml); co-occurrences to be counted" in text


def test_what_a_preset_leaves_out_is_named(results):
    lines = planning.describe(plan_study("smoke", why_not), "venv")
    assert (
        "  tf2.21-cpu (mnist_fit_vs_tape), tf1.15-cpu (glove_convergence): not part of the preset smoke" in lines
        or ("  tf1.15-cpu (glove_convergence), tf2.21-cpu (mnist_fit_vs_tape): not part of the preset smoke" in lines)
    )
    assert any("a virtual environment of" in line for line in lines)


def test_too_little_disk_is_said(results, monkeypatch):
    monkeypatch.setattr(planning.shutil, "disk_usage", lambda path: Free(1e9))
    assert any(
        line.startswith("Disk: ") and line.endswith("1,000 MB free: NOT ENOUGH")
        for line in planning.describe(study(), "container")
    )


def keep(folder: Path, spread: float) -> None:
    """A kept result in which the times of numpy vary by so much, either way in turn."""

    def change(record, chance):
        if record["levels"]["implementation"] == "numpy":
            record["phases"]["run"]["wall_s"] *= (1 + spread) ** (-1) ** record["block"]

    folder.mkdir(parents=True)
    pq.write_table(tidy(study_files(folder / "files", [ENV], 4, change=change)), folder / "observations.parquet")
    write_study(study(), folder / "study.json")


def decidable(preset: str) -> dict[str, list[str]]:
    lines = planning.describe(plan_study(preset, why_not, [ENV], [NAME]), "container")
    start = next(index for index, line in enumerate(lines) if line.startswith("Chance that"))
    assert max(map(len, lines[start:])) <= planning.WIDTH
    return {line.split()[1]: line.split()[2:] for line in lines[start:] if line.startswith(NAME)} | {
        "title": " ".join(lines[start : start + 2]).split()
    }


def test_a_claim_that_the_blocks_cannot_decide_is_named(results):
    keep(results.parents[1] / "reference" / "quick", spread=20.0)
    found = decidable("quick")
    assert found["C1"][-4:] == ["not", "decidable", "in", "quick"]
    assert found["C7"] == ["100", "%", ENV]  # about no time


def test_a_claim_that_they_can_decide_is_not(results):
    keep(results.parents[1] / "reference" / "quick", spread=0.01)
    assert decidable("quick")["C1"] == ["100", "%", ENV]


def test_the_spread_of_quick_stands_in_and_that_is_said(results):
    keep(results.parents[1] / "reference" / "quick", spread=0.01)
    found = decidable("paper")
    assert "since none of paper is kept" in " ".join(found["title"])
    assert found["C1"] == ["100", "%", ENV]


def test_without_a_kept_result_or_with_one_that_does_not_fit_the_chance_is_unknown(results):
    reference = results.parents[1] / "reference" / "quick"
    assert "unknown, no result is kept in" in " ".join(planning.describe(study(), "container"))
    keep(reference, spread=0.01)
    text = " ".join(" ".join(planning.describe(study("tf2.21-cpu"), "container")).split())
    assert "linear_regression C1 unknown" in text
    (reference / "study.json").write_text("{")
    text = " ".join(planning.describe(study(), "container"))
    assert "unknown, " in text and "does not fit the scenarios" in text


class Free:
    def __init__(self, free: float) -> None:
        self.free = free
