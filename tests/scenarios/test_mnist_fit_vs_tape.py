"""The parts of the scenario mnist_fit_vs_tape that need no TensorFlow, and that its claims select what they mean."""

from __future__ import annotations

import importlib.util
import struct
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from tf_claims.model.dataset import read_dataset
from tf_claims.model.scenario import read_scenario
from tf_claims.model.study import plan_study

PATH = Path(__file__).parents[2] / "scenarios" / "mnist_fit_vs_tape" / "variants.py"
ENVIRONMENT = "tf2.0-cpu"


@pytest.fixture(scope="module")
def variants() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mnist_variants", PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write_idx(path: Path, magic: int, array: np.ndarray) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(struct.pack(f">{1 + array.ndim}i", magic, *array.shape) + array.astype(np.uint8).tobytes())
    return path


def test_idx_files_are_read_from_their_start(variants: ModuleType, tmp_path: Path) -> None:
    pixels = np.arange(5 * 28 * 28).reshape(5, 28, 28) % 256
    path = write_idx(tmp_path / "images", 0x803, pixels)
    assert np.array_equal(variants._read_idx(str(path), 0x803, 3), pixels[:3])
    labels = write_idx(tmp_path / "labels", 0x801, np.array([7, 2, 1]))
    assert variants._read_idx(str(labels), 0x801, 3).tolist() == [7, 2, 1]


@pytest.mark.parametrize(
    ("change", "rows", "message"),
    [
        (lambda content: b"<html>" + content, 2, "not an idx file of the expected kind"),
        (lambda content: b"", 2, "not an idx file of the expected kind"),
        (lambda content: content[:-1], 3, "fewer than 3 entries"),
        (lambda content: content, 4, "fewer than 4 entries"),
    ],
)
def test_a_broken_idx_file_is_named(variants: ModuleType, tmp_path: Path, change, rows, message) -> None:
    path = write_idx(tmp_path / "broken", 0x801, np.array([7, 2, 1]))
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(ValueError, match=f"broken: {message}"):
        variants._read_idx(str(path), 0x801, rows)


@pytest.mark.parametrize(("network", "shape"), [("dense", (28, 28)), ("conv", (28, 28, 1)), ("issue28714", (784,))])
def test_images_have_the_shape_that_the_network_wants(
    variants: ModuleType, tmp_path: Path, network: str, shape: tuple[int, ...]
) -> None:
    pixels = np.full((4, 28, 28), 255)
    pixels[1, 0, 1] = 51
    for name in ("train", "t10k"):
        write_idx(tmp_path / "mnist" / f"{name}-images-idx3-ubyte", 0x803, pixels)
        write_idx(tmp_path / "mnist" / f"{name}-labels-idx1-ubyte", 0x801, np.array([1, 2, 3, 4]))
    sizes = {"train_images": 3, "test_images": 2}
    x_train, y_train, x_test, y_test = variants._images(str(tmp_path), sizes, variants.TEXTS[network].image, "float32")
    assert (x_train.shape, x_test.shape, x_train.dtype) == ((3, *shape), (2, *shape), np.float32)
    assert (y_train.tolist(), y_test.tolist()) == ([1, 2, 3], [1, 2])
    assert x_train.reshape(3, -1)[1, :2] == pytest.approx([1.0, 0.2])


def test_the_files_read_are_those_of_the_data_set() -> None:
    code = PATH.read_text()
    for file in read_dataset("mnist").files:
        assert file.name.removeprefix("train").removeprefix("t10k") in code


def test_first_weights_are_keras_defaults_and_follow_from_the_seed(variants: ModuleType) -> None:
    shapes = [(3, 3, 1, 32), (32,), (21632, 128)]
    kernel, bias, dense = variants._first_weights(shapes, 7)
    assert (bias == 0).all()
    assert np.abs(kernel).max() == pytest.approx(np.sqrt(6 / (9 + 9 * 32)), rel=0.02)
    assert np.abs(dense).max() == pytest.approx(np.sqrt(6 / (21632 + 128)), rel=1e-4)
    assert np.array_equal(variants._first_weights(shapes, 7)[2], dense)
    assert not np.array_equal(variants._first_weights(shapes, 8)[2], dense)


def test_running_means_are_undone(variants: ModuleType) -> None:
    epochs = [0.9, 0.3, 0.2, 0.05]
    running = [float(np.mean(epochs[: count + 1])) for count in range(4)]
    assert variants._unmixed(running) == pytest.approx(epochs)
    # The text's own columns: losses of 0.905 and 0.352 print as 0.905 and 0.6285 where a metric is never reset.
    assert variants._unmixed([0.905, 0.6285]) == pytest.approx([0.905, 0.352])


def test_the_deviation_is_that_of_the_worst_epoch_and_methods(variants: ModuleType) -> None:
    assert variants._deviation([[2.0, 1.0], [2.0, 1.0], [2.0, 1.0]]) == 0
    assert variants._deviation([[2.0, 1.0], [2.002, 1.0], [2.0, 0.99]]) == pytest.approx(1 / 0.99 - 1)


@pytest.mark.parametrize("loss", [float("nan"), float("inf")])
def test_a_training_that_diverged_has_no_results(variants: ModuleType, loss: float) -> None:
    with pytest.raises(ArithmeticError, match="the training diverged"):
        variants._results(None, [0.5, loss], [0.5, loss], 0.1, 0.1, [1.0, 1.0], False)


@pytest.mark.parametrize("preset", ["smoke", "quick", "paper"])
def test_every_preset_plans(preset: str) -> None:
    plan_study(preset, lambda stack: None, only_scenarios=["mnist_fit_vs_tape"])


def test_batches_are_whole_where_losses_are_compared_and_gates_cover_what_is_timed() -> None:
    scenario = read_scenario("mnist_fit_vs_tape")
    for preset in ("quick", "paper"):
        timed = scenario.variants(preset, ENVIRONMENT)
        for variant in timed:
            network = variant.levels["network"]
            if network in ("dense", "conv"):
                assert variant.sizes["train_images"] % 32 == 0
            vouching = [gate for gate in scenario.gates if (gate.vouches_for or {}).get("network") == network]
            assert len(vouching) == (network != "all")
        for gate in scenario.gates:
            assert any(gate.where.items() <= variant.levels.items() for variant in timed)
    assert scenario.sizes("paper", {"network": "conv"}, ENVIRONMENT)["train_images"] == 60000


class _Iterator:
    def __init__(self) -> None:
        self.resource = _Slow()

    def __iter__(self) -> _Iterator:
        return self

    def __next__(self) -> int:
        raise StopIteration


class _Slow:
    def __del__(self) -> None:
        time.sleep(0.05)


def _with(iterator: type) -> SimpleNamespace:
    dataset = SimpleNamespace(range=lambda rows: iterator())
    return SimpleNamespace(tf=SimpleNamespace(data=SimpleNamespace(Dataset=dataset)))


def test_the_time_in_which_iterators_are_deleted_is_told_apart(variants: ModuleType) -> None:
    def run() -> dict[str, float]:
        for _ in range(2):
            iterator = _Iterator()
            del iterator
        return {"loss": 0.5}

    start = time.perf_counter()
    results = variants._deletions_apart(_with(_Iterator), run)()
    whole = time.perf_counter() - start
    assert results["loss"] == 0.5
    assert 0.1 <= results["iterator_wall_s"] <= whole
    assert 0 <= results["steps_wall_s"] <= whole - results["iterator_wall_s"]


def test_without_a_deletion_neither_time_is_recorded(variants: ModuleType) -> None:
    class Other(_Iterator):
        pass

    kept = Other()
    assert variants._deletions_apart(_with(lambda: kept), lambda: {"loss": 0.5})() == {"loss": 0.5}


def test_tuning_is_switched_off_where_a_release_has_the_option(variants: ModuleType) -> None:
    for part, options in (
        ("autotune", SimpleNamespace(autotune=SimpleNamespace())),
        ("experimental_optimization", SimpleNamespace(experimental_optimization=SimpleNamespace())),
    ):
        made = variants._untuned(SimpleNamespace(data=SimpleNamespace(Options=lambda options=options: options)))
        assert vars(getattr(made, part)) == {"enabled" if part == "autotune" else "autotune": False}


def test_the_untuned_pipeline_is_measured_for_both_methods_on_one_network() -> None:
    scenario = read_scenario("mnist_fit_vs_tape")
    for preset, environment, wanted in (
        ("quick", "tf2.15-cpu", 2),
        ("quick", "tf2.0-cpu", 0),
        ("paper", "tf2.0-cpu", 2),
        ("smoke", "tf1.15-cpu", 0),
    ):
        untuned = [
            each.levels for each in scenario.variants(preset, environment) if "same_untuned" in each.levels.values()
        ]
        assert len(untuned) == wanted
        assert {each["network"] for each in untuned} <= {"conv"}
