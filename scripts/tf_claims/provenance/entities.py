"""The entities of an RO-Crate: files with their sha256, and actions that made files of files."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tf_claims.host.cache import file_sha256
from tf_claims.host.links import stays_inside
from tf_claims.model.errors import InputError
from tf_claims.model.results import ROOT

Entity = dict[str, Any]
SOURCES = "sources"
TYPES = {
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".csv": "text/csv",
    ".parquet": "application/vnd.apache.parquet",
    ".pdf": "application/pdf",
    ".svg": "image/svg+xml",
    ".html": "text/html",
    ".tex": "application/x-tex",
    ".yaml": "application/yaml",
}


class Crate:
    """The graph of a crate whose root is ``folder``, the results of one preset in a checkout.

    A crate holds nothing outside its root, so sources are copied into ``folder/sources``.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.checkout = folder.parent.parent
        # As the workflow names the folder.
        self.named = ROOT / folder.name
        self.entities: dict[str, Entity] = {}
        copies = folder / SOURCES
        if copies.is_symlink():
            copies.unlink()  # else the copies would be written to where it leads
        shutil.rmtree(copies, ignore_errors=True)

    def add(self, entity: Entity) -> str:
        """Keep an entity, once; its identifier."""
        self.entities.setdefault(entity["@id"], entity)
        return str(entity["@id"])

    def file(self, name: str) -> str:
        """A file of the results, by its path in them.

        :raises InputError: where it is missing.
        """
        path = self.folder / name
        if name not in self.entities:
            if not stays_inside(path, self.checkout).is_file():
                raise InputError(f"{path}: no such file; `make reproduce PRESET={self.folder.name}` makes it")
            self.add(
                {
                    "@id": name,
                    "@type": "File",
                    "name": name,
                    "encodingFormat": TYPES.get(path.suffix, "text/plain"),
                    "contentSize": str(path.stat().st_size),
                    "sha256": file_sha256(path),
                }
            )
        return name

    def files(self, folder: str) -> list[str]:
        """All files below a folder of the results."""
        found = (path for path in (self.folder / folder).rglob("*") if path.is_file() and path.name[0] != ".")
        return [self.file(path.relative_to(self.folder).as_posix()) for path in sorted(found)]

    def source(self, name: str) -> str:
        """A small file of the checkout, by its path in it; it is copied into the crate.

        :raises InputError: where it is missing, and where its path leads out of the checkout.
        """
        original, copy = self.checkout / name, self.folder / SOURCES / name
        if ".." in Path(name).parts or not stays_inside(original, self.checkout).is_file():
            raise InputError(f"{original}: no such file of the checkout, but the results were made with it")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(original, copy)
        return self.file(f"{SOURCES}/{name}")

    def action(
        self, name: str, tool: str, version: str, used: Iterable[str], made: Iterable[str], image: str | None = None
    ) -> None:
        """That ``tool``, at that commit, made files of files, in an image or on the host."""
        software = self.add(
            {"@id": f"#{tool}@{version}", "@type": "SoftwareApplication", "name": tool, "softwareVersion": version}
        )
        action = {
            "@id": f"#action/{name}",
            "@type": "CreateAction",
            "name": name,
            "instrument": ref(software),
            "object": refs(used),
            "result": refs(made),
        }
        self.add(action | ({"containerImage": ref(image)} if image else {}))

    def of_type(self, kind: str) -> list[str]:
        """The identifiers of all entities of one type, sorted."""
        return sorted(name for name, entity in self.entities.items() if entity["@type"] == kind)


def commit_of(git: dict[str, Any]) -> str:
    """The commit of the sources, marked where they differed from it."""
    return (git["commit"] or "unknown") + ("+changes" if git["dirty"] else "")


def ref(name: str) -> Entity:
    """A reference to the entity of that identifier."""
    return {"@id": name}


def refs(names: Iterable[str]) -> list[Entity]:
    """References to entities, each once and sorted."""
    return [ref(name) for name in sorted(set(names))]
