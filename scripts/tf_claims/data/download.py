"""One file from one address; hopeless answers are given up early."""

from __future__ import annotations

import errno
import http.client
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from tf_claims.data.alarm import SourceFailed, alarm

CHUNK = 1 << 16
LOCAL_TROUBLE = (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS)
"""What goes wrong on this machine is no fault of the source."""


@dataclass(frozen=True)
class Patience:
    """An answer must bring ``least_bytes`` in every ``window_s`` seconds, connecting included."""

    window_s: float = 20
    least_bytes: int = 500_000


PATIENCE = Patience()


def download(url: str, into: Path, limit: int, patience: Patience = PATIENCE) -> None:
    """The content at ``url`` as the file ``into``.

    :param limit: size in bytes beyond which the answer cannot be right.
    :raises SourceFailed: for an error, a slow, cut or endless answer, or a web page.
    """
    received = counted = 0

    def keep_up() -> None:
        nonlocal counted
        if received - counted < patience.least_bytes:
            raise SourceFailed(f"too slow: {received - counted:,} bytes in {patience.window_s:g} s")
        counted = received

    request = urllib.request.Request(url, headers={"User-Agent": "tf-claims"})
    try:
        with (
            into.open("wb") as file,
            alarm(patience.window_s, keep_up),
            urllib.request.urlopen(request, timeout=patience.window_s) as answer,
        ):
            if answer.headers.get_content_type() == "text/html":
                raise SourceFailed("answered with a web page instead of the file")
            while chunk := answer.read1(CHUNK):
                received += file.write(chunk)
                if received > limit:
                    raise SourceFailed(f"more than {limit:,} bytes, which is too much for this data set")
            if answer.length:
                raise SourceFailed(f"cut short: {answer.length:,} bytes are missing after {received:,}")
    except urllib.error.HTTPError as error:
        raise SourceFailed(f"answered {error.code} {error.reason}") from None
    except urllib.error.URLError as error:
        raise SourceFailed(f"not reached: {error.reason}") from None
    except http.client.HTTPException as error:
        raise SourceFailed(f"broken answer: {error!r}") from None
    except OSError as error:
        if error.errno in LOCAL_TROUBLE:
            raise
        raise SourceFailed(f"the connection broke off: {error}") from None
