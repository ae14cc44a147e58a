from typing import Any

from tests.support.synthetic_results import verdict

from tf_claims.model.verdict import Verdict
from tf_claims.words.joined import join


def given(environment: str, word: str, **fields: Any) -> Verdict:
    return Verdict.model_validate(verdict("C2", environment, word, **fields))


def test_gpu_environments_not_run_for_one_reason_are_one():
    verdicts = [
        given("tf2.21-cpu", "not run", reason="no NVIDIA GPU"),
        given("tf1.15-gpu", "not run", reason="GPU too new"),
        given("tf2.0-gpu", "not run", reason="GPU too new"),
        given("tf2.15-gpu", "reproduced"),
        given("tf2.21-gpu", "not run", reason="driver too old"),
    ]
    joined = join(verdicts)
    assert [each.environment for each in joined] == ["tf2.21-cpu", "tf1.15-gpu+tf2.0-gpu", "tf2.15-gpu", "tf2.21-gpu"]
    assert [each.verdict for each in joined] == ["not run", "not run", "reproduced", "not run"]
    assert joined[1].reason == "GPU too new"
