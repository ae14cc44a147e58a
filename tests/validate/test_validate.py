"""The proof of the harness is itself put to the test: known answers, planted faults, and what it writes."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError
from scipy.stats import norm

from tf_claims.model.errors import InputError
from tf_claims.model.verdict import Verdict
from tf_claims.statistics.equivalence import Equivalence
from tf_claims.statistics.intervals import Estimate
from tf_claims.statistics.ratio import ratio
from tf_claims.validate import criteria, fixed_blocks, simulation
from tf_claims.validate.figures import draw_figures, wilson
from tf_claims.validate.measured import METRIC, HarnessVerdicts, SameProgram, read_measured, same_programs
from tf_claims.validate.noise import KINDS, Noise
from tf_claims.validate.page import build_page
from tf_claims.validate.sequential import SequentialCell, simulate_rule
from tf_claims.validate.simulation import Simulated, simulate
from tf_claims.validate.summary import Summary, summarise
from tf_claims.verdicts.judgement import Judgement, write_judgements

QUIET = KINDS[0]
CELL = fixed_blocks.SimulatedCell(
    blocks=5,
    noise=QUIET.name,
    runs=100,
    coverage=0.95,
    withheld=0.0,
    coverage_shown=0.95,
    refuted=0.97,
    false_reproduced=0.02,
    false_reproduced_at_edge=0.01,
    false_equivalent=0.04,
)
CELLS = [CELL, CELL.model_copy(update={"noise": KINDS[-1].name})]
LOOKED = SequentialCell(
    least=3, most=12, spread=0.1, runs=100, mean_blocks=9.5, at_limit=0.3, coverage=0.94, false_reproduced=0.03
)


TWO = KINDS[-1].name


def coverage(share: float, noise: str = QUIET.name) -> dict[str, object]:
    return {"blocks": 5, "noise": noise, "coverage": share, "withheld": 0.5, "coverage_shown": share, "runs": 9}


def chance() -> np.random.Generator:
    return np.random.default_rng(1)


def verdict(claim: str, word: str, estimate: float | None, **fields: object) -> Verdict:
    return Verdict.model_validate(
        {
            "claim": claim,
            "scenario": "harness",
            "environment": "tf1.15-cpu",
            "says": "",
            "estimand": "ratio" if claim.startswith("slow") else "equivalence",
            "verdict": word,
            "reason": "",
            "because": [],
            "estimate": estimate,
            "ci_low": estimate and estimate - 0.02,
            "ci_high": estimate and estimate + 0.02,
            "published": None,
            "published_figures": "",
            "blocks": 5,
            "scaled_down": False,
            "scaled_down_note": "",
            "engine": "container",
        }
        | fields
    )


SAME = [
    verdict("same-numpy-100", "reproduced", 1.01, half_width=0.02),
    verdict("same-numpy-1000", "inconclusive", 0.97, half_width=0.06),
    verdict("same-python-100", "reproduced", 1.0, half_width=0.03),
]
PLANTED = {
    0.03: [verdict("slow-3-numpy-100", "inconclusive", 1.01, published=1.03)],
    0.05: [
        verdict("slow-5-numpy-100", "reproduced", 1.05, published=1.05),
        verdict("slow-5-matrix-400", "direction only", 1.04, published=1.05),
        verdict("slow-5-python-100", "contradicted", 0.9, published=1.05),
    ],
    0.10: [verdict("slow-10-numpy-100", "reproduced", 1.10, published=1.10)],
}
TWICE = [
    SameProgram("linear_regression", "tf1.15-cpu", "session_feed", Estimate(1.01, 0.98, 1.04, 5)),
    SameProgram("linear_regression", "tf2.0-cpu", "session_feed", Estimate(1.05, 1.02, 1.08, 5)),
]
MEASURED = HarnessVerdicts(SAME, PLANTED, TWICE)


@pytest.mark.parametrize("noise", KINDS, ids=lambda noise: noise.name)
def test_drawn_times_have_the_ratio_that_they_are_said_to_have(noise) -> None:
    seeded = chance()
    logs = np.concatenate([np.log(np.divide(*noise.draw(seeded, 20, ratio=1.3))) for _ in range(1000)])
    assert abs(logs.mean() - math.log(1.3)) < 5 * logs.std() / math.sqrt(len(logs))


def test_what_a_block_does_to_both_variants_cancels_and_its_size_is_as_stated() -> None:
    noise = Noise("", of=0.0, to=0.0, block=0.1)
    of, to = noise.draw(chance(), 20_000, ratio=2.0)
    assert np.allclose(of / to, 2.0)
    assert np.log(to).std() == pytest.approx(0.1, rel=0.05)


def test_student_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Four standard errors of the simulation: 2.8 % at 95 %."""
    cell = fixed_blocks.simulate_cell(QUIET, 5, 1000, chance())
    assert cell.coverage == pytest.approx(0.95, abs=0.028)
    assert cell.refuted == 1  # a third of a factor of two is far away for quiet times
    assert cell.false_reproduced == 0
    assert cell.false_reproduced_at_edge == pytest.approx(0.025, abs=0.02)  # one end of a 95 % interval
    assert cell.false_equivalent <= 0.05 + 0.028


def test_two_states_are_drawn_as_stated_and_verdicts_that_hang_on_them_withheld() -> None:
    of, _ = KINDS[-2].draw(chance(), 20_000, ratio=1.0)
    low, high = np.log(of[of < 1.2]), np.log(of[of > 1.2])
    assert high.mean() - low.mean() == pytest.approx(math.log(1.5), abs=0.02)
    assert len(high) / len(of) == pytest.approx(0.4, abs=0.02)
    cell = fixed_blocks.simulate_cell(KINDS[-2], 10, 300, chance())
    assert cell.withheld > 0.8  # nearly all are found, and of a ratio of 1.3 either side could be
    assert cell.coverage >= criteria.COVERAGE[0] - 0.03
    assert fixed_blocks.simulate_cell(KINDS[1], 10, 300, chance()).withheld <= 0.02  # two variants at 1 % at most


def test_an_interval_that_forgets_student_is_found_out(monkeypatch) -> None:
    """With normal quantiles, five blocks cover 87.8 %: t has four degrees of freedom."""

    def too_narrow(of, to, confidence=0.95, strata=None) -> Estimate:
        logs = np.log(of / to)
        half = norm.ppf(0.5 + confidence / 2) * logs.std(ddof=1) / math.sqrt(len(logs))
        low, value, high = np.exp(logs.mean() + half * np.array([-1, 0, 1]))
        return Estimate(value, low, high, len(logs))

    monkeypatch.setattr(fixed_blocks, "ratio", too_narrow)
    cell = fixed_blocks.simulate_cell(QUIET, 5, 1000, chance())
    assert cell.coverage == pytest.approx(0.878, abs=0.03)
    assert cell.coverage < criteria.COVERAGE[0]


def test_an_equivalence_from_the_estimate_alone_is_found_out(monkeypatch) -> None:
    """On the margin an estimate lies inside it in half of all runs."""

    def careless(of, to, margin, relative) -> Equivalence:
        found = ratio(of, to)
        point = found._replace(low=found.value, high=found.value)
        return Equivalence(point, point, (1 / (1 + margin), 1 + margin))

    monkeypatch.setattr(fixed_blocks, "equivalence", careless)
    cell = fixed_blocks.simulate_cell(QUIET, 5, 400, chance())
    assert cell.false_equivalent == pytest.approx(0.5, abs=0.1)


def test_adding_blocks_ends_where_the_spread_says() -> None:
    calm = simulate_rule(3, 12, 0.001, 50, chance())
    assert (calm.mean_blocks, calm.at_limit) == (5, 0)
    wild = simulate_rule(3, 12, 1.0, 50, chance())
    assert (wild.mean_blocks, wild.at_limit) == (12, 1)


def test_stopping_without_further_blocks_is_found_out(monkeypatch) -> None:
    assert simulate_rule(3, 12, 0.06, 1000, chance()).coverage > criteria.COVERAGE[0] - 0.016  # two standard errors
    monkeypatch.setattr("tf_claims.statistics.precision.FURTHER", 0)
    assert simulate_rule(3, 12, 0.07, 1000, chance()).coverage < criteria.COVERAGE[0]


def test_what_is_simulated_is_kept_until_the_code_changes(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(simulation, "BLOCKS", (5,))
    monkeypatch.setattr(simulation, "RULES", ((3, 4),))
    first = simulate(tmp_path, runs=3)
    assert (len(first.fixed), len(first.sequential)) == (len(KINDS), len(simulation.SPREADS))
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json")}
    assert simulate(tmp_path, runs=3) == first
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json")} == before
    monkeypatch.setattr(simulation, "CODE", simulation.CODE[1:])
    simulate(tmp_path, runs=3)
    assert len(list(tmp_path.rglob("*.json"))) == 2 * len(before)


def test_the_summary_counts_and_has_the_agreed_keys() -> None:
    other = {"noise": TWO, "runs": 300, "false_equivalent": 0.0, "withheld": 0.4, "coverage_shown": 0.9}
    summary = summarise([CELL, CELL.model_copy(update=other)], MEASURED)
    assert json.loads(summary.model_dump_json()) == {
        "coverage": [
            {"blocks": 5, "noise": QUIET.name, "coverage": 0.95, "withheld": 0.0, "coverage_shown": 0.95, "runs": 100},
            {"blocks": 5, "noise": TWO, "coverage": 0.95, "withheld": 0.4, "coverage_shown": 0.9, "runs": 300},
        ],
        "false_reproduced": pytest.approx(0.02),
        "false_reproduced_at_edge": pytest.approx(0.01),
        "refuted": pytest.approx(0.97),
        "false_equivalent": pytest.approx(0.01),
        "withheld": pytest.approx(0.4),
        "aa": {"comparisons": 3, "failures": 1},
        "aa_claims": {"comparisons": 2, "failures": 1},
        "layout": {"tf1.15-cpu": pytest.approx(0.04)},
        "detection": {"0.03": 0.0, "0.05": pytest.approx(2 / 3), "0.10": 1.0},
        "noise_floor": 0.03,
    }


def test_a_summary_of_something_else_is_refused() -> None:
    good = summarise(CELLS, MEASURED).model_dump()
    with pytest.raises(ValidationError, match=r"detection.*0\.04"):
        Summary.model_validate(good | {"detection": {"0.04": 1.0}})
    with pytest.raises(ValidationError, match="noise_flor"):
        Summary.model_validate(good | {"noise_flor": 1.0})
    with pytest.raises(ValidationError, match="coverage"):
        Summary.model_validate(good | {"coverage": [good["coverage"][0] | {"coverage": 95.0}]})


@pytest.mark.parametrize(
    ("change", "fails"),
    [
        ({}, []),
        ({"coverage": [coverage(0.92), coverage(0.93, TWO)]}, ["5, 10 or 20 blocks"]),
        ({"coverage": [coverage(0.98), coverage(0.98, TWO)]}, ["5, 10 or 20 blocks"]),
        ({"coverage": [coverage(0.95), coverage(0.92, TWO)]}, ["times lie in two places"]),
        ({"false_reproduced": 0.06}, ["No difference"]),
        ({"false_reproduced_at_edge": 0.06}, ["On the edge"]),
        ({"refuted": 0.94}, ["a published factor of 2"]),
        ({"false_equivalent": 0.06}, ["Different by the margin"]),
        ({"aa": {"comparisons": 40, "failures": 3}}, ["under two names"]),
        ({"aa": {"comparisons": 39, "failures": 0}}, ["under two names"]),
        ({"aa_claims": {"comparisons": 40, "failures": 3}}, ["own program under two names"]),
        ({"aa_claims": {"comparisons": 39, "failures": 0}}, ["own program under two names"]),
        ({"layout": {"tf1.15-cpu": 0.05, "tf2.15-cpu": 0.18}}, ["memory's layout"]),
        ({"layout": {"tf1.15-cpu": 0.05, "tf2.21-cpu": 0.0}}, ["memory's layout"]),
        ({"layout": {}}, ["memory's layout"]),
        ({"detection": {"0.03": 1, "0.05": 0.89, "0.10": 1}}, ["slow-down of 5 %"]),
        ({"detection": {"0.03": 0, "0.05": 0.9, "0.10": 0}}, []),
    ],
)
def test_criteria(change, fails) -> None:
    good = {
        "coverage": [coverage(0.93), coverage(0.93, TWO)],
        "withheld": 0.5,
        "false_reproduced": 0.05,
        "false_reproduced_at_edge": 0.05,
        "refuted": 0.95,
        "false_equivalent": 0.05,
        "aa": {"comparisons": 40, "failures": 2},
        "aa_claims": {"comparisons": 40, "failures": 2},
        "layout": {"tf1.15-cpu": 0.03, "tf2.15-cpu": 0.07},
        "detection": {"0.03": 0.5, "0.05": 1, "0.10": 1},
        "noise_floor": 0.02,
    }
    judged = criteria.judge(Summary.model_validate(good | change), [LOOKED])
    failed = [each.name for each in judged if not each.holds]
    assert len(failed) == len(fails) and all(part in name for part, name in zip(fails, failed, strict=True))


def test_measured_verdicts_are_sorted_into_same_and_planted(tmp_path: Path) -> None:
    elsewhere = verdict("C1", "reproduced", 12.0, scenario="linear_regression", published=10.0)
    not_run = verdict("same-tensorflow-1000", "not run", None)
    everything = [*SAME, *(each for planted in PLANTED.values() for each in planted), elsewhere, not_run]
    path = tmp_path / "judgements.json"
    write_judgements([Judgement(verdict=each) for each in everything], path)
    observed({"graph_loop": [(1.0, 1.0)] * 2}).to_parquet(tmp_path / "observations.parquet")
    found = read_measured(tmp_path, tmp_path)
    assert (found.same, found.planted) == (SAME, PLANTED)
    assert [each.variant for each in found.twice] == ["graph_loop"]
    write_judgements([Judgement(verdict=elsewhere)], path)
    with pytest.raises(InputError, match="no verdict of scenario harness rests on two undisturbed blocks"):
        read_measured(tmp_path, tmp_path)


def observed(times: dict[str, list[tuple[float, float]]], stolen: tuple[int, ...] = ()) -> pd.DataFrame:
    """Of each program the times of both of its runs in each block; in the blocks ``stolen`` the host lost CPU time."""
    return pd.DataFrame(
        {
            "scenario": "linear_regression",
            "environment": "tf1.15-cpu",
            "variant": variant,
            "block": block,
            "attempt": attempt,
            "status": "ok",
            METRIC: time,
            "disturbance.steal_s": 1.0 if block in stolen else 0.0,
            "process.wall_s": time,
        }
        for variant, blocks in times.items()
        for block, pair in enumerate(blocks)
        for attempt, time in enumerate(pair, 1)
    )


def test_a_program_is_compared_with_itself_inside_each_block(tmp_path: Path) -> None:
    path = tmp_path / "observations.parquet"
    slower = [(1.0, 1.1), (2.0, 2.2), (4.0, 4.4), (1.0, 1.1001)]
    alike = [(1.0, 1.1), (2.0, 1.8), (4.0, 4.1), (3.0, 2.9)]
    observed({"slower": slower, "alike": alike, "once": [(1.0, 1.1)]}).to_parquet(path)
    found = {each.variant: each for each in same_programs(path)}
    assert set(found) == {"slower", "alike"}  # one block is none
    assert found["slower"].ratio.value == pytest.approx(1.1, rel=1e-4) and not found["slower"].holds_one
    assert found["alike"].holds_one and found["alike"].ratio.blocks == 4


def test_disturbed_pairs_count_only_where_good_ones_are_too_few(tmp_path: Path) -> None:
    path = tmp_path / "observations.parquet"
    times = {"x": [(1.0, 1.0), (1.0, 1.01), (1.0, 0.99), (1.0, 9.0)]}
    for stolen, blocks in (((3,), 3), ((2, 3), 4)):
        observed(times, stolen).to_parquet(path)
        assert [each.ratio.blocks for each in same_programs(path)] == [blocks]


def test_no_program_that_ran_twice_is_said_so(tmp_path: Path) -> None:
    path = tmp_path / "observations.parquet"
    with pytest.raises(InputError, match="no table of observations"):
        same_programs(path)
    observed({"x": [(1.0, 1.0)] * 3}).query("attempt == 1").to_parquet(path)
    with pytest.raises(InputError, match="no program ran twice in two blocks"):
        same_programs(path)


def test_the_page_tells_what_was_found(tmp_path: Path) -> None:
    cells = [each.model_copy(update={"blocks": blocks}) for blocks in fixed_blocks.BLOCKS for each in CELLS]
    summary = summarise(cells, MEASURED)
    draw_figures(cells, MEASURED, tmp_path / "figures")
    page = build_page(Simulated(cells, [LOOKED]), MEASURED, summary, tmp_path / "figures", tmp_path / "index.html")
    text = " ".join(page.split())
    assert "The noise floor of this machine is <strong>3.0 %</strong>" in text
    assert "of the 95 % interval after 5 blocks" in text
    assert "3 comparisons, of which 1 did not come out equivalent" in text
    assert "2 comparisons, in 1 of which the 95 % interval excludes" in text
    assert '<th scope="row">5 %</th><td class="numeric">2 of 3</td><td class="numeric">67 %</td>' in text
    assert text.count("<figure>") == 4
    assert "expected:" not in text
    for outside in ("http://", "https://"):
        assert outside not in text.replace("http://www.w3.org/", "")
    assert page == build_page(
        Simulated(cells, [LOOKED]), MEASURED, summary, tmp_path / "figures", tmp_path / "index.html"
    )


def test_wilson_interval() -> None:
    """Known answers: 15 of 16 (Wilson's formula by hand), and an interval that stays inside 0 to 1."""
    low, high = wilson(15, 16)
    assert (low, high) == (pytest.approx(0.7167, abs=1e-4), pytest.approx(0.9889, abs=1e-4))
    assert wilson(16, 16)[1] == pytest.approx(1.0)
