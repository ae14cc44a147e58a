"""What a run makes before its first block, images and data, and the space for it."""

from __future__ import annotations

from typing import NamedTuple

from tf_claims.host.cache import cache_root
from tf_claims.images.build import GROWTH
from tf_claims.images.key import image_key
from tf_claims.images.locks import lock_path, parse_lock
from tf_claims.images.venvs import GROWTH as VENV_GROWTH
from tf_claims.images.wheels import cached_size
from tf_claims.model.dataset import DATA, read_dataset
from tf_claims.model.results import DATA as MADE
from tf_claims.model.stack import Stack

# Seen on two cores: packages of a CPU stack are 250 to 500 MB and its image takes 2 minutes; with CUDA 2,400 MB and 4.
TYPICAL_MB = {"cpu": 400, "cuda": 2400}
TYPICAL_S = {"cpu": 120, "cuda": 240}
WHOLE_IMAGE_MB = 4000  # NVIDIA's image is 7 GB packed and takes 50 GB on its way; packages of 4 GB do as well


class Software(NamedTuple):
    """An image, or a virtual environment, and what making it takes; ``state`` is in words."""

    environment: str
    state: str
    seconds: float = 0
    disk_mb: float = 0
    kept_mb: float = 0


def software_of(environment: str, stack: Stack, engine: str) -> Software:
    """:raises InputError: for a lock that is no lock."""
    folder = cache_root() / ("venvs" if engine == "venv" else "images") / f"{environment}.{image_key(environment)}"
    if (folder / "record.json").exists():
        return Software(environment, "in the cache")
    packages = parse_lock(lock_path(environment).read_text())
    sizes = [cached_size(package, stack.python) for package in packages]
    missing = sizes.count(None)
    known_mb = sum(size or 0 for size in sizes) / 1e6
    packages_mb = known_mb if not missing else max(known_mb, TYPICAL_MB[stack.device])
    what = "a virtual environment" if engine == "venv" else "an image"
    state = f"to be built: {what} of {len(packages)} packages ({missing} to download)"
    if stack.cuda_libraries is not None:
        state += " and CUDA's libraries"
    if not packages:
        state = f"to be built: all of it is {stack.base.image}, to be pulled"
        packages_mb = WHOLE_IMAGE_MB
    disk_mb = packages_mb * (VENV_GROWTH if engine == "venv" else GROWTH)
    return Software(environment, state, TYPICAL_S[stack.device], disk_mb, 1.2 * packages_mb)


class Data(NamedTuple):
    """A data set; ``state`` is in words."""

    name: str
    state: str


def data_of(name: str) -> Data:
    """A data set, or what is counted from one (``austen-glove``)."""
    text, _, counted = name.partition("-")
    dataset = read_dataset(text)
    fetched = (cache_root() / "data" / text / dataset.key).exists()
    if counted and (MADE / f"{name}.npz").exists():
        return Data(name, "made")
    size = f"{dataset.total_bytes / 1e6:,.0f} MB"
    state = "in the cache" if fetched else f"to be fetched ({size}; see {DATA / text}.yaml)"
    return Data(name, state + ("; co-occurrences to be counted" if counted else ""))
