"""The known answers of the scenario linear_regression, without TensorFlow."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

PATH = Path(__file__).parents[2] / "scenarios" / "linear_regression" / "variants.py"


@pytest.fixture(scope="module")
def variants() -> ModuleType:
    spec = importlib.util.spec_from_file_location("linear_regression_variants", PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def case(n: int = 1000, inputs: str = "raw", iterations: int = 100, rate: float = 1e-4) -> SimpleNamespace:
    levels = {"n": n, "inputs": inputs, "device": "cpu"}
    return SimpleNamespace(levels=levels, sizes={"iterations": iterations, "rate": rate})


def results(variants: ModuleType, name: str, its_case: SimpleNamespace) -> dict[str, float]:
    first_step, run = getattr(variants, name)(its_case)
    first_step()
    return run()


@pytest.mark.parametrize(
    ("iterations", "W", "b", "loss"),
    [(10_000, 1.152435, 7.996363, 214.13473), (100_000, 0.970214, 20.137400, 176.40392)],
)
def test_exact_descent_has_the_published_answers(
    variants: ModuleType, iterations: int, W: float, b: float, loss: float
) -> None:
    data = variants._data(case())
    found = variants._descended(data.x, data.y, 1e-4, iterations)
    assert found == pytest.approx([W, b], abs=6e-7)
    assert np.mean((data.y - found[0] * data.x - found[1]) ** 2) == pytest.approx(loss, abs=6e-6)


def test_the_optimum_is_that_of_least_squares(variants: ModuleType) -> None:
    data = variants._data(case())
    assert variants._optimum(data.x, data.y) == pytest.approx([0.968180, 20.272985], abs=6e-7)
    assert variants._optimum(data.x, data.y) == pytest.approx(np.polyfit(data.x, data.y, 1), rel=1e-12)


@pytest.mark.parametrize("inputs", ["raw", "standardised"])
@pytest.mark.parametrize("n", [100, 1000, 10_000])
@pytest.mark.parametrize("iterations", [1, 7, 300])
def test_exact_descent_is_what_step_by_step_gives(variants: ModuleType, n: int, inputs: str, iterations: int) -> None:
    rate = 1e-4 if inputs == "raw" else 0.1
    data = variants._data(case(n, inputs))
    W = b = 0.0
    for _ in range(iterations):
        error = W * data.x + b - data.y
        W, b = W - rate * 2 * np.mean(error * data.x), b - rate * 2 * np.mean(error)
    assert variants._descended(data.x, data.y, rate, iterations) == pytest.approx([W, b], rel=1e-9)


@pytest.mark.parametrize("n", [100, 1000, 10_000, 100_000, 1_000_000])
def test_there_are_exactly_n_points_below_100(variants: ModuleType, n: int) -> None:
    data = variants._data(case(n))
    assert data.x.shape == data.y.shape == (n,)
    assert data.x[0] == 0
    assert data.x[-1] == pytest.approx(100 - 100 / n)


def test_numpy_gives_the_known_answer(variants: ModuleType) -> None:
    found = results(variants, "numpy", case(iterations=10_000))
    assert found["parameter_error"] < 1e-9
    assert found["loss"] == pytest.approx(214.13473, abs=6e-6)
    assert (found["W_unscaled"], found["b_unscaled"]) == (found["W"], found["b"])


def test_a_wrong_answer_has_a_parameter_error(variants: ModuleType) -> None:
    data = variants._data(case())
    W, b = variants._descended(data.x, data.y, 1e-4, 100)
    assert variants._results(case(), data, W, b * 1.01, 0.0)["parameter_error"] == pytest.approx(0.01)
    assert variants._results(case(), data, W * 0.98, b, 0.0)["parameter_error"] == pytest.approx(0.02)


def test_unscaling_recovers_the_original_solution(variants: ModuleType) -> None:
    found = results(variants, "numpy", case(inputs="standardised", iterations=200, rate=0.1))
    assert found["W_unscaled"] == pytest.approx(0.968180, abs=6e-7)
    assert found["b_unscaled"] == pytest.approx(20.272985, abs=6e-7)


def test_closed_form_is_the_optimum(variants: ModuleType) -> None:
    found = results(variants, "closed_form", case(iterations=1, rate=0))
    assert (found["W"], found["b"]) == pytest.approx((0.968180, 20.272985), abs=6e-7)
    assert found["parameter_error"] < 1e-12


def test_convergence_is_counted_to_the_first_iteration_that_is_good_enough(variants: ModuleType) -> None:
    found = results(variants, "numpy_until_converged", case(inputs="standardised", iterations=1000, rate=0.1))
    data = variants._data(case(inputs="standardised"))

    def excess(iterations: int) -> float:
        """Loss above the optimum's, from the exact descent."""
        left = variants._descended(data.x, data.y, 0.1, iterations) - variants._optimum(data.x, data.y)
        return float(np.mean((left[0] * data.x + left[1]) ** 2))

    count = int(found["iterations_to_converge"])
    assert excess(count) <= 1e-6 < excess(count - 1)
    assert found["parameter_error"] < 1e-12


def test_no_convergence_is_an_error(variants: ModuleType) -> None:
    with pytest.raises(ArithmeticError, match="not converged after 10 iterations"):
        results(variants, "numpy_until_converged", case(iterations=10))
