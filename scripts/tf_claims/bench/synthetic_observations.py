"""Write very many observations, for the bench of the analysis.

``PYTHONPATH=scripts:tests/unit python tests/bench/synthetic_observations.py FOLDER --observations 1000000`` writes
blocks of the quick preset of linear_regression, and ``FOLDER/files.txt``, which lists them.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

from tf_claims.bench.made_up import block_of

ENVIRONMENTS = ["tf1.15-cpu", "tf2.0-cpu", "tf2.15-cpu", "tf2.21-cpu"]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--observations", type=int, help="how many; the last block may be cut short")
    parser.add_argument("--blocks", type=int, help="how many, all environments together")
    options = parser.parse_args()
    folder = options.folder.absolute()
    templates = {environment: block_of(environment, 0) for environment in ENVIRONMENTS}
    rounds = (options.blocks or 0) // len(ENVIRONMENTS)
    wanted = options.observations or rounds * sum(map(len, templates.values()))
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


if __name__ == "__main__":
    main()
