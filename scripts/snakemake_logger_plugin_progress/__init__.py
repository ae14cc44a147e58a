"""Snakemake's messages for a person who waits: jobs done of total, what runs now, time left, errors with their cause.

Snakemake finds the plugin by its name on the import path and uses it with ``--logger progress``.
"""

from __future__ import annotations

import logging
import sys
import time
from pathlib import Path
from typing import Any

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_progress.remaining import Remaining
from snakemake_logger_plugin_progress.slurm import why_it_ended

LINES_OF_A_FAILED_LOG = 12
WITHOUT_A_MESSAGE = {"measure_block": "measuring {scenario} in {environment}, block {block}"}


class LogHandler(LogHandlerBase):
    """Writes one line when a job starts or fails."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = True
    needs_rulegraph = False

    def __post_init__(self) -> None:
        self.remaining = Remaining(clock=time.monotonic)
        self.dry_run = bool(self.common_settings.dryrun)

    def emit(self, record: logging.LogRecord) -> None:
        """Say what a person wants to know of an event."""
        event = getattr(record, "event", None)
        fields: dict[str, Any] = record.__dict__
        if event == LogEvent.RUN_INFO:
            self.remaining.plan({rule: n for rule, n in fields["stats"].items() if rule != "total"})
        elif event == LogEvent.JOB_INFO:
            self._started(fields)
        elif event == LogEvent.JOB_FINISHED:
            self.remaining.finished(fields["job_id"])
        elif event == LogEvent.PROGRESS:
            self.remaining.planned(fields["total"])
        elif event == LogEvent.JOB_ERROR:
            self._failed(fields)
        elif event == LogEvent.ERROR and fields["exception"] != "RuleException":
            # A job's own error was said by JOB_ERROR, with its cause.
            self._say(record.getMessage())

    def _started(self, fields: dict[str, Any]) -> None:
        if fields["rule_name"] == "all":
            return
        done = self.remaining.started(fields["jobid"], fields["rule_name"])
        what = fields["rule_msg"] or WITHOUT_A_MESSAGE.get(fields["rule_name"], "{rule_name}").format(
            rule_name=fields["rule_name"], **(fields["wildcards"] or {})
        )
        left = "" if self.dry_run else self.remaining.in_words()
        self._say(f"[{done} of {self.remaining.total} jobs done] {what}{left}")

    def _failed(self, fields: dict[str, Any]) -> None:
        self._say(f"failed: {fields['rule_name']} ({', '.join(fields['output'])})")
        logs = [Path(name) for name in fields["log"]]
        if why := why_it_ended(fields["rule_msg"] or "", logs[-1] if logs else None):
            self._say(f"    {why}")
        for path in logs:
            if path.is_absolute() and why:
                # All that Snakemake said on the node; the job's own log, before this one, has the cause.
                self._say(f"    (what the job printed: {path})")
                continue
            if path.is_file():
                lines = path.read_text(errors="replace").splitlines()
                self._say("\n".join(f"    {line}" for line in lines[-LINES_OF_A_FAILED_LOG:]))
                self._say(f"    (all of it: {path})")

    @staticmethod
    def _say(text: str) -> None:
        print(text, file=sys.stderr, flush=True)
