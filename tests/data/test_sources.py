"""Every kind of source gives the same files, and a broken one says why it does not."""

from __future__ import annotations

import gzip
import hashlib
import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rdata
import yaml
from tests.support.web_server import Server, serving

from tf_claims.data.alarm import SourceFailed
from tf_claims.data.download import Patience
from tf_claims.data.fetch import fetch
from tf_claims.data.rtext import from_database, from_rda, joined
from tf_claims.data.sources import _unpack_package
from tf_claims.host import debian
from tf_claims.model.errors import InputError

LABELS = np.array([3, 1, 4, 1, 5], np.uint8)
IMAGES = np.arange(24, dtype=np.uint8).reshape(4, 3, 2)
LABELS_IDX = bytes([0, 0, 8, 1, 0, 0, 0, 5, 3, 1, 4, 1, 5])
IMAGES_IDX = bytes([0, 0, 8, 3, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 2, *range(24)])
FILES = {"labels": LABELS_IDX, "images": IMAGES_IDX}


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("TF_CLAIMS_CACHE", str(tmp_path / "cache"))
    with serving() as server:
        yield server


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def got(tmp_path: Path, source: dict[str, Any], files: dict[str, bytes] = FILES) -> dict[str, bytes]:
    """The files that a data set with this one source is fetched as."""
    described = {
        "title": "A test",
        "licence": "public domain",
        "files": [{"name": name, "bytes": len(it), "sha256": sha256(it)} for name, it in files.items()],
        "sources": [source],
    }
    (tmp_path / "sample.yaml").write_text(yaml.safe_dump(described))
    folder = tmp_path / "cache" / fetch("sample", tmp_path, Patience(window_s=5, least_bytes=1)).folder
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def zipped(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def npz(**arrays: Any) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def test_gzip(server: Server, tmp_path: Path) -> None:
    for name, content in FILES.items():
        server.contents[f"/{name}.gz"] = gzip.compress(content)
    urls = {name: server.url(f"/{name}.gz") for name in FILES}
    assert got(tmp_path, {"kind": "web", "unpack": "gzip", "files": urls}) == FILES


@pytest.mark.parametrize("broken", [b"no gzip", gzip.compress(IMAGES_IDX)[:-9], gzip.compress(IMAGES_IDX + b"more")])
def test_a_broken_gzip_file_is_refused(broken: bytes, server: Server, tmp_path: Path) -> None:
    server.contents["/x"] = broken
    with pytest.raises(InputError, match=r"not a whole gzip file|wrong content"):
        got(
            tmp_path,
            {"kind": "web", "unpack": "gzip", "files": {"images": server.url("/x")}},
            {"images": IMAGES_IDX},
        )


def test_zip(server: Server, tmp_path: Path) -> None:
    server.contents["/a.zip"] = archive = zipped({f"folder/{name}": it for name, it in FILES.items()})
    members = {name: f"folder/{name}" for name in FILES}
    url = server.url("/a.zip")
    assert got(tmp_path, {"kind": "zip", "url": url, "sha256": sha256(archive), "files": members}) == FILES


def test_npz_becomes_idx(server: Server, tmp_path: Path) -> None:
    server.contents["/a.npz"] = archive = npz(y=LABELS, x=IMAGES)
    arrays = {"labels": "y", "images": "x"}
    url = server.url("/a.npz")
    assert got(tmp_path, {"kind": "npz", "url": url, "sha256": sha256(archive), "files": arrays}) == FILES


@pytest.mark.parametrize(
    ("archive", "reason"),
    [
        (npz(y=LABELS), "no array x"),
        (npz(x=IMAGES.astype(np.float32)), "type float32 instead of uint8"),
        (npz(x=np.array([{"code": 1}])), "no array x"),  # an object would have to be unpickled
        (b"PK\x03\x04 not really", "no array x"),
    ],
)
def test_an_npz_without_the_array_is_refused(archive: bytes, reason: str, server: Server, tmp_path: Path) -> None:
    server.contents["/a.npz"] = archive
    source = {"kind": "npz", "url": server.url("/a.npz"), "sha256": sha256(archive), "files": {"images": "x"}}
    with pytest.raises(InputError, match=reason):
        got(tmp_path, source, {"images": IMAGES_IDX})


def test_an_archive_of_another_content_is_not_opened(server: Server, tmp_path: Path) -> None:
    server.contents["/a.zip"] = zipped(FILES)
    source = {"kind": "zip", "url": server.url("/a.zip"), "sha256": "0" * 64, "files": {name: name for name in FILES}}
    with pytest.raises(InputError, match=r"wrong content.* instead of 000"):
        got(tmp_path, source)


def test_a_wheel_is_read_from_the_configured_index(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = zipped({f"odd/layout/{name}": it for name, it in FILES.items()})
    server.contents["/simple/some-digits/"] = (
        b'<a href="../../some_digits-0.2-py3-none-any.whl">some_digits-0.2-py3-none-any.whl</a>'
    )
    server.contents["/some_digits-0.2-py3-none-any.whl"] = wheel
    monkeypatch.setenv("PIP_INDEX_URL", server.url("/simple/"))
    source = {
        "kind": "wheel",
        "package": "some-digits",
        "version": "0.2",
        "sha256": sha256(wheel),
        "files": {name: f"odd/layout/{name}" for name in FILES},
    }
    assert got(tmp_path, source) == FILES
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("TF_CLAIMS_CACHE", str(tmp_path / "empty"))
    with pytest.raises(InputError, match="does not have it"):
        got(tmp_path, {**source, "version": "0.3"})


def test_rda_files_are_joined_in_their_order(server: Server, tmp_path: Path) -> None:
    for name, lines in {"b": ["Two", "", "lines’ end"], "a": ["Other"]}.items():
        rdata.write_rda(tmp_path / f"{name}.rda", {name: np.array(lines)})
        server.contents[f"/{name}.rda"] = (tmp_path / f"{name}.rda").read_bytes()
    text = "Two\n\nlines’ end\nOther\n".encode()
    urls = [server.url("/b.rda"), server.url("/a.rda")]
    assert got(tmp_path, {"kind": "rda", "files": {"text": urls}}, {"text": text}) == {"text": text}


def serialised(value: Any, scratch: Path) -> bytes:
    rdata.write_rds(scratch, value)
    return gzip.decompress(scratch.read_bytes())


def test_the_texts_of_an_r_database_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    blobs, places = b"", {}
    for name, lines in {"persuasion": ["PERSUASION", "Sir Walter Elliot"], "emma": ["EMMA", ""]}.items():
        plain = serialised(np.array(lines), tmp_path / "rds")
        blob = len(plain).to_bytes(4, "big") + zlib.compress(plain)
        places[name] = np.array([len(blobs), len(blob)], np.int32)
        blobs += blob
    index = serialised({"variables": places, "compressed": np.array([True])}, tmp_path / "rds")
    (tmp_path / "R.rdx").write_bytes(zlib.compress(index))
    (tmp_path / "R.rdb").write_bytes(blobs)
    assert joined(from_database(tmp_path / "R")) == b"EMMA\n\nPERSUASION\nSir Walter Elliot\n"

    (tmp_path / "R.rdb").write_bytes(blobs[:-10])
    with pytest.raises(SourceFailed, match="no R data base R"):
        from_database(tmp_path / "R")


def test_what_is_no_r_data_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.rda").write_bytes(b"<html>")
    with pytest.raises(SourceFailed, match="R's serialisation"):
        from_rda(tmp_path / "x.rda")


def test_a_host_that_is_no_debian_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debian, "host_release", lambda: None)
    with pytest.raises(SourceFailed, match="no Debian"):
        _unpack_package("r-cran-janeaustenr", tmp_path)
