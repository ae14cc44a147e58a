"""One clear message instead of a traceback for everything that a person can put right."""

from __future__ import annotations


class InputError(Exception):
    """A bad input: names the file, the field and the fix."""
