"""The runner and the GPU: its state from a stand-in ``nvidia-smi``, and a clock that waits for the device."""

import json
import sys
import threading
import time
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from runner import block, gpu, threads, variant
from runner.errors import Refusal
from tf_claims.bench.made_up import block_of
from tf_claims.model.observation import Conditions
from tf_claims.model.plan import plan_text
from tf_claims.model.study import plan_study

SMI = """#!/bin/sh
echo "$@" >> {folder}/asked
case "$2" in
  --query-gpu=*) echo "NVIDIA H200, 550.54.15, 143771, 4, Exclusive_Process, 1980, 1980, [N/A]" ;;
  --query-compute-apps=pid) echo 4711 ;;
esac
"""


@pytest.fixture
def smi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    program = tmp_path / "nvidia-smi"
    program.write_text(SMI.format(folder=tmp_path))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    return tmp_path


def test_the_state_of_the_device_is_a_condition(smi: Path) -> None:
    state = gpu.state()
    assert state == {
        "name": "NVIDIA H200",
        "driver": "550.54.15",
        "memory_mb": 143771.0,
        "memory_used_mb": 4.0,
        "compute_mode": "Exclusive_Process",
        "sm_mhz": 1980.0,
        "max_sm_mhz": 1980.0,
        "memory_mhz": None,
        "other_processes": 1,
    }
    conditions = block_of("tf2.21-cpu", 1)[0]["conditions"]
    decoded = msgspec.json.decode(json.dumps(conditions | {"gpu": state}), type=Conditions)
    assert decoded.gpu is not None and decoded.gpu.other_processes == 1
    assert msgspec.json.decode(json.dumps(conditions), type=Conditions).gpu is None  # lines of an earlier version


def test_the_device_asked_about_is_the_one_that_the_processes_see(smi: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gpu.state()
    assert (smi / "asked").read_text().startswith("--id=0 --query-gpu=name,driver_version")
    assert threads.environment(2, 0, "/home")["CUDA_VISIBLE_DEVICES"] == "0"
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "GPU-1f,GPU-2e")
    assert gpu.chosen() == "GPU-1f"
    assert threads.environment(2, 0, "/home")["CUDA_VISIBLE_DEVICES"] == "GPU-1f"


@pytest.mark.parametrize("program", ["#!/bin/sh\nexit 9\n", "#!/bin/sh\n", None])
def test_without_a_device_there_is_no_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str | None
) -> None:
    if program is not None:
        (tmp_path / "nvidia-smi").write_text(program)
        (tmp_path / "nvidia-smi").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert gpu.state() is None


class Device(threading.Thread):
    """A stand-in for TensorFlow on a GPU: work is queued and done later; fetching a number waits for all of it."""

    def __init__(self, gpus: int = 1, eager: bool = True) -> None:
        super().__init__(daemon=True)
        self.config = SimpleNamespace(
            experimental=SimpleNamespace(list_physical_devices=lambda kind: ["GPU:0"] * gpus if kind == "GPU" else [])
        )
        self.executing_eagerly = lambda: eager
        self.asked_for: list[str] = []

    def run(self) -> None:
        time.sleep(0.3)

    def device(self, name: str) -> nullcontext[None]:
        self.asked_for.append(name)
        return nullcontext()

    def zeros(self, shape: tuple[int, ...]) -> "Device":
        return self

    def __add__(self, other: int) -> "Device":
        return self

    def numpy(self) -> float:
        self.join()
        return 1.0


def phase_over(device: Device, monkeypatch: pytest.MonkeyPatch, driver: Path) -> bool:
    """Whether the device had finished when the clock of a phase stopped."""
    finished: list[bool] = []
    monkeypatch.setitem(sys.modules, "tensorflow", device)
    monkeypatch.setattr(gpu, "DRIVER", str(driver))
    monkeypatch.setattr(variant, "report", lambda task, **event: finished.append(not device.is_alive()))
    with variant._phase({}, "run"):
        device.start()
    return finished == [True]


def test_the_clock_stops_only_after_the_device_has_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device = Device()
    assert phase_over(device, monkeypatch, tmp_path)
    assert device.asked_for == ["/gpu:0"]


def test_a_gpu_environment_without_a_gpu_is_no_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "tensorflow", raising=False)
    gpu.require()  # a NumPy variant needs none
    monkeypatch.setitem(sys.modules, "tensorflow", Device(gpus=1))
    gpu.require()
    monkeypatch.setitem(sys.modules, "tensorflow", Device(gpus=0))
    with pytest.raises(RuntimeError, match="TensorFlow saw no GPU, so this was computed on the CPU"):
        gpu.require()


def test_a_block_of_a_gpu_environment_is_refused_without_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    plan = {"environment": "tf2.21-gpu", "needs_gpu": True, "seed": 1, "variants": []}
    setting = block.Setting(1, 1, [0], "container", "", {}, {}, "/tmp")
    with pytest.raises(Refusal, match=r"tf2.21-gpu: nvidia-smi tells of no GPU here"):
        block.measure(plan, setting)


def test_only_the_plans_of_gpu_environments_need_one() -> None:
    study = plan_study("quick", lambda stack: None, (), ["linear_regression"])
    needing = {cell.environment for cell in study.running if "needs_gpu" in plan_text(study, cell)}
    assert needing == {name for name in study.stacks if "gpu" in name}


@pytest.mark.parametrize(("gpus", "eager", "driver"), [(0, True, "."), (1, False, "."), (1, True, "absent")])
def test_nothing_is_waited_for_where_nothing_can_be_under_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gpus: int, eager: bool, driver: str
) -> None:
    device = Device(gpus, eager)
    assert not phase_over(device, monkeypatch, tmp_path / driver)
    assert device.asked_for == []
