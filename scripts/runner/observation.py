"""The observation of one variant, as ``tf_claims.model.observation`` reads it on the host."""

import json
import math
import signal
from typing import Any, Dict, List, Optional, Tuple

from runner.process import Ended
from runner.threads import mismatch

CLOCKS = ("wall_s", "cpu_s")
PHASES = ("import", "setup", "first_step", "run")
CLOCKS_DIFFER = 0.05  # a twentieth, and as many seconds: the kernel counts a process' CPU time in ticks


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
    if ended.left:
        names = ", ".join(sorted(set(ended.left)))
        return "failed", "left processes behind, which were stopped ({}): nothing may run beside the next".format(names)
    wrong = _impossible(ended) or mismatch(threads, affinity)
    return ("ok", "") if wrong is None else ("failed", wrong)


def _impossible(ended: Ended) -> Optional[str]:
    """What is wrong with the times that a process told of itself, beside those that were seen from outside."""
    events = [event for event in ended.events if "phase" in event]
    for event in events:
        if not _possible(event):
            return "its clock is wrong: it told {}".format(json.dumps(event))
    for clock in CLOCKS:
        told = sum(event[clock] for event in events)
        if told > ended.cost[clock] * (1 + CLOCKS_DIFFER) + CLOCKS_DIFFER:
            message = "its clock is wrong: phases of {:.4g} s in a process of {:.4g} s ({})"
            return message.format(told, ended.cost[clock], clock)
    return None


def phases(ended: Ended) -> Dict[str, Dict[str, float]]:
    """The phases as far as the process came: wall and CPU seconds."""
    found = [event for event in ended.events if "phase" in event and _possible(event)]
    return {event["phase"]: {clock: event[clock] for clock in CLOCKS} for event in found}


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


def _possible(event: Dict[str, Any]) -> bool:
    """Whether an event is a phase with its times: a variant can tell anything."""
    times = [event.get(clock) for clock in CLOCKS]
    return event["phase"] in PHASES and all(isinstance(time, float) and 0 <= time < math.inf for time in times)


def _name(number: int) -> str:
    name = signal.Signals(number).name
    return name + ": probably out of memory" if number == signal.SIGKILL else name


def _with_output(reason: str, ended: Ended) -> str:
    return reason + "\nlast output:\n" + ended.output if ended.output else reason
