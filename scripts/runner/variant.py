"""The process of one variant: imports, set-up, first step and run, each timed apart, and nothing else timed with them.

A variant is a function ``f(case) -> (first_step, run)``. Its body is the set-up; ``first_step()`` does what traces or
compiles and leaves the state as it was; ``run()`` is what is timed and returns a dict of results.
"""

import importlib
import importlib.util
import json
import os
import pathlib
import platform
import sys
import time
import traceback
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any, Dict, Iterator, List

from runner import bytecode, gpu, layout, threads
from runner.process import die_with_parent, report

VERSIONED = ("numpy", "keras", "tf_keras")  # besides the modules that the plan imports
REASON_KEPT = 1500


def main(arguments: List[str]) -> int:
    """Run one variant in this process, and tell its parent what happened."""
    task = json.loads(arguments[1])
    die_with_parent(task)
    layout.shift_heap(task["heap"])
    bytecode.keep_in(task["bytecode"])
    try:
        _measure(task)
    except BaseException as error:  # SystemExit too: a variant that leaves has failed
        report(task, failed=_describe(error, task["code"]))
        return 1
    return 0


def _measure(task: Dict[str, Any]) -> None:
    with _phase(task, "import"):
        for name in task["imports"]:
            importlib.import_module(name)
        code = _load(task["code"])
    report(task, versions=_versions(task["imports"]))
    case = SimpleNamespace(
        levels=task["levels"],
        sizes=task["sizes"],
        seed=task["seed"],
        block_seed=task["block_seed"],
        threads=task["threads"],
        data=pathlib.Path(task["data"]),
    )
    with _phase(task, "setup"):
        first_step, run = getattr(code, task["function"])(case)
    with _phase(task, "first_step"):
        first_step()
    with _phase(task, "run"):
        results = run()
    if task.get("needs_gpu"):
        gpu.require()
    report(task, threads=threads.read_back(task["threads"]))
    report(task, results=_declared(results, task["results"]))


@contextmanager
def _phase(task: Dict[str, Any], name: str) -> Iterator[None]:
    """Times what is inside, on the GPU too; a phase that raises is not reported."""
    cpu, wall = time.process_time(), time.perf_counter()
    yield
    if name != "import":
        gpu.finish()
    wall_s, cpu_s = time.perf_counter() - wall, time.process_time() - cpu
    report(task, phase=name, wall_s=wall_s, cpu_s=cpu_s)


def _load(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("variants", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["variants"] = module
    spec.loader.exec_module(module)
    return module


def _versions(imports: List[str]) -> Dict[str, str]:
    """Versions of the modules as they were really imported."""
    loaded = {name: sys.modules[name] for name in (*imports, *VERSIONED) if name in sys.modules}
    found = {name: str(module.__version__) for name, module in loaded.items() if hasattr(module, "__version__")}
    return dict(found, python=platform.python_version())


def _declared(results: Any, names: List[str]) -> Dict[str, Any]:
    """The results as plain Python values.

    :raises TypeError: for results that are no dict, or of a kind that has no place in an observation.
    :raises ValueError: for a name that the scenario does not declare under ``metrics``.
    """
    if not isinstance(results, dict):
        raise TypeError("run() returned {!r} where a dict of results is expected".format(results))
    for name in results:
        if name not in names:
            raise ValueError("run() returned {!r}, which is not among the scenario's metrics".format(name))
    return {name: _plain(name, value) for name, value in results.items()}


def _plain(name: str, value: Any) -> Any:
    if hasattr(value, "tolist"):  # NumPy's scalars and arrays
        value = value.tolist()
    if isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(name, each) for each in value]
    raise TypeError("result {!r} is {!r}, which is no number, text, or list of these".format(name, value))


def _describe(error: BaseException, code: str) -> str:
    """``ValueError: what happened (variants.py, line 12)``: the last line of the traceback, and where."""
    text = "".join(traceback.format_exception_only(type(error), error)).strip()
    if isinstance(error, SystemExit):
        text = "left by sys.exit({!r})".format(error.code)
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == code]
    place = " ({}, line {})".format(os.path.basename(code), lines[-1]) if lines else ""
    return text[:REASON_KEPT] + place
