"""The bill of materials of an image."""

from __future__ import annotations

import json

from provenance.sbom import bill_of_materials

RECORD = {
    "environment": "tf0-cpu",
    "key": "0123456789ab",
    "sif_sha256": "a" * 64,
    "oci_digest": "sha256:" + "b" * 64,
    "base": {"reference": "Debian", "debian": "bookworm", "digest": "sha256:" + "c" * 64},
    "python": "3.7.16",
}
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
