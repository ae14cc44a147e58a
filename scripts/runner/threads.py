"""The CPUs and threads of a measured process: set, passed on, and read back from the libraries that it loaded."""

import ctypes
import os
import sys
from typing import Any, Dict, List, Optional

from runner import gpu
from runner.errors import WRONG_PLACE, Refusal

# What a process needs to start at all; anything else in the caller's environment could change what is measured.
SIBLINGS = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"
KEPT = ("PATH", "LANG", "TMPDIR", "LD_LIBRARY_PATH")
BLAS_READERS = (
    "openblas_get_num_threads",
    "openblas_get_num_threads64_",
    "scipy_openblas_get_num_threads",
    "scipy_openblas_get_num_threads64_",
)


def pin(threads: int) -> List[int]:
    """Pin this process, and those it starts, to the first ``threads`` CPUs that it may use, each of another core.

    Two hardware threads of one core share its units: only where there are too few cores both of one are taken.

    :raises Refusal: where it may not use that many.
    """
    allowed = sorted(sorted(os.sched_getaffinity(0)), key=_place_in_core)
    if threads > len(allowed):
        message = "{} threads are asked for, but only {} CPUs may be used here; lower threads in the preset's file"
        raise Refusal(message.format(threads, len(allowed)), WRONG_PLACE)
    chosen = sorted(allowed[:threads])
    os.sched_setaffinity(0, chosen)
    return chosen


def _place_in_core(cpu: int) -> int:
    """0 for the first hardware thread of a core, 1 for its second; 0 where the host does not tell."""
    try:
        with open(SIBLINGS.format(cpu)) as file:
            text = file.read()
        return sum(other < cpu for other in _listed(text))
    except (OSError, ValueError):
        return 0


def _listed(text: str) -> List[int]:
    """The numbers in ``0-1,8``."""
    ends = [part.split("-") for part in text.strip().split(",")]
    return [number for end in ends for number in range(int(end[0]), int(end[-1]) + 1)]


def environment(threads: int, seed: int, home: str) -> Dict[str, str]:
    """The environment variables of a measured process; what it keeps in its home is gone after the block."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    count = str(threads)
    return dict(
        kept,
        HOME=home,
        CUDA_VISIBLE_DEVICES=gpu.chosen(),
        CUDA_DEVICE_ORDER="PCI_BUS_ID",  # as nvidia-smi numbers them
        OMP_NUM_THREADS=count,
        OPENBLAS_NUM_THREADS=count,
        MKL_NUM_THREADS=count,
        TF_CPP_MIN_LOG_LEVEL="2",
        PYTHONHASHSEED=str(seed),
    )


def read_back(asked: int) -> Dict[str, Any]:
    """What this process, NumPy's BLAS and TensorFlow really use; None where not loaded, 0 where it decides itself."""
    intra = inter = None
    tensorflow = sys.modules.get("tensorflow")
    if tensorflow is not None:
        intra = tensorflow.config.threading.get_intra_op_parallelism_threads()
        inter = tensorflow.config.threading.get_inter_op_parallelism_threads()
    return {
        "asked": asked,
        "affinity": sorted(os.sched_getaffinity(0)),
        "blas": _blas_threads(),
        "tf_intra_op": intra,
        "tf_inter_op": inter,
    }


def mismatch(threads: Dict[str, Any], affinity: List[int]) -> Optional[str]:
    """Why what was read back is not what was asked for; None where it is. A default of 0 follows the affinity."""
    if threads["affinity"] != affinity:
        return "ran on CPUs {} where {} were asked for".format(threads["affinity"], affinity)
    for library in ("blas", "tf_intra_op", "tf_inter_op"):
        if threads[library] not in (None, 0, threads["asked"]):
            return "{} used {} threads where {} were asked for".format(library, threads[library], threads["asked"])
    return None


def _blas_threads() -> Optional[int]:
    """Threads of the OpenBLAS that NumPy brought; None where there is none."""
    with open("/proc/self/maps") as lines:
        libraries = {line.split()[-1] for line in lines if "openblas" in line}
    for library in sorted(libraries, key=lambda path: "numpy" not in path):
        handle = ctypes.CDLL(library)
        for reader in BLAS_READERS:
            if hasattr(handle, reader):
                return int(getattr(handle, reader)())
    return None
