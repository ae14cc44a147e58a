"""That this process is where the rule meant it to be: the marker that only the image has, and the image's checksum."""

import json
from typing import Any, Dict, Optional

from runner.checksum import sha256
from runner.errors import WRONG_PLACE, Refusal

UNREADABLE = "{}: the image cannot be read ({}); bind its folder into the container"


def identify(marker: str, environment: str, record: str, container: bool) -> Dict[str, Optional[str]]:
    """``{"key", "sha256", "lock_sha256", "oci_digest"}`` of the image around this process.

    ``record`` is the file that was written when the image was built; the image lies beside it as ``.sif``, and its
    content is read and compared. A virtual environment (``container`` false) has a marker, but neither sum nor digest.

    :raises Refusal: where the marker is missing or of another image, or the content is not the recorded one.
    """
    found = _read(marker, "this is no image of this project; run the runner through make reproduce")
    wanted = _read(record, "the record of the image is missing; delete the image beside it, and it is built again")
    if wanted["environment"] != environment:
        raise Refusal(
            "{}: is of {} where the plan needs {}".format(record, wanted["environment"], environment), WRONG_PLACE
        )
    for field in ("environment", "key", "lock_sha256"):
        if found.get(field) != wanted[field]:
            message = (
                "{}: {} is {!r} where {} has {!r}: this is the wrong image; delete the record, and it is built again"
            )
            raise Refusal(message.format(marker, field, found.get(field), record, wanted[field]), WRONG_PLACE)
    checksum = _check(record[: -len(".json")] + ".sif", record, wanted["sif_sha256"]) if container else None
    return {
        "key": wanted["key"],
        "sha256": checksum,
        "lock_sha256": wanted["lock_sha256"],
        "oci_digest": wanted.get("oci_digest"),
    }


def _read(path: str, otherwise: str) -> Dict[str, Any]:
    try:
        with open(path) as file:
            content: Dict[str, Any] = json.load(file)
            return content
    except (OSError, ValueError):
        raise Refusal("{}: not found: {}".format(path, otherwise), WRONG_PLACE) from None


def _check(image: str, record: str, wanted: str) -> str:
    found = sha256(image, UNREADABLE)
    if found != wanted:
        message = "{}: the image changed after it was built: sha256 {} where {} has {}; delete both to build it again"
        raise Refusal(message.format(image, found, record, wanted), WRONG_PLACE)
    return wanted
