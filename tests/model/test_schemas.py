"""The schemas in config/schemas are those of the models."""

from pathlib import Path

import pytest

from tf_claims.model.schemas import SCHEMAS, in_text, schemas


def test_schemas_are_up_to_date():
    generated = {f"{name}.json": in_text(schema) for name, schema in schemas().items()}
    kept = {path.name: path.read_text() for path in SCHEMAS.iterdir()}
    assert kept == generated, "run: tf-claims schemas"


@pytest.mark.parametrize(
    ("pattern", "schema"),
    [
        ("scenarios/*/scenario.yaml", "scenario"),
        ("envs/*/stack.yaml", "stack"),
        ("config/presets/*.yaml", "preset"),
        ("config/data/*.yaml", "dataset"),
    ],
)
def test_editors_find_the_schema_of_each_file_that_people_write(pattern: str, schema: str) -> None:
    files = sorted(Path().glob(pattern))
    assert files
    for path in files:
        first = path.read_text().splitlines()[0]
        named = first.removeprefix("# yaml-language-server: $schema=")
        assert (path.parent / named).resolve() == (SCHEMAS / f"{schema}.json").resolve(), path
