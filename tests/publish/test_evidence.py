"""The observations behind an estimate, as a file to download."""

from __future__ import annotations

import csv
import io
from urllib.parse import unquote

from tf_claims.model.reason import because
from tf_claims.publish.evidence import as_csv, as_link
from tf_claims.verdicts.judgement import Evidence

EVIDENCE = Evidence(
    described=because("evidence.metric", metric="run.wall_s"),
    columns=["session_feed", "numpy"],
    result="ratio",
    numbers=[1, 2],
    values=[[2.5123456789, 0.2], [None, 0.2]],
    why_unused={2: because("did_not_end", status="killed", reason="signal 9: out of memory?")},
)


def test_the_download_has_every_digit_of_every_block_and_why_one_was_not_used() -> None:
    kind, _, content = as_link(EVIDENCE).partition(",")
    assert kind == "data:text/csv;charset=utf-8"
    assert unquote(content) == as_csv(EVIDENCE)
    heading, first, second = csv.reader(io.StringIO(as_csv(EVIDENCE)))
    assert heading == ["block", "run.wall_s of session_feed", "run.wall_s of numpy", "ratio", "not_used_because"]
    assert first == ["1", "2.5123456789", "0.2", str(2.5123456789 / 0.2), ""]
    assert second == ["2", "", "0.2", "", "killed: signal 9: out of memory?"]


def test_only_blocks_that_were_used_count() -> None:
    assert EVIDENCE.used.tolist() == [[2.5123456789, 0.2]]


def test_a_difference_is_the_first_less_the_second() -> None:
    (block,) = EVIDENCE.model_copy(update={"result": "difference", "numbers": [1], "values": [[0.5, 0.2]]}).blocks
    assert block.result == 0.5 - 0.2


def test_known_values_have_the_names_of_their_metrics() -> None:
    values = EVIDENCE.model_copy(
        update={"described": because("evidence.recorded"), "columns": ["W", "b"], "result": ""}
    )
    assert as_csv(values).splitlines()[0] == "block,W,b,not_used_because"
