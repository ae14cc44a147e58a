"""The real data sets, fetched from wherever this machine reaches them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tf_claims.data.cooccurrence import count
from tf_claims.data.fetch import fetch
from tf_claims.host.cache import cache_root

pytestmark = pytest.mark.container


@pytest.fixture(autouse=True)
def fresh_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TF_CLAIMS_CACHE", str(tmp_path))


def test_mnist_comes_with_its_labels() -> None:
    record = fetch("mnist")
    labels = (cache_root() / record.folder / "train-labels-idx1-ubyte").read_bytes()
    assert list(labels[8:18]) == [5, 0, 4, 1, 9, 2, 1, 3, 1, 4]


def test_austen_has_the_known_counts() -> None:
    record = fetch("austen")
    text = (cache_root() / record.folder / "austen.txt").read_text()
    counts = count(text, window=5, weighting="inverse", minimum_count=5, vocabulary_size=None)
    assert counts.tokens == 724_859
    assert len(counts.vocabulary) == 5_896
    assert len(counts.values) == 1_341_000
    everything = count(text, window=5, weighting="inverse", minimum_count=1, vocabulary_size=None)
    assert len(everything.vocabulary) == 14_072


def test_the_reference_text_of_the_glove_claims_gives_its_published_numbers() -> None:
    record = fetch("kjv")
    text = (cache_root() / record.folder / "kjv.txt").read_text()
    counts = count(text, window=5, weighting="inverse", minimum_count=2, vocabulary_size=None)
    assert (counts.tokens, len(counts.vocabulary), len(counts.values)) == (789_684, 8_722, 1_080_013)
    weights = np.minimum((counts.values.astype(float) / 100) ** 0.75, 1)
    logs = np.log(counts.values.astype(float))
    constant = (weights * logs).sum() / weights.sum()
    assert (weights * logs**2).mean() == pytest.approx(0.3021, abs=5e-5)  # predicting 0
    assert (weights * (logs - constant) ** 2).mean() == pytest.approx(0.1817, abs=5e-5)  # the best constant
    assert logs.std() == pytest.approx(1.21, abs=5e-3)
