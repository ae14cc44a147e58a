"""Choosing variants by their levels: ``{implementation: [numpy, eager], n: 1000, environment: "tf1.15-*"}``."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

# A variant has the same name on the host as in the runner.
from runner.plan import label

__all__ = ["Level", "Levels", "Selector", "label", "matches"]

Level = str | int | float | bool
Levels = Mapping[str, Level]
Selector = dict[str, Level | list[Level]]


def matches(selector: Mapping[str, Any], levels: Levels, environment: str | None = None) -> bool:
    """Whether every entry of ``selector`` names the level that ``levels`` has (a list names alternatives).

    The key ``environment`` holds patterns such as ``tf1.15-*``.
    """
    for factor, wanted in selector.items():
        alternatives = wanted if isinstance(wanted, list) else [wanted]
        if factor == "environment":
            if environment is None or not any(fnmatchcase(environment, str(pattern)) for pattern in alternatives):
                return False
        elif levels.get(factor) not in alternatives:
            return False
    return True
