"""A scenario from a stranger: all that its program may not do is refused, and its observation says what failed."""

from __future__ import annotations

import json
import os
import socketserver
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from tf_claims.bench.checkout import environment, tf_claims
from tf_claims.model.observation import Observation, read_observations

pytestmark = pytest.mark.container
CODE = """
    import ctypes, os, socket, subprocess, sys, time

    def fair(case):
        return (lambda: None), dict

    def _running(action):
        return (lambda: None), (lambda: {} if action() else {})

    def network(case):
        return _running(lambda: socket.create_connection(("127.0.0.1", case.sizes["port"]), 5))

    def way_out(case):
        # Nothing is sent: it asks the kernel for a route to an address of RFC 5737, which no machine has.
        return _running(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("192.0.2.1", 53)))

    def host_variable(case):
        return _running(lambda: os.environ["TF_CLAIMS_SECRET"])

    def file_of_the_host(case):
        return _running(lambda: open(case.sizes["secret"]).read())

    def home(case):
        return _running(lambda: os.stat(case.sizes["home"] + "/.cache"))

    def code_of_the_runner(case):
        return _running(lambda: open("scripts/runner/block.py", "a"))

    def own_code(case):
        return _running(lambda: open("scenarios/hostile/variants.py", "a"))

    def data(case):
        return _running(lambda: open("results/data/secret.bin", "a"))

    def other_results(case):
        return _running(lambda: open("results/smoke/observations/linear_regression/tf1.15-cpu/1.jsonl", "a"))

    def new_file_of_the_checkout(case):
        return _running(lambda: open("Snakefile.new", "w"))

    def the_image(case):
        return _running(lambda: open("/usr/lib/new", "w"))

    def the_lock(case):
        return _running(lambda: open("/tmp/tf-claims-lock/measure.lock", "r+"))

    def mount(case):
        libc = ctypes.CDLL(None, use_errno=True)
        def action():
            if libc.mount(b"none", b"/tmp", b"tmpfs", 0, None):
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return _running(action)

    def processes_of_the_host(case):
        return _running(lambda: os.kill(case.sizes["pid"], 0))

    def daemon(case):
        code = "import os, time; os.fork() and os._exit(0); time.sleep(1000)"
        return (lambda: None), (lambda: subprocess.call([sys.executable, "-c", code], start_new_session=True) or {})

    def clock(case):
        return (lambda: setattr(time, "perf_counter", lambda real=time.perf_counter: 9127 - 1000 * real())), dict
"""
REFUSED = {
    "network": "ConnectionRefusedError: ",
    "way_out": "OSError: [Errno 101] Network is unreachable",
    "host_variable": "KeyError: 'TF_CLAIMS_SECRET'",
    "file_of_the_host": "FileNotFoundError: ",
    "home": "FileNotFoundError: ",
    "code_of_the_runner": "OSError: [Errno 30] Read-only file system",
    "own_code": "OSError: [Errno 30] Read-only file system",
    "data": "OSError: [Errno 30] Read-only file system",
    "other_results": "FileNotFoundError: ",
    "new_file_of_the_checkout": "OSError: [Errno 30] Read-only file system",
    "the_image": "OSError: [Errno 30] Read-only file system",
    "the_lock": "FileNotFoundError: ",
    "mount": "PermissionError: ",
    "processes_of_the_host": "ProcessLookupError: ",
    "daemon": "left processes behind, which were stopped (python",
    "clock": "its clock is wrong: it told",
}


@pytest.fixture(scope="module")
def listening() -> Iterator[int]:
    """The port of a server on this host."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), socketserver.BaseRequestHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


@pytest.fixture
def seen(spoilt: Path, listening: int, tmp_path: Path) -> dict[str, Observation]:
    """What became of each attempt, in a real container of the smoke run."""
    code = spoilt / "scenarios/hostile/variants.py"
    code.parent.mkdir()
    code.write_text(dedent(CODE))
    data = spoilt / "results/data"
    (data / "secret.bin").write_bytes(b"data")
    checksum = "3a6eb0790f39ac87c94f3856b2dd2c5d110e6811602261a9a923d3bb23adc8b7"  # of these four bytes
    (data / "secret.json").write_text(json.dumps({"files": [{"name": "secret.bin", "sha256": checksum, "bytes": 4}]}))
    (tmp_path / "secret").write_text("mine")
    plan = json.loads((spoilt / "results/smoke/plans/linear_regression/tf1.15-cpu.json").read_text())
    plan |= {"scenario": "hostile", "code": "scenarios/hostile/variants.py", "data": ["secret"], "results": []}
    plan["code_sha256"] = subprocess.check_output(["sha256sum", code], text=True).split()[0]
    sizes = {"port": listening, "secret": str(tmp_path / "secret"), "home": str(Path.home()), "pid": os.getpid()}
    plan["variants"] = [
        {"levels": {"attempt": name}, "sizes": sizes, "function": name, "imports": []} for name in ["fair", *REFUSED]
    ]
    (spoilt / "results/plan.json").write_text(json.dumps(plan))
    before = {path: path.stat().st_mtime_ns for path in spoilt.rglob("*") if path.is_file()}
    output = Path("results/smoke/observations/hostile/tf1.15-cpu/1.jsonl")
    command = tf_claims(
        "measure",
        *("--plan", "results/plan.json", "--prepared", "results/smoke/plans/linear_regression/tf1.15-cpu.place"),
        *("--looks", "results/smoke/looks/hostile", "--block", "1", "--threads", "2"),
        *("--git", "results/git.json", "--output", str(output)),
    )
    secret = environment() | {"TF_CLAIMS_SECRET": "mine", "APPTAINERENV_TF_CLAIMS_SECRET": "mine"}
    secret |= {"APPTAINER_BIND": f"{tmp_path}", "SINGULARITY_BINDPATH": f"{tmp_path}"}
    done = subprocess.run(command, cwd=spoilt, env=secret, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    after = {path: path.stat().st_mtime_ns for path in spoilt.rglob("*") if path.is_file()}
    made = {path for path in after if after[path] != before.get(path) and path.suffix != ".pyc"}
    assert {path.relative_to(spoilt) for path in made} - {Path("results/.lock")} == {output}
    return {str(each.levels["attempt"]): each for each in read_observations(spoilt / output) if each.attempt == 1}


def test_every_attempt_fails_and_says_so(seen: dict[str, Observation]) -> None:
    assert seen["fair"].status == "ok", seen["fair"].reason
    told = {name: (each.status, each.reason) for name, each in seen.items() if name != "fair"}
    wrong = {
        name: told[name]
        for name, reason in REFUSED.items()
        if told[name][0] != "failed" or not told[name][1].startswith(reason)
    }
    assert not wrong
    processes = subprocess.check_output(["ps", "-eo", "args"], text=True)
    assert "time.sleep(1000)" not in processes
