"""Reading YAML and JSON files into typed models, with errors that name the file, the field and the fix."""

from __future__ import annotations

import json
import os
import re
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
NAME = re.compile(r"[a-z0-9][a-z0-9_.-]*")


def named(path: Path) -> str:
    """The name of a folder or file that people make, which becomes part of paths and of command lines.

    :raises InputError: where it has characters that mean something else there.
    """
    if not NAME.fullmatch(path.name):
        raise InputError(
            f"{str(path)!r}: rename it: a name here has small letters, digits, '_', '.' and '-' alone, "
            "a letter or digit first"
        )
    return path.name


Checked = TypeVar("Checked")


def read_yaml(path: Path, model: type[Model]) -> Model:
    """The file at ``path`` as a ``model``.

    :raises InputError: where the file is missing, is no YAML or does not fit the model.
    """
    return check(path, model, _load_yaml(path))


def _load_yaml(path: Path) -> Any:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text: {error.reason} at byte {error.start}") from None
    try:
        return yaml.load(text, Loader=_Loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # a date such as 2026-99-99 is a ValueError
        raise InputError(f"{path}: not YAML: {' '.join(str(error).split())}") from None


class _Loader(yaml.CSafeLoader):
    """YAML's own rule, which its library does not keep: a key stands once in a mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """The mapping.

        :raises yaml.constructor.ConstructorError: where a key is there twice.
        """
        seen = set()
        for key, _ in node.value:
            name = (key.tag, key.value) if isinstance(key, yaml.ScalarNode) else id(key)
            if name in seen:
                raise yaml.constructor.ConstructorError(None, None, f"{key.value!r} is there twice", key.start_mark)
            seen.add(name)
        return super().construct_mapping(node, deep)


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
