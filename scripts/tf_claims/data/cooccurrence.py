"""``tf-claims count-cooccurrences``: the co-occurrence counts that GloVe learns from, out of a text.

The counts of Pennington, Socher and Manning (GloVe, 2014): the window is symmetric, and a pair at distance d weighs 1/d
(``inverse``) or 1 (``flat``). The whole text is one document: its lines are typography, not context. Words outside the
vocabulary keep their places, so that distances are the text's own (GloVe's C tools close the gap instead).

``--window 5 --weighting inverse --minimum-count 2`` on the data set ``kjv`` gives the 1,080,013 co-occurrences that the
reference values of the GloVe claims were measured on.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tf_claims.host.cache import file_sha256
from tf_claims.host.commands import say
from tf_claims.model.errors import InputError
from tf_claims.model.files import write_whole

Weighting = Literal["inverse", "flat"]
WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
"""A word: letters, with at most one apostrophe between letters, so that ``don't`` is one and quotes are none."""
LEAST_VOCABULARY = 2


@dataclass(frozen=True)
class Counts:
    """Counts of P pairs over V words, in the order of a GloVe pipeline: by row, then by column, both frequent first.

    ``rows`` and ``columns`` (P, int32) are ranks in ``vocabulary`` (V, text), which is sorted by falling frequency
    (then alphabetically) with the words' ``frequencies`` (V, int64); ``values`` (P, float32) are the weighted counts.
    ``tokens`` counts the words of the text, those outside the vocabulary included.
    """

    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    values: NDArray[np.float32]
    vocabulary: NDArray[np.str_]
    frequencies: NDArray[np.int64]
    tokens: int


def words(text: str) -> Iterator[str]:
    """The words of a text in lower case, in order: runs of letters as :data:`WORD` says, nothing else."""
    return (match.group() for match in WORD.finditer(text.lower()))


def count(
    text: str,
    *,
    window: int,
    weighting: Weighting,
    minimum_count: int,
    vocabulary_size: int | None,
) -> Counts:
    """Count the co-occurrences in ``text``.

    :param window: words on each side of a word that are its context.
    :param minimum_count: how often a word must occur to be in the vocabulary.
    :param vocabulary_size: only so many of those words, the most frequent; all of them for ``None``.
    :raises InputError: where a parameter makes no sense or the text has too few words for it.
    """
    if window < 1 or minimum_count < 1:
        raise InputError("--window and --minimum-count must be 1 or more")
    if vocabulary_size is not None and vocabulary_size < LEAST_VOCABULARY:
        raise InputError(f"--vocabulary-size {vocabulary_size}: co-occurrence needs at least {LEAST_VOCABULARY} words")
    tokens, found = _numbered(text)
    frequencies = np.bincount(tokens, minlength=len(found)).astype(np.int64)
    order = np.lexsort((found, -frequencies))
    order = order[frequencies[order] >= minimum_count]
    wanted = vocabulary_size or LEAST_VOCABULARY
    if len(order) < wanted:
        raise InputError(
            f"the text has {len(tokens):,} words, of which {len(order):,} different ones occur {minimum_count} times "
            f"or more, but {wanted:,} are needed; lower --vocabulary-size or --minimum-count, or take a longer text"
        )
    order = order[:vocabulary_size]
    rank = np.full(len(found), -1, np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    ranks = rank[tokens]
    matrix = _matrix(ranks, len(order), window, weighting)
    return Counts(
        rows=np.repeat(np.arange(len(order), dtype=np.int32), np.diff(matrix.indptr)),
        columns=matrix.indices.astype(np.int32),
        values=matrix.data.astype(np.float32),
        vocabulary=found[order],
        frequencies=frequencies[order],
        tokens=len(tokens),
    )


def _numbered(text: str) -> tuple[NDArray[np.int32], NDArray[np.str_]]:
    """Each word of the text as a number, and the different words by that number."""
    numbers: defaultdict[str, int] = defaultdict(lambda: len(numbers))
    tokens = np.fromiter((numbers[word] for word in words(text)), np.int32)
    return tokens, np.array(list(numbers), dtype=np.str_)


def _matrix(ranks: NDArray[np.int32], size: int, window: int, weighting: Weighting) -> sparse.csr_array:
    """The symmetric matrix of weighted counts, its entries sorted by row and column; rank -1 is no word."""
    total = sparse.csr_array((size, size), dtype=np.float64)
    for distance in range(1, min(window, len(ranks) - 1) + 1):
        left, right = ranks[:-distance], ranks[distance:]
        known = (left >= 0) & (right >= 0)
        left, right = left[known], right[known]
        # One triangle is enough until the end: it halves the memory.
        pairs = (np.minimum(left, right), np.maximum(left, right))
        once = sparse.coo_array((np.ones(len(left), np.int32), pairs), shape=(size, size)).tocsr()
        total = total + once / (distance if weighting == "inverse" else 1)
    both = (total + total.T).tocsr()
    both.sort_indices()
    return both


def save(counts: Counts, output: Path, *, window: int, weighting: Weighting) -> None:
    """Write the counts and what they were made with as an npz of plain arrays, whole or not at all.

    It is read by NumPy 1.18 and later with ``allow_pickle=False``.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=output.parent, prefix=f".{output.name}.")
    with os.fdopen(handle, "wb") as file:
        np.savez(file, **vars(counts), window=window, weighting=weighting)
    Path(name).chmod(0o644)
    Path(name).replace(output)


def write_record(output: Path) -> None:
    """Write the checksum of ``output`` beside it, as ``.json``: a block compares what it finds with it."""
    file = {"name": output.name, "bytes": output.stat().st_size, "sha256": file_sha256(output)}
    record = {"name": output.stem, "files": [file]}
    write_whole(output.with_suffix(".json"), json.dumps(record, indent=1) + "\n")


def read_text(path: Path) -> str:
    """The text at ``path``.

    :raises InputError: where there is none, or it is not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text: {error}") from None


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--text", type=Path, required=True, help="UTF-8 text; words are letters and apostrophes")
    parser.add_argument("--output", type=Path, required=True, help="the npz to write, and its checksum as .json")
    parser.add_argument("--window", type=int, required=True, help="words on each side")
    parser.add_argument("--weighting", choices=get_args(Weighting), required=True, help="inverse: 1/distance; flat: 1")
    parser.add_argument("--minimum-count", type=int, required=True, help="rarer words are dropped")
    parser.add_argument("--vocabulary-size", type=int, help="only the most frequent words; all where not given")


def execute(options: argparse.Namespace) -> None:
    """Count, and write the counts and their checksum.

    :raises InputError: for a text that cannot be read or has too few words.
    """
    try:
        counts = count(
            read_text(options.text),
            window=options.window,
            weighting=options.weighting,
            minimum_count=options.minimum_count,
            vocabulary_size=options.vocabulary_size,
        )
    except InputError as error:
        raise InputError(f"{options.text}: {error}") from None
    save(counts, options.output, window=options.window, weighting=options.weighting)
    write_record(options.output)
    say(
        f"{options.output}: {len(counts.values):,} co-occurrences of {len(counts.vocabulary):,} words "
        f"in a text of {counts.tokens:,}"
    )
