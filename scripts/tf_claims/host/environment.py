"""Variables of a user's environment that would change what the programs of a run do: set aside at the start."""

from __future__ import annotations

import os

SET_ASIDE = ("APPTAINER", "SINGULARITY", "PIP_", "SNAKEMAKE_")
"""Beginnings of names."""
ALONE = ("BASH_ENV", "ENV", "CDPATH", "PYTHONSTARTUP")
KEPT = ("APPTAINER_TMPDIR", "APPTAINER_CONFIGDIR", "PIP_CACHE_DIR", "PIP_CERT", "PIP_PROXY", "PIP_INDEX_URL")
"""Of these the ones that say where things are, and not what is done."""


def set_aside() -> None:
    """Remove from this process, and so from all that it starts, what a user set for other work.

    What is written is for all to read, whatever the umask: an image that is built under another would be another image.
    Binds of Apptainer reach every container, ``PIP_USER`` and ``PIP_TARGET`` send packages elsewhere, a profile of
    Snakemake adds options, and ``BASH_ENV`` runs in every rule.
    """
    os.umask(0o022)
    for name in [*os.environ]:
        if name not in KEPT and (name in ALONE or name.startswith(SET_ASIDE)):
            del os.environ[name]
