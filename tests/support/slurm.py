"""A throw-away Slurm on this host: munge, slurmctld and a few slurmd on loopback, without systemd.

``python tests/support/slurm.py start FOLDER`` and ``… stop FOLDER``; its clients are in ``FOLDER/bin``. Its nodes share
the host's CPUs, so nothing can be learnt from times measured on it. As root on Debian it installs what is missing.
"""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from tf_claims.model.errors import InputError

PACKAGES = ("munge", "slurmctld", "slurmd", "slurm-client", "slurm-wlm-basic-plugins")
DAEMONS = ("munged", "slurmctld", "slurmd")
CLIENTS = ("sbatch", "srun", "squeue", "scancel", "scontrol", "sinfo")
SYSTEM_PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
NODE_MB = 6000
PATIENCE_S = 30


class Slurm:
    """A cluster in ``folder`` (a short path: sockets lie in it) with the nodes ``n1``, ``n2``, …"""

    def __init__(self, folder: Path, nodes: int = 2) -> None:
        self.folder = folder.absolute()
        self.nodes = [f"n{number}" for number in range(1, nodes + 1)]

    def start(self) -> None:
        """Start all daemons and wait until every node is idle.

        :raises InputError: where Slurm is missing or does not come up.
        """
        install()
        self._configure()
        self._daemon(
            "munged",
            "--force",
            f"--key-file={self.folder}/munge.key",
            f"--socket={self.folder}/munge.socket",
            f"--pid-file={self.folder}/munged.pid",
            f"--log-file={self.folder}/munged.log",
            f"--seed-file={self.folder}/munge.seed",
        )
        self._daemon("slurmctld")
        for node in self.nodes:
            self.start_node(node)

    def start_node(self, node: str) -> None:
        """Start one node and wait until jobs can run on it."""
        self._daemon("slurmd", "-N", node)
        self._wait(lambda: self.client("sinfo", "--noheader", "--nodes", node, "--format", "%T") == "idle", node)

    def lose_node(self, node: str) -> None:
        """End all processes of a node at once, as when its power fails."""
        jobs = self.client("squeue", "--noheader", "--nodelist", node, "--format", "%A").split()
        daemon = self._pid(node)
        steps = {pid for job in jobs for pid in _step_daemons(job)}
        for pid in _descendants(steps | ({daemon} if daemon else set())):
            _kill(pid, signal.SIGKILL)

    def stop(self) -> None:
        """Cancel what runs and stop every daemon that was started here."""
        if self._pid("slurmctld") is not None:
            self.client("scancel", "--user", getpass.getuser())
            self._wait(lambda: self.client("squeue", "--noheader") == "", "the end of the jobs")
        # munge last: the others sign their messages with it.
        for names in ((*self.nodes, "slurmctld"), ("munged",)):
            pids = [pid for pid in map(self._pid, names) if pid is not None]
            for pid in pids:
                _kill(pid, signal.SIGTERM)
            self._wait(lambda pids=pids: not any(map(_runs, pids)), " and ".join(names))

    def client(self, *command: str) -> str:
        """What a client program prints; nothing where it fails."""
        done = subprocess.run([self.folder / "bin" / command[0], *command[1:]], capture_output=True, text=True)
        return done.stdout.strip()

    def _configure(self) -> None:
        host = socket.gethostname().split(".")[0]
        if not socket.gethostbyname(host).startswith("127."):
            raise InputError(f"the host name {host} must resolve to loopback: add '127.0.0.1 {host}' to /etc/hosts")
        for name in ("state", "bin", *(f"spool-{node}" for node in self.nodes)):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o755)
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        cpus = os.cpu_count()
        port, *ports = free_ports(1 + len(self.nodes))
        nodes = "\n".join(
            f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={each} "
            f"CPUs={cpus} Sockets=1 CoresPerSocket={cpus} ThreadsPerCore=1 RealMemory={NODE_MB} Gres=gpu:1"
            for node, each in zip(self.nodes, ports, strict=True)
        )
        text = Path(__file__).with_name("slurm.conf").read_text()
        configuration = self.folder / "slurm.conf"
        configuration.write_text(
            text.format(host=host, port=port, user=getpass.getuser(), folder=self.folder, nodes=nodes)
        )
        (self.folder / "gres.conf").write_text("Name=gpu File=/dev/null\n")
        (self.folder / "cgroup.conf").write_text("CgroupAutomount=no\n")
        for client in CLIENTS:
            # Snakemake clears SLURM_CONF before srun, so each client finds the configuration by itself.
            script = self.folder / "bin" / client
            script.write_text(f'#!/bin/sh\nSLURM_CONF={configuration} exec /usr/bin/{client} "$@"\n')
            script.chmod(script.stat().st_mode | stat.S_IXUSR)

    def _daemon(self, program: str, *options: str) -> None:
        environment = {"PATH": SYSTEM_PATH, "SLURM_CONF": str(self.folder / "slurm.conf")}
        done = subprocess.run([program, *options], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if done.returncode:
            raise InputError(f"{program} does not start: {done.stderr.decode(errors='replace').strip()}")

    def _pid(self, name: str) -> int | None:
        """The process of a daemon, where it runs."""
        try:
            pid = int((self.folder / f"{name}.pid").read_text())
        except (FileNotFoundError, ValueError):
            return None
        return pid if _runs(pid) else None

    def _wait(self, done: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE_S
        while not done():
            if time.monotonic() > end:
                raise InputError(f"waited for {what} in vain; the daemons' logs are in {self.folder}")
            time.sleep(0.1)


def free_ports(number: int) -> list[int]:
    """Ports of loopback that nobody listens on just now."""
    with ExitStack() as held:
        servers = [held.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(number)]
        return [server.getsockname()[1] for server in servers]


def install() -> None:
    """Install Debian's Slurm where it is missing.

    :raises InputError: where that needs an administrator.
    """
    if all(shutil.which(name, path=SYSTEM_PATH) for name in (*DAEMONS, *CLIENTS)):
        return
    command = ["apt-get", "install", "--yes", "--no-install-recommends", *PACKAGES]
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise InputError(f"Slurm is not installed; ask an administrator of a Debian host for: {' '.join(command)}")
    done = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    )
    if done.returncode:
        raise InputError(f"Slurm could not be installed: {done.stderr.strip()}")


def _descendants(of: set[int]) -> set[int]:
    """Processes and all that they started, as /proc tells, see proc(5)."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    found: set[int] = set()
    while of - found:
        found |= of
        of = {child for child, parent in parents.items() if parent in found}
    return found


def _step_daemons(job: str) -> set[int]:
    """The daemons that watch the steps of a job."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (entry / "cmdline").read_bytes().startswith(f"slurmstepd: [{job}.".encode()):
                found.add(int(entry.name))
    return found


def _runs(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def _kill(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def main() -> None:
    match sys.argv[1:]:
        case ["start", folder]:
            Slurm(Path(folder)).start()
        case ["stop", folder]:
            Slurm(Path(folder)).stop()
        case _:
            raise InputError("use: python tests/support/slurm.py start|stop FOLDER")


if __name__ == "__main__":
    try:
        main()
    except InputError as error:
        sys.exit(f"error: {error}")
