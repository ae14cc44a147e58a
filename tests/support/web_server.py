"""A web server on this machine whose paths misbehave in the ways that sources do."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAUSE_S = 0.05


class Server(ThreadingHTTPServer):
    """``contents`` by path; a first path part such as ``/half/`` names the misbehaviour."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.contents: dict[str, bytes] = {}
        self.over = threading.Event()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what these tests are about."""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        manner, _, rest = self.path.removeprefix("/").partition("/")
        content = self.server.contents.get(self.path, self.server.contents.get(f"/{rest}"))
        if manner == "hanging":
            self.server.over.wait()
        elif manner == "slow_head":
            self.trickle(b"HTTP/1.0 200 OK\r\nX-Padding: " + b"x" * 10_000)
        elif manner == "page":
            self.answer(b"<!doctype html><title>Log in</title>", "text/html; charset=utf-8")
        elif content is None:
            self.send_error(404)
        elif manner == "flipped":
            self.answer(content[:-1] + bytes([content[-1] ^ 1]))
        elif manner == "half":
            self.answer(content[: len(content) // 2], length=len(content))
        elif manner == "half_unsaid":
            self.answer(content[: len(content) // 2], length=None)
        elif manner == "trickle":
            self.head(len(content))
            self.trickle(content)
        elif manner == "endless":
            self.head(None)
            while not self.server.over.is_set():
                self.wfile.write(bytes(1 << 16))
        else:
            self.answer(content, "text/html" if self.path.startswith("/simple/") else "application/octet-stream")

    def head(self, length: int | None, kind: str = "application/octet-stream") -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def answer(self, content: bytes, kind: str = "application/octet-stream", length: int | None = -1) -> None:
        self.head(len(content) if length == -1 else length, kind)
        self.wfile.write(content)

    def trickle(self, content: bytes) -> None:
        for place in range(len(content)):
            if self.server.over.is_set():
                return
            self.wfile.write(content[place : place + 1])
            self.wfile.flush()
            time.sleep(PAUSE_S)


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        thread.join()
        server.server_close()
