"""Where things lie in the memory of a process: drawn anew for each, since it may cost some per cent either way.

With one layout a variant is fast or slow in every process alike, and no number of blocks shows it: a bias (Mytkowicz,
Diwan, Hauswirth & Sweeney, "Producing Wrong Data Without Doing Anything Obviously Wrong!", ASPLOS 2009). Drawn at
random it is noise, which the intervals cover (Curtsinger & Berger, "STABILIZER", ASPLOS 2013).
"""

import ctypes
import random
from typing import Any, Dict

from runner.seeds import derive

# Bytes: a page of them moves the stack, and as much the heap, past every alignment that a cache or a page knows.
PAGE = 4096
STEP = 16  # of the alignment of malloc
STEPS = 16 * PAGE // STEP  # the heap's offset stays below the 128 KiB from which malloc maps pages of their own
PADDING = "TF_CLAIMS_LAYOUT"


def of(seed: int) -> Dict[str, int]:
    """The layout of one process (bytes): more environment, a longer argument, an allocation before all others."""
    chance = random.Random(derive(seed, "layout"))
    return {
        "environment": chance.randrange(PAGE),
        "argument": chance.randrange(PAGE),
        "heap": STEP * chance.randrange(STEPS),
    }


def in_environment(layout: Dict[str, int]) -> Dict[str, str]:
    """As a variable of the process's environment."""
    return {PADDING: "x" * layout["environment"]}


def in_task(layout: Dict[str, int]) -> Dict[str, Any]:
    """As fields of its task, which is an argument."""
    return {"padding": "x" * layout["argument"], "heap": layout["heap"]}


def shift_heap(size: int) -> None:
    """From inside the process, before anything is imported: move what is allocated later by ``size`` bytes."""
    ctypes.CDLL(None).malloc(ctypes.c_size_t(size))
