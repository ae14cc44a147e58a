"""Where an environment's software lies in ``results`` and inside a block, by engine."""

from __future__ import annotations

from typing import NamedTuple

from tf_claims.images.key import MARKER


class Place(NamedTuple):
    """``software``: image or virtual environment; ``marker``, ``python`` and ``data``: as a block sees them."""

    software: str
    record: str
    image: str | None
    marker: str
    python: str
    data: str


def place_of(engine: str, environment: str, key: str) -> Place:
    """The place of one environment under the engine ``container`` or ``venv``."""
    if engine == "container":
        image = f"results/images/{environment}.{key}.sif"
        return Place(image, image.removesuffix(".sif") + ".json", image, f"/etc/{MARKER}", "python3", "/data")
    venv = f"results/venvs/{environment}.{key}"
    return Place(venv, f"{venv}.json", None, f"{venv}/{MARKER}", f"{venv}/bin/python3", "results/data")
