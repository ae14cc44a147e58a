"""The profiles for other batch systems, whose commands are stand-ins that run the job on this host."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tf_claims.bench.checkout import copied_checkout, snakemake
from tf_claims.model.observation import read_observations

pytestmark = [pytest.mark.cluster, pytest.mark.container]
BLOCK = "results/smoke/observations/linear_regression/tf1.15-cpu/1.jsonl"

QSUB = """#!/bin/sh
echo "$@" >>{folder}/asked
for script; do :; done
nohup sh "$script" >/dev/null 2>&1 &
echo 17.stand-in
"""
KUBECTL = """#!{python}
import os, pathlib, subprocess, sys, yaml
folder = pathlib.Path({folder!r})
if sys.argv[1] == "create":
    text = sys.stdin.read()
    (folder / "asked").write_text(text)
    block = yaml.safe_load(text)["spec"]["template"]["spec"]["containers"][0]
    env = os.environ | {{each["name"]: each["value"] for each in block["env"]}}
    script = f"{{' '.join(block['command'])}}; echo $? >{{folder}}/ended"
    subprocess.Popen(["nohup", "sh", "-c", script], cwd=block["workingDir"], env=env,
                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    print("job.batch/tf-claims-block-x7k2p")
elif sys.argv[1:3] == ["get", "job.batch/tf-claims-block-x7k2p"]:
    ended = folder / "ended"
    good = ended.exists() and ended.read_text() == "0\\n"
    print("tf-claims-block-x7k2p", "1" if good else "", "1" if ended.exists() and not good else "", end="")
"""


def stand_in(folder: Path, name: str, text: str) -> None:
    program = folder / name
    program.write_text(text.format(folder=str(folder), python=sys.executable))
    program.chmod(0o755)


@pytest.mark.parametrize(("profile", "name", "text"), [("generic", "qsub", QSUB), ("kubernetes", "kubectl", KUBECTL)])
def test_a_block_is_handed_to_the_batch_system(
    profile: str, name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, name, text)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with copied_checkout() as checkout:
        config = ("--config", "preset=smoke", "engine=container")
        said = snakemake("--profile", f"profiles/{profile}", *config, "--", BLOCK, cwd=checkout)
        assert "measuring linear_regression in tf1.15-cpu, block 1" in said
        assert {each.status for each in read_observations(checkout / BLOCK)} == {"ok"}
    asked = (tmp_path / "asked").read_text()
    if name == "qsub":
        assert "-q batch -l select=1:ncpus=2:mem=8000mb -l place=excl -l walltime=04:00:00" in asked
        assert asked.count("\n") == 1  # the image was built here
    else:
        pod = yaml.safe_load(asked)["spec"]["template"]["spec"]
        amount = {"cpu": "2", "memory": "8000M", "nvidia.com/gpu": "0"}
        assert pod["containers"][0]["resources"] == {"requests": amount, "limits": amount}


@pytest.mark.parametrize(
    ("printed", "state"),
    [("job  ", "running"), ("job 1 ", "success"), ("job  1", "failed"), ("", "failed")],
)
def test_the_state_of_a_kubernetes_job(printed: str, state: str, tmp_path: Path) -> None:
    stand_in(tmp_path, "kubectl", f"#!/bin/sh\nprintf '%s' '{printed}'\n")
    command = ["profiles/kubernetes/status.sh", "job.batch/x"]
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    assert subprocess.check_output(command, env=environment, text=True) == f"{state}\n"
