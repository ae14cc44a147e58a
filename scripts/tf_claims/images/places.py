"""Where an environment's software lies in ``results``, and how a block starts Python in it, by engine."""

from __future__ import annotations

from tf_claims.images.key import MARKER
from tf_claims.model.files import Strict


class Place(Strict):
    """``software``: image or virtual environment; ``marker`` and ``python``: as a block sees them."""

    engine: str
    software: str
    record: str
    marker: str
    python: str

    @property
    def image(self) -> str | None:
        """The image that is to be run; None for a virtual environment."""
        return self.software if self.engine == "container" else None


def place_of(engine: str, environment: str, key: str) -> Place:
    """The place of one environment under the engine ``container`` or ``venv``."""
    if engine == "container":
        software, marker, python = f"results/images/{environment}.{key}.sif", f"/etc/{MARKER}", "python3"
    else:
        software = f"results/venvs/{environment}.{key}"
        marker, python = f"{software}/{MARKER}", f"{software}/bin/python3"
    record = software.removesuffix(".sif") + ".json"
    return Place(engine=engine, software=software, record=record, marker=marker, python=python)
