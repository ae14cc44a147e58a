"""What a study costs beside its measuring as it grows: planning it, handing out its blocks, collecting them."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tf_claims.bench.checkout import copied_checkout, set_blocks, snakemake
from tf_claims.bench.scale import run_command
from tf_claims.bench.synthetic_observations import write_observations
from tf_claims.host.gpu import why_not
from tf_claims.model.study import plan_study

SCENARIO = "linear_regression"
RESULTS = "results/quick"
PROFILES = ("local", "slurm")


class Costs(NamedTuple):
    """Seconds of ``make plan`` with all blocks measured; of a dry run through each profile with none; of a look at the
    precision in each environment; and from the blocks' files to the verdicts.
    """

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
        observations = checkout / RESULTS / "observations"
        write_observations(observations, blocks=blocks)
        study = ("--preset", "quick", "--scenarios", SCENARIO, "--environments", "*-cpu")
        return Costs(
            plan=_seconds(lambda: run_command("plan", *study, cwd=checkout)),
            submit=submit,
            look=_seconds(lambda: _look(checkout, environments)),
            collect=_seconds(lambda: _collect(checkout, observations)),
        )


def _look(checkout: Path, environments: list[str]) -> None:
    folder = Path(RESULTS) / "observations" / SCENARIO
    for name in environments:
        files = sorted(str(file.relative_to(checkout)) for file in (checkout / folder / name).glob("*.jsonl"))
        what = ("--results", RESULTS, "--scenario", SCENARIO, "--environment", name, "--output", "look.json")
        run_command("look", *what, *files, cwd=checkout)


def _collect(checkout: Path, observations: Path) -> None:
    files, table = str(observations / "files.txt"), f"{RESULTS}/observations.parquet"
    run_command("tabulate", "--output", table, "--csv", "o.csv", "--files-from", files, cwd=checkout)
    run_command("judge", "--results", RESULTS, cwd=checkout)


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start
