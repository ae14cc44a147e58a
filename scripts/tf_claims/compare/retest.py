"""Test-retest: whether a claim has the same word in an environment each time that it is measured."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from tf_claims.compare.runs import Judged, Key, Run

NOT_THERE = "not part of this run"


class Row(NamedTuple):
    """A claim in an environment; ``judged`` has a place for each run, which is None where it has no such row."""

    key: Key
    judged: tuple[Judged | None, ...]

    @property
    def words(self) -> list[str]:
        """Those of the runs that have one: "not run" is no word about the claim."""
        return [each.verdict for each in self.judged if each is not None and each.verdict != "not run"]

    @property
    def differs(self) -> bool:
        """Whether not all words are the same."""
        return len(set(self.words)) > 1

    @property
    def lost(self) -> int:
        """In how many runs the word was lost to too few usable blocks."""
        return sum(each is not None and each.lost for each in self.judged)


class NotRun(NamedTuple):
    """Claims that some runs judge and others do not; ``why`` is, for each run, the reason, or "" where it does."""

    scenario: str
    environment: str
    why: tuple[str, ...]
    claims: list[str]


class Retest(NamedTuple):
    """Every row that at least one run judges, in the order of the first run that has it."""

    runs: int
    rows: list[Row]

    @property
    def compared(self) -> int:
        """How many times two runs both have a word in a row: over all rows and all pairs of runs."""
        return sum(len(row.words) * (len(row.words) - 1) // 2 for row in self.rows)

    @property
    def differing(self) -> int:
        """How many times these two words differ."""
        return sum(one != other for row in self.rows for one, other in combinations(row.words, 2))

    @property
    def share_differing(self) -> float | None:
        """Their share, from 0 to 1; None where nothing can be compared."""
        return self.differing / self.compared if self.compared else None

    @property
    def lost(self) -> int:
        """How many words were lost to too few usable blocks, over all rows and runs."""
        return sum(row.lost for row in self.rows)

    @property
    def changed(self) -> list[Row]:
        """The rows in which not all words are the same, or one was lost."""
        return [row for row in self.rows if row.differs or row.lost]

    @property
    def not_run(self) -> list[NotRun]:
        """What some runs do not judge, by scenario, environment and reasons."""
        found: dict[tuple[str, str, tuple[str, ...]], list[str]] = defaultdict(list)
        for row in self.rows:
            scenario, claim, environment = row.key
            if len(row.words) < self.runs:
                found[scenario, environment, tuple(map(_why_not, row.judged))].append(claim)
        return [NotRun(*group, claims) for group, claims in found.items()]


def retest(runs: Sequence[Run]) -> Retest:
    """The words of all runs, row by row."""
    return Retest(len(runs), list(_rows(runs)))


def _rows(runs: Sequence[Run]) -> Iterator[Row]:
    for key in dict.fromkeys(key for run in runs for key in run.verdicts):
        row = Row(key, tuple(run.verdicts.get(key) for run in runs))
        if row.words:
            yield row


def _why_not(judged: Judged | None) -> str:
    if judged is None:
        return NOT_THERE
    return judged.reason if judged.verdict == "not run" else ""
