"""Reading YAML and JSON files into typed models, with errors that name the file, the field and the fix."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from tf_claims.model.errors import InputError


class Strict(BaseModel):
    """A record whose unknown fields are errors and whose values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Model = TypeVar("Model", bound=BaseModel)
Checked = TypeVar("Checked")


def read_yaml(path: Path, model: type[Model]) -> Model:
    """The file at ``path`` as a ``model``.

    :raises InputError: where the file is missing, is no YAML or does not fit the model.
    """
    return check(path, model, _load_yaml(path))


def _load_yaml(path: Path) -> Any:
    try:
        text = path.read_text()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    try:
        return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as error:
        raise InputError(f"{path}: not YAML: {' '.join(str(error).split())}") from None


def read_json(path: Path) -> Any:
    """The content of a JSON file that the workflow writes.

    :raises InputError: where it is missing, cut short or no JSON.
    """
    try:
        return json.loads(path.read_text())
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; run `make reproduce` first") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path}: not JSON, or cut short: {error}; "
            "delete it and run `make reproduce` again: nothing is measured twice"
        ) from None


def check(path: Path, model: type[Model], content: Any) -> Model:
    """``content``, which came from ``path``, as a ``model``.

    :raises InputError: naming each field that does not fit.
    """
    return check_with(path, model.model_validate, content)


def check_with(path: Path, validate: Callable[[Any], Checked], content: Any) -> Checked:
    """``content``, which came from ``path``, through ``validate``.

    :raises InputError: naming each field that does not fit.
    """
    try:
        return validate(content)
    except ValidationError as error:
        problems = "; ".join(_problem(detail) for detail in error.errors())
        raise InputError(f"{path}: {problems}") from None


def _problem(detail: Any) -> str:
    field = ".".join(str(part) for part in detail["loc"]) or "the whole file"
    if detail["type"] == "extra_forbidden":
        return f"field {field}: not a known field; remove it or correct its name"
    if detail["type"] == "missing":
        return f"field {field}: missing; add it"
    return f"field {field}: {detail['msg'].removeprefix('Value error, ')} (found {detail['input']!r})"


def write_whole(path: Path, text: str) -> None:
    """Write ``text`` to ``path`` so that a reader sees the old file or the new one, never half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(handle, "w") as file:
        file.write(text)
    Path(name).chmod(0o644)
    Path(name).replace(path)


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """A path to write to; at the end, and only without an error, it takes the place of ``path``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.draft")
    try:
        yield draft
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
