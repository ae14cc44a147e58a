"""A container registry on this host that serves one tiny image: enough of the distribution API for a pull."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"


class Image:
    """An image of one layer with one file, by the digests of its parts."""

    def __init__(self, content: str) -> None:
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w") as tar:
            member = tarfile.TarInfo("content")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content.encode()))
        layer = gzip.compress(buffer.getvalue(), mtime=0)
        diff = hashlib.sha256(buffer.getvalue()).hexdigest()
        config = {
            "architecture": "amd64",
            "os": "linux",
            "config": {},
            "rootfs": {"type": "layers", "diff_ids": [f"sha256:{diff}"]},
        }
        self.blobs: dict[str, bytes] = {}
        manifest = {
            "schemaVersion": 2,
            "mediaType": MANIFEST,
            "config": self._add(CONFIG, json.dumps(config).encode()),
            "layers": [self._add(LAYER, layer)],
        }
        self.manifest = json.dumps(manifest).encode()
        self.digest = f"sha256:{hashlib.sha256(self.manifest).hexdigest()}"

    def _add(self, kind: str, content: bytes) -> dict[str, object]:
        digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
        self.blobs[digest] = content
        return {"mediaType": kind, "digest": digest, "size": len(content)}


@contextmanager
def serving(image: Image) -> Iterator[str]:
    """Serve ``image`` under every name and tag; yields the registry's address, e.g. ``localhost:40123``."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, _, wanted = self.path.removeprefix("/v2/").rpartition("/")
            if self.path == "/v2/":
                self._answer(b"{}", "application/json")
            elif kind.endswith("/manifests") and (":" not in wanted or wanted == image.digest):
                self._answer(image.manifest, MANIFEST)
            elif kind.endswith("/blobs") and wanted in image.blobs:
                self._answer(image.blobs[wanted], "application/octet-stream")
            else:
                self.send_error(404)

        do_HEAD = do_GET

        def _answer(self, content: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            if kind == MANIFEST:
                self.send_header("Docker-Content-Digest", image.digest)
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("localhost", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"localhost:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
