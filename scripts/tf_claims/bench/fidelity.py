"""Whether the runner's `run` phase takes as long as the text's own program, run bare in the same container."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from tf_claims.bench.checkout import tf_claims
from tf_claims.bench.interleaved import Comparison, compare
from tf_claims.host.apptainer import isolated, mounted
from tf_claims.host.commands import run
from tf_claims.images.key import image_key
from tf_claims.images.places import place_of
from tf_claims.model.plan import plan_block

PUBLISHED = Path("scenarios/linear_regression/as_published")
ITERATIONS = {"tensorflow_session": 10_000, "numpy_loop": 100_000}
IMPLEMENTATION = {"tensorflow_session": "session_feed", "numpy_loop": "numpy"}


def fidelity(program: str, env: str, pairs: int = 6) -> Comparison:
    """Runner over bare program: the time that each says its loop took, in fresh processes, in turn."""
    with tempfile.TemporaryDirectory(dir="results") as folder:
        return compare(
            lambda: _by_runner(program, env, Path(folder)),
            lambda: _bare(program, env),
            pairs,
        )


def _bare(program: str, env: str) -> float:
    script = PUBLISHED / f"{program}.py"
    image = f"results/images/{env}.{image_key(env)}.sif"
    command = isolated(image, *mounted(script, "/published.py"))
    printed = run([*command, "python3", "-I", "/published.py", str(ITERATIONS[program])], f"{program}, bare")
    return float(printed.split("Time to execute code: ")[1].split()[0])


def _by_runner(program: str, env: str, folder: Path) -> float:
    plan = plan_block("quick", "linear_regression", env)
    wanted = {"implementation": IMPLEMENTATION[program], "n": 1000, "inputs": "raw", "device": "cpu"}
    plan["variants"] = [variant for variant in plan["variants"] if variant["levels"] == wanted]
    plan["variants"][0]["sizes"]["iterations"] = ITERATIONS[program]
    (folder / "plan.json").write_text(json.dumps(plan))
    (folder / "place").write_text(place_of("container", env, image_key(env)).model_dump_json())
    output = folder / "1.jsonl"
    run(
        tf_claims(
            "measure",
            *(
                "--plan",
                str(folder / "plan.json"),
                "--prepared",
                str(folder / "place"),
                "--looks",
                str(folder / "looks"),
            ),
            *("--block", "1", "--threads", "2", "--git", "results/git.json", "--output", str(output)),
        ),
        f"{program}, by the runner",
    )
    observation = json.loads(output.read_text())
    output.unlink()
    if observation["status"] != "ok":
        sys.exit(f"bench: {program} in the runner: {observation['reason']}")
    return float(observation["phases"]["run"]["wall_s"])
