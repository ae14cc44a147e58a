"""A bill of materials of an image, as CycloneDX 1.6: base, CUDA libraries, Python packages with their locked hashes.

The Debian packages inside the base are not listed one by one: the base's digest stands for them.

``tf-claims sbom --record FILE --lock FILE --output FILE``
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from tf_claims.images.locks import parse_lock
from tf_claims.model.files import write_whole


def bill_of_materials(record: dict[str, Any], lock: str) -> str:
    """The bill as JSON; the same bytes for the same record and lock, without a time and with a derived serial number.

    :param record: what the build of the image recorded.
    :param lock: the text of the environment's lock.
    """
    image = Component(
        name=record["environment"],
        version=record["key"],
        type=ComponentType.CONTAINER,
        bom_ref="image",
        hashes=[_sha256(record["sif_sha256"])],
        properties=[Property(name="oci:digest", value=record["oci_digest"])],
    )
    bom = Bom(serial_number=uuid5(NAMESPACE_URL, record["oci_digest"]), components=_components(record, lock))
    bom.metadata.component = image
    bom.register_dependency(image, bom.components)
    content = json.loads(JsonV1Dot6(bom).output_as_string())
    # The library stamps the time of writing; the same image must give the same bytes.
    content["metadata"].pop("timestamp", None)
    return json.dumps(content, indent=1, sort_keys=True) + "\n"


def _components(record: dict[str, Any], lock: str) -> Iterator[Component]:
    base = record["base"]
    yield _image("base", base, ComponentType.OPERATING_SYSTEM, base.get("debian"))
    if libraries := record.get("cuda_libraries"):
        yield _image("cuda_libraries", libraries, ComponentType.CONTAINER, None)
    yield Component(name="python", version=record["python"], type=ComponentType.PLATFORM, bom_ref="python")
    for package in parse_lock(lock):
        yield Component(
            name=package.name,
            version=package.version,
            type=ComponentType.LIBRARY,
            bom_ref=f"{package.name}=={package.version}",
            purl=PackageURL("pypi", None, package.name, package.version),
            # A lock lists every file that may be installed, of which the image holds one: no hash of the component.
            properties=[Property(name="lock:sha256", value=sha256) for sha256 in sorted(package.hashes)],
        )


def _image(bom_ref: str, record: dict[str, str], kind: ComponentType, version: str | None) -> Component:
    digest = _sha256(record["digest"].removeprefix("sha256:"))
    return Component(name=record["reference"], version=version, type=kind, bom_ref=bom_ref, hashes=[digest])


def _sha256(content: str) -> HashType:
    return HashType(alg=HashAlgorithm.SHA_256, content=content)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--record", type=Path, required=True)
    parser.add_argument("--lock", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)


def execute(options: argparse.Namespace) -> None:
    """Write the bill of an image from the record of its build and its lock."""
    write_whole(options.output, bill_of_materials(json.loads(options.record.read_text()), options.lock.read_text()))
