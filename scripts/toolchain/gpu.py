"""Whether a stack can run on this host's devices."""

from __future__ import annotations

import shutil

from model.stack import Stack


def why_not(stack: Stack) -> str | None:
    """Why a stack cannot run here; None where it can."""
    if stack.device == "cpu":
        return None
    if shutil.which("nvidia-smi") is None:
        return "no NVIDIA GPU"
    return "GPU images are not built yet"
