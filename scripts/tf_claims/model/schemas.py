"""The JSON schemas of the files that people and other programs read or write: ``tf-claims schemas`` writes them.

They are generated from the models, and a test keeps them equal.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import msgspec
from pydantic import BaseModel

from tf_claims.model.dataset import Dataset
from tf_claims.model.files import write_whole
from tf_claims.model.observation import Observation
from tf_claims.model.preset import Preset
from tf_claims.model.scenario import Scenario
from tf_claims.model.stack import Stack
from tf_claims.model.verdict import Verdict

SCHEMAS = Path("config/schemas")


def schemas() -> dict[str, dict[str, Any]]:
    """Name and JSON schema of each kind of file."""
    models: dict[str, type[BaseModel]] = {
        "scenario": Scenario,
        "stack": Stack,
        "preset": Preset,
        "dataset": Dataset,
        "verdict": Verdict,
    }
    generated = {name: model.model_json_schema() for name, model in models.items()}
    return generated | {"observation": msgspec.json.schema(Observation)}


def in_text(schema: dict[str, Any]) -> str:
    """A schema as it stands in its file."""
    return json.dumps(schema, indent=1, sort_keys=True) + "\n"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Nothing can be chosen."""


def execute(options: argparse.Namespace) -> None:
    """Write them into :data:`SCHEMAS`."""
    for name, schema in schemas().items():
        write_whole(SCHEMAS / f"{name}.json", in_text(schema))
