"""The observation of one variant, as ``tf_claims.model.observation`` reads it on the host."""

import math
import signal
from typing import Any, Dict, List, Tuple

from runner.process import Ended
from runner.threads import mismatch


def outcome(ended: Ended, threads: Dict[str, Any], affinity: List[int], timeout_s: float) -> Tuple[str, str]:
    """``(status, reason)`` of a variant's process: ok, failed, killed or timeout."""
    told = _merged(ended)
    if ended.timed_out:
        return "timeout", _with_output("stopped after {:g} s".format(timeout_s), ended)
    if ended.code < 0:
        return "killed", _with_output(_name(-ended.code), ended)
    if "failed" in told:
        return "failed", _with_output(told["failed"], ended)
    if "results" not in told:
        return "failed", _with_output("ended without a result (exit code {})".format(ended.code), ended)
    wrong = mismatch(threads, affinity)
    return ("ok", "") if wrong is None else ("failed", wrong)


def phases(ended: Ended) -> Dict[str, Dict[str, float]]:
    """The phases as far as the process came: wall and CPU seconds."""
    found = [event for event in ended.events if "phase" in event]
    return {event["phase"]: {"wall_s": event["wall_s"], "cpu_s": event["cpu_s"]} for event in found}


def told(ended: Ended, name: str, default: Dict[str, Any]) -> Dict[str, Any]:
    """What the process told under a name, or ``default`` where it did not come that far."""
    return finite(_merged(ended).get(name, default))  # type: ignore[no-any-return]


def finite(value: Any) -> Any:
    """The value with every number that is not finite replaced by None, which JSON can hold."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, list):
        return [finite(each) for each in value]
    if isinstance(value, dict):
        return {name: finite(each) for name, each in value.items()}
    return value


def _merged(ended: Ended) -> Dict[str, Any]:
    return {name: value for event in ended.events if "phase" not in event for name, value in event.items()}


def _name(number: int) -> str:
    name = signal.Signals(number).name
    return name + ": probably out of memory" if number == signal.SIGKILL else name


def _with_output(reason: str, ended: Ended) -> str:
    return reason + "\nlast output:\n" + ended.output if ended.output else reason
