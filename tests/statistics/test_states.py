"""Times in several places are told from noise: rates by simulation, known answers, and what was really measured."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tf_claims.statistics.intervals import Floats
from tf_claims.statistics.states import states, states_inside

RUNS = 2000
Draw = Callable[[np.random.Generator, int], Floats]
ONE_PLACE: dict[str, Draw] = {
    "log-normal": lambda chance, size: np.exp(0.08 * chance.standard_normal(size)),
    "log-normal, wide": lambda chance, size: np.exp(0.25 * chance.standard_normal(size)),
    "normal": lambda chance, size: 1 + 0.15 * chance.standard_normal(size),
    "long tails": lambda chance, size: np.exp(0.08 * chance.standard_t(3, size)),
}


@pytest.mark.parametrize("size", [5, 6, 8, 12, 30])
@pytest.mark.parametrize("noise", ONE_PLACE)
def test_noise_has_one_state_but_for_one_in_a_hundred(noise: str, size: int) -> None:
    chance = np.random.default_rng(7)
    false = sum(len(states(ONE_PLACE[noise](chance, size))) > 1 for _ in range(RUNS))
    assert false <= 0.01 * RUNS


@pytest.mark.parametrize("between", [0.0, 0.03, 0.1, 0.3])
@pytest.mark.parametrize(("processes", "epochs"), [(3, 2), (6, 2), (10, 5)])
def test_processes_that_differ_as_a_whole_are_no_states(between: float, processes: int, epochs: int) -> None:
    chance = np.random.default_rng(8)
    shape = (processes, epochs)
    false = 0
    for _ in range(RUNS):
        logs = between * chance.standard_normal((processes, 1)) + 0.03 * chance.standard_normal(shape)
        false += len(states_inside(np.exp(logs))) > 1
    assert false <= 0.01 * RUNS


def test_a_slower_first_epoch_is_no_state() -> None:
    assert len(states_inside(np.array([[0.29, 0.24], [0.293, 0.242], [0.294, 0.233], [0.291, 0.238]]))) == 1


@pytest.mark.parametrize(("size", "least"), [(6, 0.5), (8, 0.75), (12, 0.85)])
def test_two_states_clear_of_the_noise_are_found(size: int, least: float) -> None:
    chance = np.random.default_rng(9)
    found = 0
    for _ in range(RUNS):
        late = chance.random(size) < 0.4
        found += len(states(np.exp(0.02 * chance.standard_normal(size)) * (1 + 0.5 * late))) == 2
    assert found >= least * RUNS


def test_the_places_are_those_of_the_mixture() -> None:
    low, high = states(np.array([1.0, 1.02, 0.98, 1.5, 1.52, 1.48, 1.01]))
    assert (low.values, high.values) == (4, 3)
    assert (low.place, high.place) == pytest.approx((1.0025, 1.5), rel=1e-3)


def test_each_part_is_looked_at_again() -> None:
    found = states(np.concatenate([place + 0.01 * np.arange(-2, 3) for place in (1.0, 1.5, 6.0)]))
    assert [each.values for each in found] == [5, 5, 5]
    assert [each.place for each in found] == pytest.approx([1.0, 1.5, 6.0], rel=1e-3)


def test_one_late_process_is_no_state_and_few_values_have_one() -> None:
    assert len(states(np.array([1.0, 1.01, 0.99, 1.0, 1.02, 2.5]))) == 1
    assert [(each.place, each.values) for each in states(np.array([1.0, 4.0]))] == [(pytest.approx(2.0), 2)]
    assert len(states(np.ones(6))) == 1


def test_the_waits_that_were_measured_are_found() -> None:
    """Epochs (s) of the convolutional network with TensorFlow 2.15: the tape's wait for a timer, fit's do not."""
    tape = np.array([[2.549, 1.275], [1.428, 2.543], [2.549, 1.393]])
    low, high = states_inside(tape)
    assert (low.values, high.values) == (3, 3)
    assert high.place == pytest.approx(2.547, abs=0.001)
    assert len(states_inside(np.array([[1.161, 1.303], [1.397, 1.252], [1.259, 1.182]]))) == 1
    assert len(states(np.array([3.908, 4.055, 4.021]))) == 1  # each process waited once
