"""`make reproduce ENGINE=venv`: the same locks without containers, and said wherever a number stands."""

from __future__ import annotations

import json

import pytest
from tests.support.make import make_in

from tf_claims.bench.checkout import copied_checkout

pytestmark = pytest.mark.container


def test_virtual_environments_are_labelled_everywhere():
    with copied_checkout() as checkout:
        done = make_in(checkout)(
            "reproduce", ENGINE="venv", PRESET="smoke", ENVS="tf1.15-cpu", SCENARIOS="linear_regression"
        )
        assert done.returncode == 0, done.stderr[-3000:]
        results = checkout / "results" / "smoke"
        assert "engine: venv" in done.stderr
        verdicts = json.loads((results / "verdicts.json").read_text())
        assert {each["engine"] for each in verdicts if each["verdict"] != "not run"} == {"venv"}
        assert "Not containerised." in (results / "report" / "index.html").read_text()
        assert "| venv |" in (results / "tables" / "verdicts.md").read_text()
        for path in (results / "observations").rglob("*.jsonl"):
            assert '"sha256": null' in path.read_text()
