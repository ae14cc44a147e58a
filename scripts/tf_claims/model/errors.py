"""One clear message instead of a traceback for everything that a person can put right."""

from __future__ import annotations

import sys
from collections.abc import Callable


class InputError(Exception):
    """A bad input: names the file, the field and the fix."""


def exit_clearly(main: Callable[[], None]) -> None:
    """Run a command's ``main``; an :class:`InputError` becomes one message and exit code 2."""
    try:
        main()
    except InputError as error:
        sys.exit(_with_code(str(error)))


def _with_code(message: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    return 2
