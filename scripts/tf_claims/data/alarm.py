"""A check at fixed intervals on work that may hang: connecting, a trickle of bytes, a program that never ends."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class SourceFailed(Exception):
    """A source did not give the data; says why."""


@contextmanager
def alarm(every_s: float, check: Callable[[], None]) -> Iterator[None]:
    """Call ``check`` every ``every_s`` seconds while the block runs; what it raises ends the block.

    A signal does this, so that it ends system calls as well; it works in a process's main thread only.
    """
    before = signal.signal(signal.SIGALRM, lambda number, frame: check())
    timer = signal.setitimer(signal.ITIMER_REAL, every_s, every_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def within(limit_s: float) -> Iterator[None]:
    """Give the block ``limit_s`` seconds.

    :raises SourceFailed: when they are over.
    """

    def over() -> None:
        raise SourceFailed(f"no answer within {limit_s:g} s")

    with alarm(limit_s, over):
        yield
