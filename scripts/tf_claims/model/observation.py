"""One observation: what one variant's process recorded in one block; one JSON line (``schema: 1``).

msgspec reads these rather than pydantic: a study has up to millions of lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from tf_claims.model.errors import InputError

Level = str | int | float | bool
Number = float | int | None  # None: what was computed is not a finite number
Result = Number | str | bool | list[float | int | str | None]


class Record(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A record whose unknown fields are errors and whose values do not change."""


class Phase(Record, frozen=True):
    """Seconds of one phase: elapsed, and of processor time (user + system, all threads)."""

    wall_s: float
    cpu_s: float


class Cost(Record, frozen=True):
    """The whole process, start to end."""

    wall_s: float
    cpu_s: float
    peak_rss_mb: float
    voluntary_switches: int
    involuntary_switches: int


class Host(Record, frozen=True):
    """The machine as the block found it. ``gpu`` names the device and its driver."""

    node: str
    cpu_model: str
    cpus: int
    memory_mb: int
    kernel: str
    governor: str | None
    load_1m: float
    gpu: str | None


class Threads(Record, frozen=True):
    """What was asked for and what was read back; None where the library was not loaded, 0 where it decides itself."""

    asked: int
    affinity: list[int]
    blas: int | None
    tf_intra_op: int | None
    tf_inter_op: int | None


class Image(Record, frozen=True):
    """Where the process ran: the image (or the virtual environment, without a checksum) and its lock."""

    key: str
    sha256: str | None
    lock_sha256: str
    oci_digest: str | None = None  # none was recorded before 0.2


class Git(Record, frozen=True):
    """The commit of the sources, and whether they differ from it; None outside git."""

    commit: str | None
    dirty: bool | None


class Calibration(Record, frozen=True):
    """The fixed NumPy work load before and after the block (seconds, best of several), and after / before - 1."""

    before_s: float
    after_s: float
    drift: float


class Disturbance(Record, frozen=True):
    """During the ``wall_s`` seconds of the process, on the whole host; None where the host does not tell.

    Stolen CPU seconds; seconds in which some task waited for a CPU; CPU seconds of other programs; seconds in which a
    quota of CPU time stopped it; and the frequency of its CPUs at the end of the block's two calibrations. Observations
    kept from earlier have their whole block's seconds here.
    """

    steal_s: float | None
    cpu_pressure_s: float | None
    other_cpu_s: float | None = None
    throttled_s: float | None = None
    wall_s: float | None = None
    mhz_before: float | None = None
    mhz_after: float | None = None


class Layout(Record, frozen=True):
    """Bytes by which the memory layout of the process was moved, drawn from its seed."""

    environment: int
    argument: int
    heap: int


class Gpu(Record, frozen=True):
    """The GPU that a GPU environment's block ran on; None where its driver does not tell.

    As the block found it: ``memory_used_mb`` and ``other_processes`` are those of others. ``sm_mhz`` is the clock of
    its processors right after the block, ``max_sm_mhz`` the highest.
    """

    name: str
    driver: str
    memory_mb: float | None
    memory_used_mb: float | None
    compute_mode: str
    sm_mhz: float | None
    max_sm_mhz: float | None
    memory_mhz: float | None
    other_processes: int


class Conditions(Record, frozen=True):
    """What a process was measured under."""

    host: Host
    versions: dict[str, str]
    threads: Threads
    image: Image
    git: Git
    calibration: Calibration
    disturbance: Disturbance
    gpu: Gpu | None = None
    layout: Layout | None = None


class Observation(Record, frozen=True):
    """``phases`` has import, setup, first_step and run as far as the process came.

    ``attempt`` 2 is a variant that was measured once more at the end of its block, since the first was disturbed.
    """

    schema: Literal[1]
    scenario: str
    environment: str
    levels: dict[str, Level]
    sizes: dict[str, Level]
    preset: str
    block: int
    position: int
    seed: int
    engine: Literal["container", "venv"]
    status: Literal["ok", "failed", "killed", "timeout"]
    reason: str
    phases: dict[str, Phase]
    results: dict[str, Result]
    cost: Cost
    conditions: Conditions
    attempt: int = 1


_FIX = "delete the file, and the block is measured again"
_DECODER = msgspec.json.Decoder(Observation)
T = TypeVar("T")


def read_observations(path: Path) -> Iterator[Observation]:
    """The observations of one block's file.

    :raises InputError: naming file, line and field, for a line that is cut short, foreign or of another schema.
    """
    return read_lines(path, _DECODER.decode)


def read_lines(path: Path, decode: Callable[[bytes], T]) -> Iterator[T]:
    """The lines of one block's file, each through ``decode``, which raises ``msgspec.MsgspecError`` for a bad one.

    :raises InputError: naming file, line and field, for a line that is cut short or that ``decode`` refuses.
    """
    try:
        lines = path.open("rb")
    except FileNotFoundError:
        raise InputError(f"{path}: no such observation file; measure the block again") from None
    with lines:
        for number, line in enumerate(lines, start=1):
            if not line.endswith(b"\n"):
                raise InputError(f"{path}: line {number} is cut short; {_FIX}")
            try:
                yield decode(line)
            except msgspec.MsgspecError as error:
                raise InputError(f"{path}: line {number} is not an observation: {error}; {_FIX}") from None
