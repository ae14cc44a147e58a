"""How long a run still takes, from how long its finished jobs took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping


class Remaining:
    """On one machine jobs run one after the other, so the time left is the sum over those to come.

    Where several run at once, on a cluster, nothing is said: how many at a time is not known beforehand.

    A rule of which no job has finished yet is not guessed at: the time left is then "at least" what is known.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._to_come: Counter[str] = Counter()
        self._running: dict[int, tuple[str, float]] = {}
        self._took: dict[str, list[float]] = {}
        self._done = 0
        self.total = 0

    def plan(self, jobs: Mapping[str, int]) -> None:
        """The number of jobs of each rule in the run that starts."""
        self._to_come = Counter(jobs)
        del self._to_come["all"]
        self._running, self._done, self.total = {}, 0, self._to_come.total()

    def planned(self, total: int) -> None:
        """So many jobs, ``all`` among them, are known by now: a look at the precision may have asked for more."""
        self.total = total - 1

    def started(self, job: int, rule: str) -> int:
        """Note the start of a job; the number of jobs done so far."""
        self._running[job] = (rule, self._clock())
        self._to_come[rule] = max(0, self._to_come[rule] - 1)
        return self._done

    def finished(self, job: int) -> None:
        """A job has ended."""
        if job in self._running:
            self._done += 1
            rule, start = self._running.pop(job)
            self._took.setdefault(rule, []).append(self._clock() - start)

    def seconds(self) -> float:
        """The time that the jobs to come and the running ones still need, as far as it is known."""
        now = self._clock()
        left = sum(self._mean(rule) * count for rule, count in self._to_come.items())
        return left + sum(max(0.0, self._mean(rule) - (now - start)) for rule, start in self._running.values())

    def in_words(self) -> str:
        """The time left for people; nothing where it is not known."""
        if len(self._running) > 1:
            return ""
        unforeseen = self.total - self._done - len(self._running) - self._to_come.total()
        unknown = unforeseen > 0 or any(
            count and rule not in self._took
            for rule, count in (self._to_come + Counter(rule for rule, _ in self._running.values())).items()
        )
        seconds = self.seconds()
        if seconds < 1:
            return ""
        amount = f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
        return f" - {'at least' if unknown else 'about'} {amount} left"

    def _mean(self, rule: str) -> float:
        took = self._took.get(rule, [])
        return sum(took) / len(took) if took else 0.0
