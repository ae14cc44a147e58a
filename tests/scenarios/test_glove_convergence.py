"""The parts of scenarios/glove_convergence that need no TensorFlow, on numbers worked out by hand."""

from __future__ import annotations

import importlib.util
import itertools
import math
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

CODE = Path(__file__).parents[2] / "scenarios" / "glove_convergence" / "variants.py"
E = math.e


@pytest.fixture(scope="module")
def variants() -> ModuleType:
    spec = importlib.util.spec_from_file_location("glove_variants", CODE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _case(folder: Path, vocabulary: int) -> SimpleNamespace:
    np.savez(
        folder / "austen-glove.npz",
        rows=np.array([0, 0, 1, 2], np.int32),
        columns=np.array([0, 2, 1, 0], np.int32),
        values=np.array([5, 4, 3, 2], np.float32),
        vocabulary=np.array(["the", "to", "and"]),
    )
    return SimpleNamespace(data=folder, sizes={"corpus": "austen", "vocabulary": vocabulary})


def test_the_most_frequent_words_are_kept_in_the_order_of_the_file(variants: ModuleType, tmp_path: Path) -> None:
    pairs, counts = variants._rows(_case(tmp_path, 2))
    assert pairs.tolist() == [[0, 0], [1, 1]]
    assert counts.tolist() == [5, 3]
    assert (pairs.dtype, counts.dtype) == (np.int64, np.float32)


def test_a_corpus_smaller_than_the_vocabulary_is_refused(variants: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has 3 words where 4 are asked for"):
        variants._rows(_case(tmp_path, 4))


def test_labels_have_the_rank_that_their_level_claims(variants: ModuleType) -> None:
    counts = np.array([1.0, 2.0, 3.0], np.float32)
    assert variants._labels(counts, "flat").shape == (3,)
    assert variants._labels(counts, "column").tolist() == [[1], [2], [3]]


def test_the_correct_loss_pairs_each_prediction_with_its_own_count(variants: ModuleType, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """With weights (0, 1] and counts e and 100: predictions 0.5 * 1 + 0.25 and 1 * 1 + 0.25, logs 1 and log 100."""
    monkeypatch.setattr(variants, "CHUNK", 1)  # also the seams between chunks
    weights = (np.array([[0.5], [1.0]]), np.array([[0.25], [0.0]]), np.array([[1.0]]), np.array([[0.0]]))
    pairs, counts = np.array([[0, 0], [1, 0]]), np.array([E, 200.0])
    loss, deviation = variants._evaluate(weights, pairs, counts, 0.75, 100)
    first = (E / 100) ** 0.75 * (0.75 - 1) ** 2
    second = 1.0 * (1 - math.log(200)) ** 2  # above x_max the weight is 1
    assert loss == pytest.approx((first + second) / 2, rel=1e-12)
    assert deviation == pytest.approx(0.125, rel=1e-12)


def test_the_correct_loss_of_a_nan_is_a_nan(variants: ModuleType) -> None:
    weights = (np.array([[np.nan]]), np.zeros((1, 1)), np.ones((1, 1)), np.zeros((1, 1)))
    loss, _ = variants._evaluate(weights, np.array([[0, 0]]), np.array([1.0]), 0.75, 100)
    assert math.isnan(loss)


def test_the_published_column_with_shuffling_is_near_a_running_mean(variants: ModuleType) -> None:
    """0.905 0.629 0.514 0.456 0.420 against 0.918 0.634 0.518 0.458 0.421: the first epochs differ most."""
    assert variants._deviation(variants.PUBLISHED_TAPE, variants.PUBLISHED_SHUFFLING) == pytest.approx(0.013, abs=1e-9)
    assert variants._deviation([1, 3, 5], [1, 2, 3]) == 0
    assert variants._deviation([1, 3, 5], [1, 3, 5]) == 2


class _Model:
    """Weights that the test moves by hand."""

    a, x_max, inner_columns = 0.75, 100, 7

    def __init__(self) -> None:
        self.bias = 0.0
        names = ("target_embedding", "target_bias", "context_embedding", "context_bias")
        for name, column in zip(names, ([1.0], [0.0], [0.0], [None]), strict=True):
            setattr(self, name, SimpleNamespace(get_weights=lambda column=column: [self._weight(column)]))

    def _weight(self, column):  # type: ignore[no-untyped-def]
        return np.array([[self.bias if value is None else value for value in column]])


def test_the_clock_stands_still_while_the_correct_loss_is_evaluated(
    variants: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = itertools.count(step=10)
    monkeypatch.setattr(variants, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    model = _Model()
    epochs = variants._Epochs(model, np.array([[0, 0]]), np.array([100.0 * E]))
    real = variants._evaluate

    def slow(*arguments):  # type: ignore[no-untyped-def]
        next(clock)
        return real(*arguments)

    monkeypatch.setattr(variants, "_evaluate", slow)
    epochs.start_clock()
    for bias in (1.0, math.log(100) + 1):
        model.bias = bias
        epochs.end(bias)
    results = epochs.results()
    assert results["epoch_seconds"] == [10, 10]
    assert results["printed_loss"] == [1.0, math.log(100) + 1]
    assert results["initial_loss"] == pytest.approx((math.log(100) + 1) ** 2)
    assert results["correct_loss"] == pytest.approx([math.log(100) ** 2, 0])
    assert (results["inner_columns"], results["finite"]) == (7, 1)


def test_a_loss_that_is_not_finite_is_told(variants: ModuleType) -> None:
    epochs = variants._Epochs(_Model(), np.array([[0, 0]]), np.array([100.0]))
    epochs.end(float("nan"))
    assert epochs.results()["finite"] == 0
