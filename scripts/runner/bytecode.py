"""Compiled modules of one block: the image has none, so the first process that imports a module compiles it for all.

They lie in a folder of the block and go with it: what is imported comes from the image that was checked, and no
process after the first spends seconds on compiling TensorFlow.
"""

import importlib
import os
import sys
from typing import Any


def keep_in(folder: str) -> None:
    """From inside a process, before its imports: read compiled modules from ``folder``, and write them there."""
    sys.dont_write_bytecode = False
    if sys.version_info >= (3, 8):
        sys.pycache_prefix = folder
        return
    external = importlib._bootstrap_external

    def cache_from_source(path: str, debug_override: Any = None, **_: Any) -> str:
        return os.path.join(folder, path.lstrip("/") + "c")

    external.cache_from_source = cache_from_source
