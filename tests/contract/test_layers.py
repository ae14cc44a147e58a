"""Imports between the folders of the package go one way, in the order that docs/architecture.md gives."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path("scripts/tf_claims")
ORDER = [
    "model",
    "host",
    "images",
    "data",
    "cells",
    "statistics",
    "estimands",
    "words",
    "verdicts",
    "figures",
    "tables",
    "publish",
    "provenance",
    "run",
    "compare",
    "validate",
    "bench",
]


def arrows() -> Iterator[tuple[str, str, str]]:
    """Each import from one folder in another, and the file that has it."""
    for path in sorted(PACKAGE.glob("*/*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("tf_claims."):
                folder = node.module.split(".")[1]
                if folder != path.parent.name and folder in ORDER:
                    yield path.parent.name, folder, str(path)


def test_every_folder_has_its_place() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders == set(ORDER)


@pytest.mark.parametrize(("importing", "imported", "path"), sorted(set(arrows())))
def test_an_import_goes_up_the_way_of_the_data(importing: str, imported: str, path: str) -> None:
    assert ORDER.index(imported) < ORDER.index(importing), path


def test_the_documentation_has_the_same_order() -> None:
    text = Path("docs/architecture.md").read_text().split("## Files between the steps")[0]
    told = re.findall(r"^\| `(\w+)/` ", text, re.MULTILINE)
    assert told == ORDER
