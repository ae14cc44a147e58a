"""GPU environments against a stand-in ``nvidia-smi``: what runs, and why the others do not."""

from pathlib import Path

import pytest

from tf_claims.host.gpu import STATED, find_device, parse, why_not
from tf_claims.model.errors import InputError
from tf_claims.model.stack import environments, read_stack
from tf_claims.model.study import plan_study
from tf_claims.words.messages import ENGLISH

V100 = "Tesla V100-SXM2-16GB, 7.0, 535.104.05, 16384, Default"
A100 = "NVIDIA A100-SXM4-40GB, 8.0, 535.104.05, 40960, Default"
H100 = "NVIDIA H100 80GB HBM3, 9.0, 550.54.15, 81559, Exclusive_Process"


@pytest.fixture
def smi(tmp_path, monkeypatch):
    """Puts a program ``nvidia-smi`` first in PATH that prints a text and ends with a code."""
    monkeypatch.delenv(STATED, raising=False)

    def stand_in(text: str, code: int = 0) -> None:
        program = tmp_path / "nvidia-smi"
        program.write_text(f"#!/bin/sh\ncat <<'END'\n{text}\nEND\nexit {code}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    return stand_in


def reasons() -> dict[str, str | None]:
    found = {name: why_not(read_stack(name)) for name in environments() if "gpu" in name}
    return {name: None if why is None else ENGLISH.reason(why) for name, why in found.items()}


@pytest.mark.parametrize(
    ("answer", "running"),
    [
        (V100, {"tf1.15-gpu", "tf1.15-gpu-nv", "tf2.0-gpu", "tf2.15-gpu", "tf2.21-gpu"}),
        (A100, {"tf1.15-gpu-nv", "tf2.15-gpu", "tf2.21-gpu"}),
        (H100, {"tf1.15-gpu-nv", "tf2.15-gpu", "tf2.21-gpu"}),
        ("NVIDIA B200, 10.0, 570.86.15, 183359, Default", {"tf2.21-gpu"}),
        ("Tesla K80, 3.7, 450.80.02, 11441, Default", {"tf1.15-gpu", "tf2.0-gpu"}),
        ("Tesla M40, 5.2, 535.104.05, 11448, Default", {"tf1.15-gpu", "tf2.0-gpu", "tf2.15-gpu"}),
        ("Tesla T4, 7.5, 450.80.02, 15109, Default", {"tf1.15-gpu", "tf2.0-gpu"}),
        (f"{A100}\n{V100}", {"tf1.15-gpu-nv", "tf2.15-gpu", "tf2.21-gpu"}),  # the first is the one measured on
    ],
)
def test_each_capability_runs_what_knows_it(smi, answer, running):
    smi(answer)
    assert {name for name, reason in reasons().items() if reason is None} == running


def test_the_reason_names_device_and_need(smi):
    smi(A100)
    assert reasons()["tf1.15-gpu"] == (
        "GPU too new: NVIDIA A100-SXM4-40GB has compute capability 8.0, this build knows none above 7.5"
    )
    device = parse("Tesla K80, 3.7, 450.80.02, 11441, Default", "", "")
    assert device == ("Tesla K80", 3.7, "450.80.02", 11441, "Default")


@pytest.mark.parametrize(
    ("environment", "answer", "reason"),
    [
        ("tf2.21-gpu", "K80, 3.7, 450.80.02, 11441, Default", "GPU too old: K80 has compute capability 3.7, this"),
        ("tf2.21-gpu", "A, 8.0, 470.1, 40960, Default", "driver too old: 470.1, CUDA 12.9 needs 525.60.13 at least"),
        ("tf2.21-gpu", "A, 8.0, 535.1, 40960, Prohibited", "A is in compute mode Prohibited"),
    ],
)
def test_too_old_a_device_or_driver(smi, environment, answer, reason):
    smi(answer)
    found = reasons()[environment]
    assert found is not None and found.startswith(reason)


def test_no_gpu(smi, monkeypatch):
    smi("No devices were found", code=6)
    assert set(reasons().values()) == {"no NVIDIA GPU"}
    monkeypatch.setenv("PATH", "/nowhere")
    assert set(reasons().values()) == {"no NVIDIA GPU"}


@pytest.mark.parametrize(
    ("answer", "code", "reason"),
    [
        (
            "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
            9,
            "(exit code 9): NVIDIA-SMI",
        ),
        ('Field "compute_cap" is not a valid field to query.', 2, '(exit code 2): Field "compute_cap" is not'),
        ("ERR!, [N/A], 535.1, 40960, Default", 0, "answered 'ERR!, [N/A], 535.1, 40960, Default' where name,"),
        ("", 0, "answered '' where name,compute_cap"),
    ],
)
def test_a_broken_nvidia_smi_is_a_clear_reason_and_the_cpu_runs(smi, answer, code, reason):
    smi(answer, code)
    for found in reasons().values():
        assert found is not None and found.startswith("nvidia-smi") and reason in found
    assert why_not(read_stack("tf2.21-cpu")) is None
    study = plan_study("quick", why_not)
    assert {cell.environment for cell in study.running} == {name for name in environments() if "cpu" in name}


def test_a_gpu_elsewhere_can_be_stated(smi, monkeypatch):
    smi("No devices were found", code=6)
    monkeypatch.setenv(STATED, H100)
    assert find_device() == ("NVIDIA H100 80GB HBM3", 9.0, "550.54.15", 81559, "Exclusive_Process")
    monkeypatch.setenv(STATED, "H100")
    with pytest.raises(InputError, match="the variable TF_CLAIMS_GPU says 'H100' where name,"):
        find_device()


def test_every_cuda_stack_names_its_limits():
    for name in environments():
        stack = read_stack(name)
        assert (stack.device == "cuda") == ("gpu" in name) == (stack.gpu is not None)
        assert Path("envs", name, "requirements.lock").exists()


def judged_in(scenario: str, claim: str, only: str = "") -> list[str]:
    return [cell.environment for cell in plan_study("quick", why_not, only.split()).cells_of(scenario, claim)]


def test_claims_get_a_column_for_each_gpu_environment_that_runs(smi):
    smi(H100)
    cpu = ["tf1.15-cpu", "tf2.0-cpu", "tf2.15-cpu", "tf2.21-cpu"]
    here = ["tf1.15-gpu-nv", "tf2.15-gpu", "tf2.21-gpu"]
    assert set(judged_in("mnist_fit_vs_tape", "A2")) == {*cpu, *here}
    assert set(judged_in("glove_convergence", "B9")) == {"tf2.21-cpu", "tf2.21-gpu"}
    assert set(judged_in("linear_regression", "C2")) == {*here, "tf1.15-gpu", "tf2.0-gpu"}  # with the reason


def test_without_a_gpu_only_what_is_about_gpus_says_so(smi):
    smi("No devices were found", code=6)
    assert not any("gpu" in name for name in judged_in("mnist_fit_vs_tape", "A2"))
    assert len(judged_in("linear_regression", "C3")) == 5
    assert judged_in("mnist_fit_vs_tape", "A2", only="tf2.21-gpu") == ["tf2.21-gpu"]  # asked for by name
