"""What a study costs beside its measuring as it grows: planning it, handing out its blocks, collecting them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tf_claims.bench.checkout import copied_checkout, set_blocks, snakemake
from tf_claims.bench.scale import run_python
from tf_claims.host.gpu import why_not
from tf_claims.model.study import plan_study

SCENARIO = "linear_regression"
PROFILES = ("local", "slurm")


class Costs(NamedTuple):
    """Seconds of ``make plan`` with all blocks measured; of a dry run through each profile with none; of a look at the
    precision in each environment; and from the blocks' files to the verdicts."""

    plan: float
    submit: dict[str, float]
    look: float
    collect: float

    def __str__(self) -> str:
        submit = ", ".join(f"{seconds:.1f} s ({profile})" for profile, seconds in self.submit.items())
        return f"plan {self.plan:.1f} s; submit {submit}; look {self.look:.1f} s; collect {self.collect:.1f} s"


def study_of(blocks: int) -> Costs:
    """A made-up study of one scenario in its CPU environments, of about so many blocks altogether."""
    environments = [cell.environment for cell in plan_study("quick", why_not, ["*-cpu"], [SCENARIO]).running]
    each = blocks // len(environments)
    with copied_checkout() as checkout:
        set_blocks(checkout, each)
        choice = ("--config", "preset=quick", f"scenarios={SCENARIO}", "environments=*-cpu")
        dry_run = partial(snakemake, "--dry-run", "--quiet", "all", *choice, cwd=checkout)
        submit = {profile: _seconds(partial(dry_run, "--profile", f"profiles/{profile}")) for profile in PROFILES}
        observations = checkout / "results" / "quick" / "observations"
        run_python("tests/bench/synthetic_observations.py", str(observations), "--blocks", str(blocks))
        study = ("--preset", "quick", "--scenarios", SCENARIO, "--environments", "*-cpu")
        return Costs(
            plan=_seconds(lambda: run_python("-m", "tf_claims.run.plan", *study, cwd=checkout)),
            submit=submit,
            look=_seconds(lambda: _look(checkout, environments)),
            collect=_seconds(lambda: _collect(checkout, observations, study)),
        )


def _look(checkout: Path, environments: list[str]) -> None:
    folder = Path("results/quick/observations") / SCENARIO
    for name in environments:
        files = sorted(str(file.relative_to(checkout)) for file in (checkout / folder / name).glob("*.jsonl"))
        what = ("--preset", "quick", "--scenario", SCENARIO, "--environment", name, "--output", "look.json")
        run_python("-m", "tf_claims.verdicts.look", *what, *files, cwd=checkout)


def _collect(checkout: Path, observations: Path, study: tuple[str, ...]) -> None:
    files, table = str(observations / "files.txt"), "results/quick/observations.parquet"
    run_python("-m", "tf_claims.cells.tidy", "--output", table, "--csv", "o.csv", "--files-from", files, cwd=checkout)
    verdicts = ("--output", "verdicts.json", "--estimates", "estimates.csv")
    run_python("-m", "tf_claims.verdicts.judge", *study, "--observations", table, *verdicts, cwd=checkout)


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def main() -> None:
    """``python -m tf_claims.bench.study_size 100 1000``: the costs of studies of so many blocks."""
    for blocks in sys.argv[1:]:
        print(f"{int(blocks):,} blocks: {study_of(int(blocks))}", flush=True)


if __name__ == "__main__":
    main()
