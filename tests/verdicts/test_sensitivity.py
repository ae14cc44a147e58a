"""Robust words and words that hang on one choice, each planted in made-up blocks."""

from __future__ import annotations

import json
from typing import Any, cast

import numpy as np
import pytest

from tf_claims.bench.made_up import study_files
from tf_claims.cells.cell import Blocks, Cell, Which
from tf_claims.cells.measurements import arrange
from tf_claims.cells.tidy import tidy
from tf_claims.estimands.equivalence import Equivalence
from tf_claims.estimands.kind import Asked, Chosen, Kind
from tf_claims.estimands.ratio import Ratio
from tf_claims.estimands.value import Tolerance, Value
from tf_claims.model.study import plan_study
from tf_claims.tables.write import sensitivity_table
from tf_claims.verdicts.judge import judge
from tf_claims.verdicts.sensitivity import Sensitivity, sensitivity

SLOW, FAST = Chosen({"method": "slow"}, {}, {}), Chosen({"method": "fast"}, {}, {})
METHODS: dict[str, Any] = {"metric": "run.wall_s", "of": SLOW.levels, "to": FAST.levels}
STEADY = [9.8, 10.0, 10.2, 9.9, 10.1]


class Recorded:
    """Stands for a cell in which the first ``good`` blocks are good and the others disturbed."""

    def __init__(self, values: np.ndarray, good: int) -> None:
        self.values, self.good = values, good

    def complete(self, columns: object, positive: bool, bounds: bool, which: Which) -> Blocks:
        values = self.values[: self.good] if which == "good" else self.values
        numbers = [*range(1, len(values) + 1)]
        return Blocks(numbers, values, np.zeros(values.shape, bool), {}, {}, dict.fromkeys(numbers, "one machine"))


def judged(kind: Kind, rows: list[list[float]], published: float | None, good: int | None = None) -> Sensitivity:
    values = np.array(rows)
    used = len(rows) if good is None else good
    asked = Asked(values[:used], ["one machine"] * used, [SLOW, FAST][: values.shape[1]], published)
    recorded = Recorded(values, used)
    return sensitivity(kind, asked, cast(Cell, recorded), [], recorded.complete([], True, False, "good"))


def ratios(values: list[float], good: int | None = None) -> Sensitivity:
    return judged(Ratio.model_validate(METHODS), [[each, 1.0] for each in values], 10, good)


def test_a_steady_ratio_is_robust_under_each_of_ten_other_ways() -> None:
    found = ratios(STEADY)
    assert found.words == ["reproduced"] * 10
    assert [*found.one_dropped] == [1, 2, 3, 4, 5]
    assert found.robust("reproduced") and not found.robust("inconclusive")


def test_one_block_that_carries_a_word_is_named() -> None:
    found = ratios([10.0, 10.1, 9.9, 4.0])
    # Student's interval of all four reaches out of the band; without the fourth it is narrow.
    assert found.one_dropped[4] == "reproduced"
    assert {found.one_dropped[block] for block in (1, 2, 3)} == {"direction only"}
    assert (found.agreeing("direction only"), len(found.words)) == (8, 9)
    assert not found.robust("direction only")


def test_disturbed_blocks_change_the_word_of_all_blocks_alone() -> None:
    found = ratios([*STEADY, 1.0, 90.0], good=5)
    assert (found.good_blocks, found.all_blocks) == ("reproduced", "direction only")
    assert found.agreeing("reproduced") == 9 and found.robust("reproduced")  # nine of ten


def test_medians_are_not_led_by_one_late_process() -> None:
    found = ratios([10.0] * 14 + [1e5])
    assert found.medians == "reproduced" and found.one_dropped[1] == "direction only"


@pytest.mark.parametrize(
    ("times", "narrower", "wider"), [(1.02, "reproduced", "reproduced"), (1.09, "contradicted", "reproduced")]
)
def test_a_difference_near_the_margin_hangs_on_the_margin(times: float, narrower: str, wider: str) -> None:
    claim = Equivalence.model_validate(METHODS | {"margin": 0.1})
    found = judged(claim, [[times * each, 1.0] for each in (0.9999, 1.0, 1.0001, 1.0)], None)
    assert (found.narrower, found.wider) == (narrower, wider)
    assert found.robust("reproduced") == (narrower == wider)


def test_a_ratio_near_the_end_of_its_band_hangs_on_the_band() -> None:
    # The band around 10 is 5 to 20; 0.8 times as wide it ends at 10 / 2 ** 0.8 = 5.7.
    found = ratios([5.4, 5.41, 5.39, 5.4])
    assert (found.narrower, found.medians, found.wider) == ("direction only", "reproduced", "reproduced")


def test_known_values_hang_on_the_tolerance() -> None:
    claim = Value(of=SLOW.levels, metrics={"x": Tolerance(equals=1.0, within=0.1)})
    found = judged(claim, [[1.09], [1.0], [1.0]], None)
    assert (found.narrower, found.wider) == ("contradicted", "reproduced")


def test_a_word_of_two_blocks_is_not_robust() -> None:
    found = ratios([10.0, 10.0001])
    assert found.good_blocks == "reproduced" and set(found.one_dropped.values()) == {"inconclusive"}
    assert not found.robust("reproduced")


def test_each_verdict_that_was_run_has_its_word_and_the_table_a_row(tmp_path) -> None:
    study = plan_study("quick", lambda stack: None, ["tf2.21-cpu"], ["linear_regression"])
    table = tidy(study_files(tmp_path, ["tf2.21-cpu"], 4))
    judgements = judge(study, arrange(tmp_path, table, set(table.column_names), study))
    run = [each for each in judgements if each.verdict.verdict != "not run"]
    assert run and all(each.sensitivity is not None for each in run)
    for each in judgements:
        others, word = each.sensitivity, each.verdict.verdict
        assert each.verdict.robust == (None if others is None else others.robust(word))
        assert type(each).model_validate(json.loads(each.model_dump_json())) == each
    rows = sensitivity_table(judgements).rows
    assert [(row[1], row[3]) for row in rows] == [(each.verdict.claim, each.verdict.verdict) for each in run]
    assert all((row[-1] == "yes") == (row[-3] >= 0.9 * row[-2]) for row in rows)
