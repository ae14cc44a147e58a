"""The checksum of a file, read whole: on a cluster a node may see another one than the host that made it."""

import hashlib

from runner.errors import WRONG_PLACE, Refusal


def sha256(path: str, unreadable: str) -> str:
    """The sha256 of the file at ``path``.

    :param unreadable: what to say where it cannot be read, with ``{}`` for the path and for the reason

    :raises Refusal: where it cannot be read.
    """
    digest = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            for chunk in iter(lambda: file.read(1 << 20), b""):
                digest.update(chunk)
    except OSError as error:
        raise Refusal(unreadable.format(path, error.strerror), WRONG_PLACE) from None
    return digest.hexdigest()
