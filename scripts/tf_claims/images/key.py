"""The key of an image: what stands for its content before it is built."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from tf_claims.model.errors import InputError

ENVS = Path("envs")
DOCKERFILE = Path("docker/Dockerfile")
AS_IT_IS = Path("docker/as-it-is.Dockerfile")
CUDA_LIBRARIES = Path("docker/cuda-libraries.Dockerfile")
MARKER = "tf-claims.json"


def image_key(env: str, root: Path = ENVS, dockerfile: Path = DOCKERFILE) -> str:
    """Twelve hex digits that change with whatever goes into the image: Dockerfile, lock, base and Python version.

    :raises InputError: where one of the files is missing.
    """
    digest = hashlib.sha256()
    lock = root / env / "requirements.lock"
    # Read without the typed model, which takes longer to import than all else here.
    stack = bytes_of(root / env / "stack.yaml").decode()
    added = [CUDA_LIBRARIES] if re.search(r"^cuda_libraries:", stack, re.MULTILINE) else []
    for path in (dockerfile if b"==" in bytes_of(lock) else AS_IT_IS, lock, *added):
        digest.update(hashlib.sha256(bytes_of(path)).digest())
    for field in re.findall(r"^(?:python|base|cuda_libraries):.*(?:\n[ \t]+.*)*", stack, re.MULTILINE):
        digest.update(field.strip().encode() + b"\0")
    return digest.hexdigest()[:12]


def bytes_of(path: Path) -> bytes:
    """:raises InputError: where there is no such file."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
