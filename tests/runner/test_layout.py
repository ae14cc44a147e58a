"""Where things lie in the memory of a process: drawn from its seed, and really moved."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.support.runner_blocks import RUNNER

from runner import layout
from runner.layout import PAGE

WHERE = """if True:
    import ctypes, sys
    sys.path.insert(0, {scripts!r})
    from runner import layout
    malloc = ctypes.CDLL(None).malloc
    malloc.restype = ctypes.c_size_t
    large = ctypes.c_size_t(100000)
    before = malloc(large)
    while (last := malloc(large)) - before != 100016:  # until no free chunk is left, and two lie side by side
        before = last
    layout.shift_heap({heap})
    print(malloc(large) - last)
"""


def test_a_layout_follows_from_the_seed_and_differs_between_seeds() -> None:
    drawn = [layout.of(seed) for seed in range(200)]
    assert drawn == [layout.of(seed) for seed in range(200)]
    for name in ("environment", "argument"):
        found = [each[name] for each in drawn]
        assert 0 <= min(found) < PAGE / 10 and PAGE * 0.9 < max(found) < PAGE
    offsets = {each["heap"] % 64 for each in drawn}
    assert offsets == {0, 16, 32, 48}  # each place in a cache line at which malloc may start
    assert max(each["heap"] for each in drawn) < 128 * 1024  # from there on malloc takes pages of their own
    assert {each["heap"] // PAGE for each in drawn} == set(range(16))


def test_environment_and_argument_are_as_long_as_drawn() -> None:
    drawn = layout.of(7)
    assert len(layout.in_environment(drawn)[layout.PADDING]) == drawn["environment"]
    assert json.loads(json.dumps(layout.in_task(drawn))) == {"padding": "x" * drawn["argument"], "heap": drawn["heap"]}


def test_what_is_allocated_later_lies_elsewhere() -> None:
    """By as many bytes as were drawn: those that the call itself needs are the same each time."""
    heaps = [8000, 8016, 20000, 65520]
    found = [
        int(subprocess.check_output([sys.executable, "-c", WHERE.format(scripts=str(RUNNER.parent), heap=heap)]))
        for heap in heaps
    ]
    assert [each - found[0] for each in found] == [heap - heaps[0] for heap in heaps]
