"""What every block gave, as a file of its own: a link that needs no other file."""

from __future__ import annotations

import csv
import io
from urllib.parse import quote

from tf_claims.verdicts.judgement import Evidence
from tf_claims.words.messages import ENGLISH


def as_csv(evidence: Evidence) -> str:
    """All digits, a line a block; in English, as all files are."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    metric = evidence.described.values.get("metric")
    names = [f"{metric} of {column}" if metric else column for column in evidence.columns]
    writer.writerow(["block", *names, *filter(None, [evidence.result]), "not_used_because"])
    for block in evidence.blocks:
        why = "" if block.why_unused is None else ENGLISH.reason(block.why_unused)
        writer.writerow([block.number, *block.values, *([block.result] if evidence.result else []), why])
    return text.getvalue()


def as_link(evidence: Evidence) -> str:
    """The same as the target of a link."""
    return "data:text/csv;charset=utf-8," + quote(as_csv(evidence))
