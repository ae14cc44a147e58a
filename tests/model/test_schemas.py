"""The schemas in config/schemas are those of the models."""

from tf_claims.model.schemas import SCHEMAS, in_text, schemas


def test_schemas_are_up_to_date():
    generated = {f"{name}.json": in_text(schema) for name, schema in schemas().items()}
    kept = {path.name: path.read_text() for path in SCHEMAS.iterdir()}
    assert kept == generated, "run: tf-claims schemas"
