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
from typing import Any, Dict, List, NamedTuple, Set

OUTPUT_KEPT = 4096
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
RUNNER = os.path.dirname(os.path.abspath(__file__))


class Ended(NamedTuple):
    """How a process ended. ``code``: exit code, or minus the number of the signal that killed it.

    ``left``: the names of processes that it had put into sessions of their own, and that were still there.
    """

    code: int
    timed_out: bool
    events: List[Dict[str, Any]]
    output: str
    cost: Dict[str, Any]
    left: List[str]


def run(mode: str, task: Dict[str, Any], environment: Dict[str, str], timeout_s: float) -> Ended:
    """Start the runner afresh as ``mode`` with a JSON ``task``, and wait until it ends or the time is over.

    The process reports events by :func:`report`; of what it prints, only the end is kept.
    """
    # What loses its parent becomes a child of this process, where it is found.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    earlier = {each.pid for each in _children()}
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
            left = _end_the_rest(child.pid, earlier)
            child.returncode = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        events.seek(0)
        return Ended(child.returncode, watchdog.fired, _parse(events.read()), tail.text(), _cost(wall_s, usage), left)


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


class _Child(NamedTuple):
    pid: int
    name: str
    ended: bool
    group: int


def _children() -> List[_Child]:
    """The children of this process."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open("/proc/{}/stat".format(name)) as file:
                program, _, rest = file.read().partition("(")[2].rpartition(")")
        except OSError:  # it ended meanwhile
            continue
        state, parent, group = rest.split()[:3]
        if int(parent) == os.getpid():
            found.append(_Child(int(name), program, state == "Z", int(group)))
    return found


def _end_the_rest(group: int, earlier: Set[int]) -> List[str]:
    """Kill and reap what a process and its children left, until nothing is; the names of those outside its group."""
    left: List[str] = []
    while True:
        rest = [each for each in _children() if each.pid not in earlier]
        if not rest:
            return left
        for each in rest:
            if not each.ended and each.group != group:
                left.append(each.name)
            os.kill(each.pid, signal.SIGKILL)
            os.waitpid(each.pid, 0)


def _parse(lines: bytes) -> List[Dict[str, Any]]:
    """Whole lines only: the last one is cut short where the process was killed while it wrote.

    A variant can write into the pipe, too; what is no event there has failed.
    """
    events = []
    for line in lines.decode(errors="replace").split("\n")[:-1]:
        try:
            event = json.loads(line)
        except ValueError:
            event = None
        if not isinstance(event, dict):
            event = {"failed": "wrote {!r} where the runner is told of its phases".format(line[:100])}
        events.append(event)
    return events


def _cost(wall_s: float, usage: Any) -> Dict[str, Any]:
    return {
        "wall_s": wall_s,
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "peak_rss_mb": usage.ru_maxrss / 1024,
        "voluntary_switches": usage.ru_nvcsw,
        "involuntary_switches": usage.ru_nivcsw,
    }
