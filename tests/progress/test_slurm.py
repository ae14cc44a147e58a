"""Why Slurm ended a job, in one line; the messages are those of snakemake-executor-plugin-slurm 2.8 and Slurm 22.05."""

from __future__ import annotations

from pathlib import Path

import pytest

from snakemake_logger_plugin_progress.slurm import why_it_ended


def ended(state: str) -> str:
    return (
        f"SLURM-job '7' failed, SLURM status is: '{state}'. "
        "Detailed failure reason unavailable (status command is not 'sacct')."
    )


LOST = "SLURM-job '7' failed due to a node failure, SLURM status is: 'NODE_FAIL'. Failed nodes will be excluded."
REFUSED = (
    "SLURM sbatch failed. The error message was 'sbatch: error: invalid partition specified: moon\n"
    "sbatch: error: Batch job submission failed: Invalid partition name specified'.\n"
    "    sbatch call:\n        sbatch …\n"
)
TIME = """srun: Job step aborted: Waiting up to 5 seconds for job step to finish.
slurmstepd-n2: error: *** STEP 7.0 ON n2 CANCELLED AT 2026-12-01T01:59:29 DUE TO TIME LIMIT ***
slurmstepd-n2: error: *** JOB 7 ON n2 CANCELLED AT 2026-12-01T01:59:29 DUE TO TIME LIMIT ***
"""
MEMORY = (
    "slurmstepd: error: Detected 1 oom_kill event in StepId=7.batch. Some of the step tasks have been OOM Killed.\n"
)


@pytest.mark.parametrize(
    ("message", "printed", "line"),
    [
        (
            ended("TIMEOUT"),
            TIME,
            "Slurm: job 7 ended as TIMEOUT: JOB 7 ON n2 CANCELLED AT 2026-12-01T01:59:29 DUE TO TIME LIMIT "
            "(raise runtime in the profile, or lower the preset's sizes)",
        ),
        (
            ended("OUT_OF_MEMORY"),
            MEMORY,
            "Slurm: job 7 ended as OUT_OF_MEMORY: Detected 1 oom_kill event in StepId=7.batch. "
            "Some of the step tasks have been OOM Killed. (raise mem_mb in the profile)",
        ),
        (ended("CANCELLED"), "", "Slurm: job 7 ended as CANCELLED"),
        (LOST, "", "Slurm: job 7 ended as NODE_FAIL"),
        (
            REFUSED,
            "",
            "Slurm refused the job: sbatch: error: invalid partition specified: moon; "
            "sbatch: error: Batch job submission failed: Invalid partition name specified",
        ),
    ],
)
def test_one_line_says_why(tmp_path: Path, message: str, printed: str, line: str) -> None:
    log = tmp_path / "7.log"
    log.write_text(printed)
    assert why_it_ended(message, log) == line


def test_a_job_that_printed_nothing_has_a_reason_too(tmp_path: Path) -> None:
    assert why_it_ended(ended("CANCELLED"), tmp_path / "none.log") == "Slurm: job 7 ended as CANCELLED"
    assert why_it_ended(ended("CANCELLED"), None) == "Slurm: job 7 ended as CANCELLED"


def test_other_failures_are_not_explained() -> None:
    assert why_it_ended("", None) is None
