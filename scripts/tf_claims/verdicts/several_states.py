"""What a verdict says where times lie in several places, and whether its word holds in each of them.

How many processes of a few blocks were in which state is chance, and Student's interval takes what it saw for all
there is. So the word must also follow for the two cases between which the truth lies, whatever the share of the states
is: that all processes of a variant had been in its lowest state, and that all had been in its highest. Its times are
scaled there, with their whole spread, and judged as before. Where another word comes out, nothing is concluded.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tf_claims.cells.cell import Cell
from tf_claims.estimands.kind import Asked, Finding, Kind
from tf_claims.model.estimand import Column
from tf_claims.model.metrics import has_epochs, is_time
from tf_claims.model.reason import Reason, because
from tf_claims.statistics.intervals import Floats
from tf_claims.statistics.states import State, states, states_inside


class Seen(NamedTuple):
    """The states of a column of what is asked; ``key`` is that of what is said: of whole processes, or their epochs."""

    column: int
    variant: str
    key: str
    states: list[State]

    @property
    def ends(self) -> tuple[float, float]:
        """By which its times are multiplied to have all of them in the lowest state, and in the highest."""
        values = [each.values for each in self.states]
        mean = np.exp(np.average(np.log([each.place for each in self.states]), weights=values))
        return self.states[0].place / mean, self.states[-1].place / mean

    @property
    def reason(self) -> Reason:
        """The states by name."""
        places = [because("states.place", values=each.values, place=each.place) for each in self.states]
        return because(self.key, variant=self.variant, states=len(places), places=[*places])


def find(
    kind: Kind, asked: Asked, cell: Cell, columns: Sequence[Column], blocks: Sequence[int]
) -> tuple[Finding, list[Seen]]:
    """What a kind of claim finds, as far as it holds in each state, and the states.

    :param blocks: the numbers of the blocks asked about
    """
    seen = look_for_states(cell, columns, asked, blocks)
    return holding_in_each(kind, asked, kind.find(asked), seen), seen


def look_for_states(cell: Cell, columns: Sequence[Column], asked: Asked, blocks: Sequence[int]) -> list[Seen]:
    """The columns that have several states, looked for on each type of machine by itself.

    :param blocks: the numbers of the blocks asked about
    """
    seen = []
    for index, column in enumerate(columns):
        if not is_time(column.metric):
            continue
        times = asked.values[:, index] / column.factor
        found = [("states", states(times[of_type])) for of_type in _types(asked.strata)]
        epochs = cell.epochs(column.variant, blocks) if has_epochs(column.metric) else None
        if epochs is not None:
            found += [("states.epochs", states_inside(epochs[of_type])) for of_type in _types(asked.strata)]
        key, most = max(found, key=lambda each: len(each[1]))
        if len(most) > 1:
            seen.append(Seen(index, column.variant, key, most))
    return seen


def _types(strata: Sequence[str]) -> list[NDArray[np.intp]]:
    return [np.flatnonzero(np.asarray(strata) == each) for each in dict.fromkeys(strata)]


def holding_in_each(kind: Kind, asked: Asked, finding: Finding, seen: Sequence[Seen]) -> Finding:
    """The ``finding`` with the states named; its word is "inconclusive" where it does not hold in each of them."""
    if not seen:
        return finding
    named = [*finding.because, *(each.reason for each in seen)]
    words = {kind.find(asked._replace(values=each)).verdict for each in _as_if(asked.values, seen)}
    if words <= {finding.verdict}:
        return finding._replace(because=named)
    return finding._replace(
        verdict="inconclusive",
        because=[*named, because("states.undecided")],
        p_value=None,
        side="open",
        size="none" if finding.size == "none" else "undecided",
    )


def _as_if(values: Floats, seen: Sequence[Seen]) -> list[Floats]:
    """The values as they were if all processes of a column were in one state, for each choice of lowest and highest."""
    columns = [each.column for each in seen]
    scaled = []
    for ends in product(*(each.ends for each in seen)):
        factors = np.ones(values.shape[1])
        factors[columns] = ends
        scaled.append(values * factors)
    return scaled
