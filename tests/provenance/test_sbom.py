"""The bill of materials of an image."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from tf_claims.provenance.sbom import bill_of_materials

RECORD: dict[str, Any] = {
    "environment": "tf0-cpu",
    "key": "0123456789ab",
    "sif_sha256": "a" * 64,
    "oci_digest": "sha256:" + "b" * 64,
    "base": {"reference": "Debian", "debian": "bookworm", "digest": "sha256:" + "c" * 64},
    "python": "3.7.16",
}
GPU = RECORD | {
    "environment": "tf0-gpu",
    "cuda_libraries": {"kind": "registry", "reference": "maker/cuda:10.0", "digest": "sha256:" + "e" * 64},
}
AS_IT_IS = RECORD | {"base": {"kind": "registry", "reference": "maker/tensorflow:0", "digest": "sha256:" + "f" * 64}}
LOCK = f"six==1.17.0 \\\n    --hash=sha256:{'d' * 64}\n"


def test_it_names_each_package_with_its_locked_hashes_and_the_base() -> None:
    bill = json.loads(bill_of_materials(RECORD, LOCK))
    components = {each["name"]: each for each in bill["components"]}
    assert set(components) == {"Debian", "python", "six"}
    assert components["six"]["purl"] == "pkg:pypi/six@1.17.0"
    assert components["six"]["properties"] == [{"name": "lock:sha256", "value": "d" * 64}]
    assert components["Debian"]["hashes"] == [{"alg": "SHA-256", "content": "c" * 64}]
    assert bill["metadata"]["component"]["hashes"] == [{"alg": "SHA-256", "content": "a" * 64}]


def test_the_same_image_gives_the_same_bytes() -> None:
    assert bill_of_materials(RECORD, LOCK) == bill_of_materials(RECORD, LOCK)


@pytest.mark.parametrize(
    ("record", "lock"), [(RECORD, LOCK), (GPU, LOCK), (AS_IT_IS, "")], ids=["cpu", "gpu", "as it is"]
)
def test_it_follows_the_schema(record: dict[str, Any], lock: str) -> None:
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(bill_of_materials(record, lock)) is None


def test_the_cuda_libraries_of_a_gpu_image_are_named_by_their_digest() -> None:
    components = {each["name"]: each for each in json.loads(bill_of_materials(GPU, LOCK))["components"]}
    assert components["maker/cuda:10.0"]["hashes"] == [{"alg": "SHA-256", "content": "e" * 64}]


def test_an_image_used_as_it_is_has_its_base_and_python_alone() -> None:
    bill = json.loads(bill_of_materials(AS_IT_IS, ""))
    assert {each["name"] for each in bill["components"]} == {"maker/tensorflow:0", "python"}
