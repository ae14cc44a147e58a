"""Whether the runner's `run` phase takes as long as the text's own program, run bare in the same container."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tf_claims.bench.checkout import environment
from tf_claims.bench.interleaved import Comparison, compare
from tf_claims.images.key import image_key
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


def _apptainer(env: str, command: list[str]) -> str:
    variables = environment()
    cache = variables["TF_CLAIMS_CACHE"]
    flags = ["--cleanenv", "--containall", "--net", "--network", "none", "--home", str(Path.cwd())]
    flags += ["--bind", f"{cache}:{cache}:ro", "--bind", "/tmp/tf-claims-lock", "--bind", "results/data:/data:ro"]
    image = f"results/images/{env}.{image_key(env)}.sif"
    done = subprocess.run(["apptainer", "exec", *flags, image, *command], env=variables, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"bench: {' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def _bare(program: str, env: str) -> float:
    printed = _apptainer(env, ["python3", "-I", str(PUBLISHED / f"{program}.py"), str(ITERATIONS[program])])
    return float(printed.split("Time to execute code: ")[1].split()[0])


def _by_runner(program: str, env: str, folder: Path) -> float:
    plan = plan_block("quick", "linear_regression", env)
    wanted = {"implementation": IMPLEMENTATION[program], "n": 1000, "inputs": "raw", "device": "cpu"}
    plan["variants"] = [variant for variant in plan["variants"] if variant["levels"] == wanted]
    plan["variants"][0]["sizes"]["iterations"] = ITERATIONS[program]
    (folder / "plan.json").write_text(json.dumps(plan))
    output = folder / "1.jsonl"
    record = f"results/images/{env}.{image_key(env)}.json"
    _apptainer(
        env,
        [
            *(
                "python3",
                "-I",
                "scripts/runner",
                "--plan",
                str(folder / "plan.json"),
                "--looks",
                str(folder),
                "--block",
                "1",
                "--threads",
                "2",
            ),
            *("--engine", "container", "--record", record, "--marker", "/etc/tf-claims.json"),
            *("--lock", "/tmp/tf-claims-lock/measure.lock", "--data", "/data", "--git", "results/git.json"),
            *("--output", str(output)),
        ],
    )
    observation = json.loads(output.read_text())
    output.unlink()
    if observation["status"] != "ok":
        sys.exit(f"bench: {program} in the runner: {observation['reason']}")
    return float(observation["phases"]["run"]["wall_s"])
