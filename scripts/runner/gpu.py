"""The GPU of a block: which it is, who else uses it, and waiting until it has finished.

There is one in a container that was started for GPU environments (``--nv``), which then has ``nvidia-smi`` too.
"""

import os
import subprocess
import sys
from typing import Any, Dict, List, Optional

DRIVER = "/proc/driver/nvidia/version"
DEVICE = "0"  # a process sees one GPU, the host's first unless the caller chose another
FIELDS = {
    "name": "name",
    "driver": "driver_version",
    "memory_mb": "memory.total",
    "memory_used_mb": "memory.used",
    "compute_mode": "compute_mode",
    "sm_mhz": "clocks.sm",
    "max_sm_mhz": "clocks.max.sm",
    "memory_mhz": "clocks.mem",
}
TEXTS = ("name", "driver", "compute_mode")
ANSWER_S = 60


def chosen() -> str:
    """The device that the block's processes see, in NVIDIA's words: a number or a UUID."""
    return os.environ.get("CUDA_VISIBLE_DEVICES", DEVICE).split(",")[0]


def state() -> Optional[Dict[str, Any]]:
    """The device as it is now; None where there is none. What the driver does not tell is None."""
    answer = _ask("--query-gpu=" + ",".join(FIELDS.values()))
    if not answer:
        return None
    told = dict(zip(FIELDS, (text.strip() for text in answer[0].split(","))))
    found = {name: text if name in TEXTS else _number(text) for name, text in told.items()}
    return dict(found, other_processes=len(_ask("--query-compute-apps=pid") or []))


def require() -> None:
    """See that TensorFlow, where it is loaded, had a GPU: it says nothing when a library is missing, and uses the CPU.

    :raises RuntimeError: where it had none.
    """
    tensorflow = sys.modules.get("tensorflow")
    if tensorflow is not None and not tensorflow.config.experimental.list_physical_devices("GPU"):
        raise RuntimeError("TensorFlow saw no GPU, so this was computed on the CPU; a library of CUDA may be missing")


def finish() -> None:
    """Return only when the GPU has done what this process asked of it; at once where it was asked nothing.

    What is computed eagerly runs on one stream, so a number computed now and fetched comes after all else. A session
    waits by itself before it returns.
    """
    tensorflow = sys.modules.get("tensorflow")
    if tensorflow is None or not os.path.exists(DRIVER) or not tensorflow.executing_eagerly():
        return
    if tensorflow.config.experimental.list_physical_devices("GPU"):
        with tensorflow.device("/gpu:0"):
            (tensorflow.zeros(()) + 1).numpy()


def _ask(query: str) -> Optional[List[str]]:
    command = ["nvidia-smi", "--id=" + chosen(), query, "--format=csv,noheader,nounits"]
    try:
        answer = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=ANSWER_S, universal_newlines=True
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return [line for line in answer.stdout.splitlines() if line.strip()] if answer.returncode == 0 else None


def _number(text: str) -> Optional[float]:
    try:
        return float(text)
    except ValueError:  # [N/A]
        return None
