"""One fresh process in a session of its own: watched, timed, stopped, and its whole group gone afterwards."""

import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any, Dict, List, NamedTuple

OUTPUT_KEPT = 4096
PR_SET_PDEATHSIG = 1
RUNNER = os.path.dirname(os.path.abspath(__file__))


class Ended(NamedTuple):
    """How a process ended. ``code``: exit code, or minus the number of the signal that killed it."""

    code: int
    timed_out: bool
    events: List[Dict[str, Any]]
    output: str
    cost: Dict[str, Any]


def run(mode: str, task: Dict[str, Any], environment: Dict[str, str], timeout_s: float) -> Ended:
    """Start the runner afresh as ``mode`` with a JSON ``task``, and wait until it ends or the time is over.

    The process reports events by :func:`report`; of what it prints, only the end is kept.
    """
    with tempfile.TemporaryFile() as events:
        task = dict(task, parent=os.getpid(), events=events.fileno())
        # -s and a chosen environment rather than -I, which would ignore PYTHONHASHSEED.
        command = [sys.executable, "-s", "-B", RUNNER, mode, json.dumps(task)]
        start = time.perf_counter()
        child = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(events.fileno(),),
            start_new_session=True,
        )
        tail = _Tail(child.stdout)
        watchdog = _Watchdog(child.pid, timeout_s)
        try:
            os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        finally:
            wall_s = time.perf_counter() - start
            watchdog.cancel()
            os.killpg(child.pid, signal.SIGKILL)  # the process is not reaped yet, so the number is still its own
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        events.seek(0)
        return Ended(child.returncode, watchdog.fired, _parse(events.read()), tail.text(), _cost(wall_s, usage))


def report(task: Dict[str, Any], **event: Any) -> None:
    """From inside the process: tell the runner something. Not on standard output, where variants may print."""
    os.write(task["events"], (json.dumps(event) + "\n").encode())


def die_with_parent(task: Dict[str, Any]) -> None:
    """From inside the process: make the kernel kill it when the runner dies, even of SIGKILL."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != task["parent"]:  # it died before the call
        os._exit(1)


class _Tail(threading.Thread):
    """Reads a pipe to its end, keeping the last bytes only."""

    def __init__(self, pipe: Any) -> None:
        super().__init__(daemon=True)
        self._pipe = pipe
        self._kept = b""
        self.start()

    def run(self) -> None:
        with self._pipe:
            while True:
                chunk = os.read(self._pipe.fileno(), 1 << 16)
                if not chunk:
                    return
                self._kept = (self._kept + chunk)[-OUTPUT_KEPT:]

    def text(self) -> str:
        self.join(timeout=1)  # a grandchild that left the session may keep the pipe open
        return self._kept.decode(errors="replace").strip()


class _Watchdog(threading.Timer):
    """Kills a process group when its time is over."""

    def __init__(self, group: int, seconds: float) -> None:
        super().__init__(seconds, self._kill)
        self._group = group
        self.fired = False
        self.daemon = True
        self.start()

    def _kill(self) -> None:
        self.fired = True
        try:
            os.killpg(self._group, signal.SIGKILL)
        except ProcessLookupError:
            pass


def _parse(lines: bytes) -> List[Dict[str, Any]]:
    """Whole lines only: the last one is cut short where the process was killed while it wrote."""
    return [json.loads(line) for line in lines.decode().split("\n")[:-1]]


def _cost(wall_s: float, usage: Any) -> Dict[str, Any]:
    return {
        "wall_s": wall_s,
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "peak_rss_mb": usage.ru_maxrss / 1024,
        "voluntary_switches": usage.ru_nvcsw,
        "involuntary_switches": usage.ru_nivcsw,
    }
