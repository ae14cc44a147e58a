"""What a run asks of a host, refused in one message before anything is built."""

from __future__ import annotations

import math
import os
import re
from pathlib import Path

from tf_claims.host.cache import cache_root
from tf_claims.host.cpus import cpu_quota
from tf_claims.model.errors import InputError

# Builders, Apptainer and the first line of scripts read one of these as something else than a part of a name.
STRANGE = re.compile(r"""[\s'"`$\\,:;&|<>()*?\[\]{}!#]""")


def require_places() -> None:
    """That the folders to work in can be named to every program, and are there.

    :raises InputError: naming the folder and what is wrong with it.
    """
    for what, path, fix in (
        ("the checkout", Path.cwd(), "move it"),
        ("the cache", cache_root(), "set TF_CLAIMS_CACHE"),
    ):
        if found := STRANGE.search(str(path)):
            raise InputError(f"{path}: {found[0]!r} in the path of {what}; {fix} to a plainer place")
    if (temporary := os.environ.get("TMPDIR")) and not Path(temporary).is_dir():
        raise InputError(f"{temporary}: TMPDIR names it, but it is no folder; make it, or unset TMPDIR")


def require_cpus(threads: int) -> None:
    """That a measured process gets the CPUs of its preset; fewer would answer another question, and silently.

    :raises InputError: naming how many there are.
    """
    allowed = len(os.sched_getaffinity(0))
    quota = cpu_quota()
    if min(allowed, quota) < threads:
        limited = f" and a quota of {quota:g}" if math.isfinite(quota) else ""
        raise InputError(
            f"the preset measures with {threads} CPUs, but this process may use {allowed}{limited}; "
            "run it without taskset, in a job with more CPUs, or in a container with a larger quota"
        )
