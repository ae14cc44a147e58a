"""That the data of a block are those that were made: each file's checksum against the record beside it.

On a cluster the node that measures may see other files than the host that fetched them.
"""

import json
import os
from typing import Any, Dict, List

from runner.checksum import sha256
from runner.errors import WRONG_PLACE, Refusal

UNREADABLE = "{}: the data cannot be read here ({}); the cache must be on a file system that all nodes share"


def check(folder: str, names: List[str]) -> None:
    """Compare every file of the data sets ``names`` with ``<folder>/<name>.json``, reading them whole.

    The files lie in ``<folder>/<name>/`` or, where a data set has no folder of its own, in ``folder``.

    :raises Refusal: naming the file that is missing or another.
    """
    for name in names:
        record = os.path.join(folder, "{}.json".format(name))
        own = os.path.join(folder, name)
        for file in _read(record)["files"]:
            path = os.path.join(own if os.path.isdir(own) else folder, file["name"])
            found = sha256(path, UNREADABLE)
            if found != file["sha256"]:
                message = "{}: the data changed: sha256 {} where {} has {}; delete that record and run again"
                raise Refusal(message.format(path, found, record, file["sha256"]), WRONG_PLACE)


def _read(record: str) -> Dict[str, Any]:
    try:
        with open(record) as file:
            content: Dict[str, Any] = json.load(file)
            return content
    except (OSError, ValueError) as error:
        message = "{}: no readable record of the data ({}); delete it and run again"
        raise Refusal(message.format(record, error), WRONG_PLACE) from None
