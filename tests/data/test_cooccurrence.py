"""Co-occurrence counts against a slow, obvious implementation."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tf_claims.cli import main
from tf_claims.data.cooccurrence import Counts, Weighting, count, words
from tf_claims.model.errors import InputError


def obvious(
    tokens: list[str], window: int, weighting: Weighting, minimum_count: int, size: int | None
) -> tuple[list[str], list[tuple[int, int, float]]]:
    """Vocabulary, and (row, column, count) in the order of a GloVe pipeline."""
    frequencies = Counter(tokens)
    vocabulary = sorted(word for word in frequencies if frequencies[word] >= minimum_count)
    vocabulary.sort(key=lambda word: -frequencies[word])
    vocabulary = vocabulary[:size]
    counts: defaultdict[tuple[int, int], float] = defaultdict(float)
    for place, word in enumerate(tokens):
        for other in range(max(0, place - window), min(len(tokens), place + window + 1)):
            if other != place and word in vocabulary and tokens[other] in vocabulary:
                weight = 1 / abs(other - place) if weighting == "inverse" else 1
                counts[vocabulary.index(word), vocabulary.index(tokens[other])] += weight
    return vocabulary, [(row, column, counts[row, column]) for row, column in sorted(counts)]


def counted(
    text: str, window: int = 2, weighting: Weighting = "inverse", least: int = 1, size: int | None = None
) -> Counts:
    return count(text, window=window, weighting=weighting, minimum_count=least, vocabulary_size=size)


@settings(max_examples=200, deadline=None)
@given(
    tokens=st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=40),
    window=st.integers(1, 7),
    weighting=st.sampled_from(["inverse", "flat"]),
    least=st.integers(1, 3),
    size=st.one_of(st.none(), st.integers(2, 8)),
)
def test_it_equals_the_obvious_implementation(
    tokens: list[str], window: int, weighting: Weighting, least: int, size: int | None
) -> None:
    vocabulary, expected = obvious(tokens, window, weighting, least, size)
    if len(vocabulary) < (size or 2):
        with pytest.raises(InputError, match="are needed"):
            counted(" ".join(tokens), window, weighting, least, size)
        return
    counts = counted(" ".join(tokens), window, weighting, least, size)
    assert counts.vocabulary.tolist() == vocabulary
    assert counts.frequencies.tolist() == [tokens.count(word) for word in vocabulary]
    assert counts.tokens == len(tokens)
    assert list(zip(counts.rows.tolist(), counts.columns.tolist(), strict=True)) == [pair[:2] for pair in expected]
    np.testing.assert_allclose(counts.values, [pair[2] for pair in expected], rtol=1e-6)


def test_a_text_worked_out_by_hand() -> None:
    # the cat the dog: the-cat at distances 1 and 1, the-the at 2 (both ways), the-dog at 1 and 3, cat-dog at 2.
    counts = counted("The cat; the dog.", window=3)
    assert counts.vocabulary.tolist() == ["the", "cat", "dog"]
    assert counts.rows.tolist() == [0, 0, 0, 1, 1, 2, 2]
    assert counts.columns.tolist() == [0, 1, 2, 0, 2, 0, 1]
    np.testing.assert_allclose(counts.values, [1, 2, 4 / 3, 2, 0.5, 4 / 3, 0.5], rtol=1e-6)


def test_rare_words_keep_their_places() -> None:
    counts = counted("a rare b a b", window=1, least=2)
    assert counts.vocabulary.tolist() == ["a", "b"]
    assert counts.values.tolist() == [2, 2]


def test_words_too_far_apart_for_any_pair_give_no_counts() -> None:
    counts = counted("a x b y a z b", window=1, least=2)
    assert counts.vocabulary.tolist() == ["a", "b"]
    assert len(counts.values) == len(counts.rows) == len(counts.columns) == 0


def test_words_are_letters_with_one_apostrophe_between() -> None:
    text = "'Tis DON'T _so_, e'er-1811 o'er't “Café” two--dashes"
    assert list(words(text)) == ["tis", "don't", "so", "e'er", "o'er", "t", "café", "two", "dashes"]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", {}, "the text has 0 words"),
        ("1 2 3 ...", {}, "the text has 0 words"),
        ("one one one", {}, "of which 1 different ones occur 1 times or more, but 2 are needed"),
        ("a b c", {"size": 4}, "of which 3 different ones .* but 4 are needed"),
        ("a b c", {"least": 2}, "of which 0 different ones occur 2 times"),
        ("a b c", {"size": 1}, "--vocabulary-size 1: co-occurrence needs at least 2 words"),
        ("a b c", {"size": 0}, "--vocabulary-size 0"),
        ("a b c", {"window": 0}, "--window and --minimum-count must be 1 or more"),
        ("a b c", {"least": 0}, "--window and --minimum-count must be 1 or more"),
    ],
)
def test_too_little_is_refused(text: str, options: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        counted(text, **options)  # type: ignore[arg-type]


def run(text: Path, output: Path, size: str = "2") -> None:
    options = ["--window", "5", "--weighting", "flat", "--minimum-count", "1", "--vocabulary-size", size]
    main(["count-cooccurrences", "--text", str(text), "--output", str(output), *options])


def test_the_file_has_plain_arrays_only(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("b a a b a c")
    run(tmp_path / "text", tmp_path / "counts.npz")
    first = (tmp_path / "counts.npz").read_bytes()
    (file,) = json.loads((tmp_path / "counts.json").read_text())["files"]
    assert file == {"name": "counts.npz", "bytes": len(first), "sha256": hashlib.sha256(first).hexdigest()}
    with np.load(tmp_path / "counts.npz", allow_pickle=False) as file:
        kinds = {name: file[name].dtype.str for name in file.files}
        assert file["vocabulary"].tolist() == ["a", "b"]
        assert file["values"].tolist() == [6, 6, 6, 2]
        assert (file["weighting"], file["window"], file["tokens"]) == ("flat", 5, 6)
    assert kinds == {
        "rows": "<i4",
        "columns": "<i4",
        "values": "<f4",
        "vocabulary": "<U1",
        "frequencies": "<i8",
        "tokens": "<i8",
        "window": "<i8",
        "weighting": "<U4",
    }
    run(tmp_path / "text", tmp_path / "counts.npz")
    assert (tmp_path / "counts.npz").read_bytes() == first


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "no such file"), (b"\xff\xfe", "not UTF-8"), (b"a", "but 2 are needed")],
)
def test_a_bad_text_is_one_message_and_no_file(
    content: bytes | None,
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    if content is not None:
        (tmp_path / "text").write_bytes(content)
    with pytest.raises(SystemExit) as caught:
        run(tmp_path / "text", tmp_path / "counts.npz")
    assert caught.value.code == 2
    assert f"error: {tmp_path / 'text'}: " in (error := capsys.readouterr().err)
    assert message in error
    assert not (tmp_path / "counts.npz").exists()
