"""A word about times in several places stands only where it holds in each of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tf_claims.cells.cell import Cell
from tf_claims.cells.conditions import BlockConditions
from tf_claims.estimands.equivalence import Equivalence
from tf_claims.estimands.kind import Asked, Chosen
from tf_claims.estimands.ratio import Ratio
from tf_claims.model.estimand import Column
from tf_claims.statistics.states import State
from tf_claims.verdicts.several_states import Seen, holding_in_each, look_for_states

WAITS = np.array([1.0, 1.5, 1.01, 1.51, 0.99, 1.49, 1.02, 1.48])
STEADY = np.array([1.0, 1.01, 0.99, 1.0, 1.02, 0.98, 1.01, 1.0])
CHOSEN = [Chosen({"method": name}, {}, {}) for name in ("tape", "fit")]
COLUMNS = [Column("tape", "run.wall_s"), Column("fit", "run.wall_s")]


def cell(tape: np.ndarray, fit: np.ndarray, epochs: np.ndarray | None = None) -> Cell:
    parts = []
    for name, times in (("tape", tape), ("fit", fit)):
        rows = pd.DataFrame({"block": range(1, len(times) + 1), "run.wall_s": times})
        if epochs is not None and name == "tape":
            rows = rows.assign(**{f"epoch_wall_s[{place + 1}]": epochs[:, place] for place in range(epochs.shape[1])})
        same = {
            "variant": name,
            "attempt": 1,
            "engine": "container",
            "status": "ok",
            "unusable": "",
            "process.wall_s": 1.0,
        }
        parts.append(rows.assign(**same))
    conditions = BlockConditions(node_types=dict.fromkeys(range(1, len(tape) + 1), "one"), calibration={})
    return Cell(pd.concat(parts, ignore_index=True), {}, ["tape", "fit"], [], set(), conditions, 3)


def asked(of: np.ndarray, to: np.ndarray, published: float | None = None) -> Asked:
    return Asked(np.column_stack([of, to]), ["one"] * len(of), CHOSEN, published)


def seen(of: np.ndarray, to: np.ndarray, epochs: np.ndarray | None = None, columns: list[Column] = COLUMNS):
    return look_for_states(cell(of, to, epochs), columns, asked(of, to), list(range(1, len(of) + 1)))


def test_states_are_looked_for_in_each_variant() -> None:
    (found,) = seen(WAITS, STEADY)
    assert (found.column, found.variant, found.key) == (0, "tape", "states")
    assert [each.values for each in found.states] == [4, 4]
    assert found.ends == pytest.approx((1 / np.sqrt(1.495 / 1.005), np.sqrt(1.495 / 1.005)), rel=1e-3)
    assert seen(STEADY, STEADY) == []


def test_epochs_are_looked_at_where_the_metric_holds_them() -> None:
    epochs = np.array([[1.0, 1.5], [1.51, 1.01], [1.02, 1.49], [1.5, 0.99]])
    times = epochs.sum(axis=1)
    (found,) = seen(times, STEADY[:4], epochs)
    assert (found.key, len(found.states)) == ("states.epochs", 2)
    cpu = [Column("tape", "run.cpu_s"), Column("fit", "run.cpu_s")]
    assert seen(times, STEADY[:4], epochs, cpu) == []
    assert seen(times, STEADY[:4], epochs, [Column("tape", "loss"), Column("fit", "loss")]) == []


def test_types_of_machine_are_no_states() -> None:
    two = asked(WAITS, STEADY)._replace(strata=["slow" if time > 1.2 else "fast" for time in WAITS])
    assert look_for_states(cell(WAITS, STEADY), COLUMNS, two, list(range(1, 9))) == []


def found_in(column: int, *places: float) -> Seen:
    return Seen(column, "tape", "states", [State(place, 4) for place in places])


def equivalence(of: np.ndarray) -> tuple[str, str, list[str], float | None]:
    kind = Equivalence(metric="run.wall_s", of={}, to={}, margin=0.1)
    question = asked(of, STEADY)
    judged = holding_in_each(kind, question, kind.find(question), [found_in(0, 1.0, 1.5)])
    return judged.verdict, judged.size, [each.key for each in judged.because], judged.p_value


def test_a_word_that_hangs_on_the_state_is_withheld() -> None:
    word, size, said, p_value = equivalence(STEADY * 1.2)  # contradicted, but not if all were in the lowest state
    assert (word, size, p_value) == ("inconclusive", "undecided", None)
    assert said == ["equivalence.contradicted", "states", "states.undecided"]


def test_a_word_that_holds_in_each_state_stays_and_they_are_named() -> None:
    word, size, said, _ = equivalence(STEADY * 3)
    assert (word, size) == ("contradicted", "outside")
    assert said == ["equivalence.contradicted", "states"]


def test_both_sides_may_have_states() -> None:
    """1.9 is above 1, also if one side was in its worst state, but not if both were."""
    kind = Ratio(metric="run.wall_s", of={}, to={}, only_side=True)
    question = asked(STEADY * 1.9, STEADY, published=2.0)
    one, two = found_in(0, 1.0, 2.0), found_in(1, 1.0, 2.0)
    for states, word in (([one], "reproduced"), ([two], "reproduced"), ([one, two], "inconclusive")):
        assert holding_in_each(kind, question, kind.find(question), states).verdict == word


def test_without_states_a_finding_is_as_it_was() -> None:
    kind = Equivalence(metric="run.wall_s", of={}, to={}, margin=0.1)
    question = asked(STEADY, STEADY)
    finding = kind.find(question)
    assert holding_in_each(kind, question, finding, []) is finding
