"""Sources that fail in every way that sources do: refused, and the next one tried."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.support.web_server import Server, serving

from tf_claims.cli import main
from tf_claims.data.download import Patience
from tf_claims.data.fetch import OWN_HAND, fetch, link
from tf_claims.model.dataset import DataRecord
from tf_claims.model.errors import InputError
from tf_claims.model.files import read_yaml

CONTENT = random.Random(5).randbytes(3000)
SHORT = Patience(window_s=0.4, least_bytes=2000)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as server:
        server.contents["/good.bin"] = CONTENT
        yield server


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TF_CLAIMS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def describe(root: Path, *urls: str) -> Path:
    """A data set of one file with these addresses as its sources."""
    root.mkdir(exist_ok=True)
    described: dict[str, Any] = {
        "title": "A test",
        "licence": "public domain",
        "files": [{"name": "a.bin", "bytes": len(CONTENT), "sha256": hashlib.sha256(CONTENT).hexdigest()}],
        "sources": [{"kind": "web", "files": {"a.bin": url}} for url in urls],
    }
    (root / "sample.yaml").write_text(yaml.safe_dump(described))
    return root


@pytest.mark.parametrize(
    ("manner", "reason"),
    [
        ("flipped", "wrong content: 3,000 bytes with sha256"),
        ("half", "cut short: 1,500 bytes are missing after 1,500"),
        ("half_unsaid", "wrong content: 1,500 bytes"),
        ("page", "a web page instead of the file"),
        ("trickle", "too slow"),
        ("slow_head", "too slow"),
        ("hanging", "too slow"),
        ("endless", "too much for this data set"),
        ("missing", "answered 404"),
    ],
)
def test_a_bad_source_is_refused_and_the_next_one_tried(
    manner: str, reason: str, server: Server, cache: Path, tmp_path: Path
) -> None:
    path = "/missing" if manner == "missing" else f"/{manner}/good.bin"
    root = describe(tmp_path / "config", server.url(path), server.url("/good.bin"))
    record = fetch("sample", root, SHORT)
    assert [refusal.source for refusal in record.refused] == [f"web, {server.url(path)}"]
    assert reason in record.refused[0].reason
    assert record.source == f"web, {server.url('/good.bin')}"
    assert (cache / record.folder / "a.bin").read_bytes() == CONTENT


def test_no_source_gives_one_message_that_names_them_all(server: Server, cache: Path, tmp_path: Path) -> None:
    closed = "http://127.0.0.1:9/a.bin"
    root = describe(tmp_path / "config", closed, server.url("/page/good.bin"), server.url("/flipped/good.bin"))
    with pytest.raises(InputError) as caught:
        fetch("sample", root, SHORT)
    message = str(caught.value)
    assert str(root / "sample.yaml") in message
    assert f"{closed}: not reached: [Errno 111]" in message
    assert "/page/good.bin: answered with a web page" in message
    assert "/flipped/good.bin: a.bin: wrong content" in message
    assert f"put a.bin into {cache}/data/sample/" in message
    assert not list((cache / "tmp").iterdir())
    assert not (cache / "data").exists()


def test_the_cache_is_used_without_a_source(server: Server, cache: Path, tmp_path: Path) -> None:
    root = describe(tmp_path / "config", server.url("/good.bin"))
    first = fetch("sample", root, SHORT)
    server.contents.clear()
    assert fetch("sample", root, SHORT) == first


def test_a_flipped_bit_in_the_cache_is_found_and_fetched_again(server: Server, cache: Path, tmp_path: Path) -> None:
    root = describe(tmp_path / "config", server.url("/good.bin"))
    file = cache / fetch("sample", root, SHORT).folder / "a.bin"
    assert file.stat().st_mode & 0o222 == 0
    file.chmod(0o644)
    file.write_bytes(CONTENT[:-1] + bytes([CONTENT[-1] ^ 1]))
    fetch("sample", root, SHORT)
    assert file.read_bytes() == CONTENT


def test_files_put_there_by_hand_are_taken_when_they_are_right(cache: Path, tmp_path: Path) -> None:
    root = describe(tmp_path / "config", "http://127.0.0.1:9/a.bin")
    with pytest.raises(InputError) as caught:
        fetch("sample", root, SHORT)
    folder = Path(str(caught.value).rsplit(" into ", 1)[1])
    folder.mkdir(parents=True)
    (folder / "a.bin").write_bytes(CONTENT)
    assert fetch("sample", root, SHORT).source == OWN_HAND


def test_the_output_is_a_link_with_a_record_beside_it(server: Server, cache: Path, tmp_path: Path) -> None:
    record = fetch("sample", describe(tmp_path / "config", server.url("/good.bin")), SHORT)
    output = tmp_path / "results" / "data" / "sample"
    output.mkdir(parents=True)  # a workflow may make it
    for _ in range(2):
        link(record, output)
        assert output.is_symlink()
        assert (output / "a.bin").read_bytes() == CONTENT
        assert read_yaml(output.parent / "sample.json", DataRecord) == record


def test_an_output_with_content_is_left_alone(server: Server, cache: Path, tmp_path: Path) -> None:
    record = fetch("sample", describe(tmp_path / "config", server.url("/good.bin")), SHORT)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(InputError, match="in the way"):
        link(record, tmp_path / "mine")
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "years of work"


def test_an_unknown_data_set_is_one_message(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["fetch-data", "cifar", "--output", str(tmp_path / "x")])
    assert caught.value.code == 2
    message = capsys.readouterr().err
    assert "data set 'cifar' is unknown; known: austen, kjv, mnist, text8" in message
