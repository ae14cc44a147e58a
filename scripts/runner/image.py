"""That this process is where the rule meant it to be: the marker that only the image has, and the image's checksum."""

import hashlib
import json
from typing import Dict, Optional

from runner.errors import WRONG_PLACE, Refusal


def identify(
    marker: str, environment: str, key: str, image: Optional[str], sha256: Optional[str]
) -> Dict[str, Optional[str]]:
    """``{"key", "sha256", "lock_sha256"}`` of the image around this process.

    ``image`` is its file (None for a virtual environment), ``sha256`` what its content must have, if known.

    :raises Refusal: where the marker is missing or of another image, or the content is not the recorded one.
    """
    try:
        with open(marker) as file:
            found = json.load(file)
    except (OSError, ValueError):
        message = "{}: not found: this is no image of this project; run the runner through make reproduce"
        raise Refusal(message.format(marker), WRONG_PLACE) from None
    for field, wanted in (("environment", environment), ("key", key)):
        if found.get(field) != wanted:
            message = "{}: {} is {!r} where the plan needs {!r}: this is the wrong image; build it with make images"
            raise Refusal(message.format(marker, field, found.get(field), wanted), WRONG_PLACE)
    content = None if image is None else _sha256(image)
    if sha256 is not None and content != sha256:
        message = "{}: its content has sha256 {} where {} was recorded; delete the file, and it is built again"
        raise Refusal(message.format(image, content, sha256), WRONG_PLACE)
    return {"key": key, "sha256": content, "lock_sha256": found["lock_sha256"]}


def _sha256(path: str) -> str:
    digest = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            for chunk in iter(lambda: file.read(1 << 20), b""):
                digest.update(chunk)
    except OSError as error:
        message = "{}: the image cannot be read ({}); bind its folder into the container"
        raise Refusal(message.format(path, error.strerror), WRONG_PLACE) from None
    return digest.hexdigest()
