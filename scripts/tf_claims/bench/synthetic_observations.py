"""Very many observations, for the bench of the analysis."""

from __future__ import annotations

import json
import random
from pathlib import Path

from tf_claims.bench.made_up import block_of

ENVIRONMENTS = ["tf1.15-cpu", "tf2.0-cpu", "tf2.15-cpu", "tf2.21-cpu"]


def write_observations(folder: Path, *, observations: int | None = None, blocks: int | None = None) -> None:
    """Write blocks of the quick preset of linear_regression, and ``folder/files.txt``, which lists them.

    :param observations: how many; the last block may be cut short.
    :param blocks: how many, all environments together; counts where ``observations`` is not given.
    """
    folder = folder.absolute()
    templates = {environment: block_of(environment, 0) for environment in ENVIRONMENTS}
    rounds = (blocks or 0) // len(ENVIRONMENTS)
    wanted = observations or rounds * sum(map(len, templates.values()))
    chance = random.Random(1)
    written, block, files = 0, 0, []
    while written < wanted:
        for environment, records in templates.items():
            calibration = records[0]["conditions"]["calibration"] | {"before_s": 0.5 + 0.01 * chance.random()}
            lines = []
            for record in records[: wanted - written]:
                run = record["phases"]["run"]
                noisy = {key: value * chance.lognormvariate(0, 0.03) for key, value in run.items()}
                conditions = record["conditions"] | {"calibration": calibration}
                changed = {"block": block, "phases": record["phases"] | {"run": noisy}, "conditions": conditions}
                lines.append(json.dumps(record | changed, separators=(",", ":")) + "\n")
            written += len(lines)
            if lines:
                path = folder / "linear_regression" / environment / f"{block}.jsonl"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("".join(lines))
                files.append(f"{path}\n")
        block += 1
    (folder / "files.txt").write_text("".join(files))
