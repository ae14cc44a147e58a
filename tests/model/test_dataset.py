"""The descriptions of the data sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from tf_claims.model.dataset import DATA, read_dataset
from tf_claims.model.errors import InputError

SAMPLE = """
title: A test
licence: public domain
files: [{name: a.txt, bytes: 3, sha256: "%s"}]
sources: [{kind: web, files: {%s: "%s"}}]
"""


@pytest.mark.parametrize("path", sorted(DATA.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_description_fits(path: Path) -> None:
    dataset = read_dataset(path.stem)
    assert len({str(source) for source in dataset.sources}) == len(dataset.sources)


def sample(root: Path, sha256: str = "0" * 64, name: str = "a.txt", url: str = "https://host.example/a") -> Path:
    (root / "sample.yaml").write_text(SAMPLE % (sha256, name, url))
    return root


def test_the_key_follows_the_content_and_not_the_source(tmp_path: Path) -> None:
    key = read_dataset("sample", sample(tmp_path)).key
    assert read_dataset("sample", sample(tmp_path, url="https://mirror.example/a")).key == key
    assert read_dataset("sample", sample(tmp_path, sha256="1" * 64)).key != key


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "b.txt"}, "must give exactly the files a.txt"),
        ({"sha256": "12"}, "files.0.sha256"),
        ({"url": "file:///etc/passwd"}, "sources.0.web.files.a.txt"),
        ({"name": "../a.txt"}, "sources.0.web.files"),
    ],
)
def test_a_description_that_does_not_fit_names_the_field(changes: dict[str, str], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_dataset("sample", sample(tmp_path, **changes))
    assert str(tmp_path / "sample.yaml") in str(caught.value)
