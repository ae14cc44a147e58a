"""From observation files of a made-up run to verdicts, tables and figures."""

from __future__ import annotations

import csv
import io
import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tf_claims.bench.made_up import Change, study_files
from tf_claims.cells.measurements import read_measurements
from tf_claims.cells.tidy import tidy
from tf_claims.estimands.attribution import Attribution
from tf_claims.estimands.equivalence import Equivalence
from tf_claims.estimands.ratio import Ratio
from tf_claims.figures.draw import draw_figures
from tf_claims.model.claim import Published
from tf_claims.model.errors import InputError
from tf_claims.model.reason import because
from tf_claims.model.rules import Registration, rules_of
from tf_claims.model.stack import environments
from tf_claims.model.study import Study, plan_study
from tf_claims.model.verdict import Verdict
from tf_claims.tables.remedies import remedies
from tf_claims.tables.write import gate_table, phase_table, remedy_table, verdict_table
from tf_claims.verdicts.judge import Judgement, as_csv, judge
from tf_claims.words.messages import ENGLISH

ENVIRONMENTS = ["tf1.15-cpu", "tf2.21-cpu", "tf1.15-gpu"]
MEASURED = ENVIRONMENTS[:2]
SCENARIOS = ["linear_regression"]


@cache
def _study() -> Study:
    return plan_study(
        "quick", lambda stack: because("gpu.none") if stack.device == "cuda" else None, ENVIRONMENTS, SCENARIOS
    )


def study_of(claims: dict[str, Any] | None = None) -> Study:
    study = _study()
    if claims is None:
        return study
    scenario = study.scenarios["linear_regression"].model_copy(update={"claims": claims})
    return study._replace(scenarios={"linear_regression": scenario})


def cells_of(tmp_path: Path, study: Study, change: Change | None = None, blocks: int = 4) -> Any:
    table = tidy(study_files(tmp_path / "observations", MEASURED, blocks, change=change))
    pq.write_table(table, tmp_path / "observations.parquet")
    return read_measurements(tmp_path / "observations.parquet", study)


def judged(
    tmp_path: Path, change: Change | None = None, study: Study | None = None, blocks: int = 4
) -> dict[Any, Verdict]:
    study = study or study_of()
    found = judge(study, cells_of(tmp_path, study, change, blocks))
    return {(each.verdict.claim, each.verdict.environment): each.verdict for each in found}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Study, Any, list[Judgement]]:
    study = study_of()
    cells = cells_of(tmp_path_factory.mktemp("run"), study)
    return study, cells, judge(study, cells)


def test_every_claim_has_a_verdict_where_it_speaks(run) -> None:
    verdicts = {(each.verdict.claim, each.verdict.environment): each.verdict for each in run[2]}
    words = {key: verdict.verdict for key, verdict in verdicts.items()}
    for environment in MEASURED:
        assert words["C1", environment] == "reproduced"
        assert words["C4", environment] == "contradicted"  # the made-up costs cross before a million points
        assert words["C5", environment] == "reproduced"
        assert words["C6", environment] == "direction only"
        assert words["C5-fixed", environment] == "reproduced"
        assert words["C6-time", environment] != "not run"
        assert words["C7", environment] == "reproduced"
    assert words["C2", "tf1.15-gpu"] == words["C3", "tf1.15-gpu"] == "not run"
    assert verdicts["C2", "tf1.15-gpu"].reason == "no NVIDIA GPU"
    assert ("C2", "tf1.15-cpu") not in words
    assert len(words) == 16


def test_a_verdict_says_what_it_rests_on(run) -> None:
    verdict = next(
        each.verdict for each in run[2] if (each.verdict.claim, each.verdict.environment) == ("C1", "tf1.15-cpu")
    )
    assert verdict.reason.startswith("session_feed took ")
    assert "times as long as numpy (95 % interval " in verdict.reason
    assert "; published: 10; 96 % of the published effect (" in verdict.reason
    assert verdict.reason.endswith("; 5.00 to 20.0 counts as the published size")
    assert (verdict.side, verdict.size) == ("holds", "inside")
    assert verdict.effect_share == pytest.approx(math.log10(verdict.estimate))
    assert verdict.effect_share_low < verdict.effect_share < verdict.effect_share_high
    assert verdict.estimate == pytest.approx(243.5 / 27, rel=0.1)
    assert (verdict.blocks, verdict.engine, verdict.scaled_down) == (4, "container", True)
    assert verdict.scaled_down_note == "10,000 of 100,000 iterations"


def test_the_crossover_is_the_estimate_of_a_cost_model(run) -> None:
    verdict = next(each.verdict for each in run[2] if each.verdict.claim == "C5")
    assert verdict.estimate == pytest.approx(222e-6 / 5.5e-9, rel=0.15)
    assert verdict.ci_low < verdict.estimate < verdict.ci_high
    assert "4 of 5 values of n" in verdict.scaled_down_note


def test_deterministic_counts_give_a_point(run) -> None:
    verdict = next(each.verdict for each in run[2] if each.verdict.claim == "C6")
    assert (verdict.ci_low, verdict.estimate, verdict.ci_high) == pytest.approx((189_412 / 84,) * 3)


def test_times_at_paper_size_are_scaled_on_both_sides(tmp_path: Path) -> None:
    """100,000 against 100 iterations of the same cost, of which 10,000 and 100 were run."""
    sides = {"of": {"inputs": "raw"}, "to": {"inputs": "standardised"}}
    program = {"implementation": "session_feed", "n": 1000, "device": "cpu"}
    fields = {field: program | levels for field, levels in sides.items()}
    kind = Ratio.model_validate(fields | {"metric": "run.wall_s", "at_paper_size": "iterations"})
    claim = claim_of(published=Published(value=1000, figures="-"), ratio=kind)
    assert judged(tmp_path, study=study_of(claim))["X", "tf1.15-cpu"].estimate == pytest.approx(1000, rel=0.1)


def test_estimates_are_listed_with_their_intervals(run) -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(run[2]))))
    crossover = next(row for row in rows if row["quantity"] == "crossover (n)")
    assert float(crossover["ci_low"]) < float(crossover["estimate"]) < float(crossover["ci_high"])
    assert {row["estimand"] for row in rows} == {"ratio", "equivalence", "value", "cost_model"}


def change_of(implementation: str, **changes: Any) -> Change:
    def change(record: dict[str, Any], _: Any) -> None:
        if record["levels"]["implementation"] == implementation:
            record.update({key: value for key, value in changes.items() if key != "results"})
            record["results"] |= changes.get("results", {})

    return change


def test_a_variant_that_always_fails_was_not_run(tmp_path: Path) -> None:
    failed = {"status": "failed", "reason": "ImportError: no libcuda", "phases": {}}
    verdict = judged(tmp_path, change_of("session_feed", **failed))["C1", "tf1.15-cpu"]
    assert verdict.verdict == "not run"
    assert verdict.reason == "session_feed n=1000 raw cpu failed in all 4 blocks; failed: ImportError: no libcuda"


def test_a_missed_gate_takes_the_time_away(tmp_path: Path) -> None:
    found = judged(tmp_path, change_of("session_feed", results={"W": 1.2}))
    assert found["C1", "tf1.15-cpu"].verdict == "inconclusive"
    assert "0 usable blocks" in found["C1", "tf1.15-cpu"].reason
    assert "W misses its known answer 1.152435 ± 0.0001" in found["C1", "tf1.15-cpu"].reason
    assert found["C4", "tf1.15-cpu"].verdict == "contradicted"  # no gate applies to a million points


def test_a_result_that_is_not_finite_fails_its_gate(tmp_path: Path) -> None:
    reason = judged(tmp_path, change_of("numpy", results={"loss": None}))["C1", "tf1.15-cpu"].reason
    assert "loss is missing or not a finite number" in reason


def test_bad_blocks_are_dropped_and_counted(tmp_path: Path) -> None:
    def fail_in_the_first(record: dict[str, Any], _: Any) -> None:
        if record["block"] == 0 and record["levels"]["implementation"] == "numpy":
            record.update(status="killed", reason="signal 9", phases={})

    verdict = judged(tmp_path, fail_in_the_first)["C1", "tf1.15-cpu"]
    assert (verdict.verdict, verdict.blocks, verdict.dropped_blocks) == ("reproduced", 3, 1)
    assert verdict.reason.endswith("1 of 4 blocks were dropped (killed: signal 9)")


def test_one_block_decides_nothing(tmp_path: Path) -> None:
    verdict = judged(tmp_path, blocks=1)["C1", "tf1.15-cpu"]
    assert (verdict.verdict, verdict.reason) == ("inconclusive", "1 usable blocks, and an interval needs two")


def test_a_gate_may_vouch_for_other_variants(tmp_path: Path) -> None:
    study = study_of()
    scenario = study.scenarios["linear_regression"]
    gate = scenario.gates[1].model_copy(
        update={
            "where": {"implementation": "function_loop", "n": 1000},
            "equals": 1.152435,
            "vouches_for": {"implementation": "numpy"},
        }
    )
    changed = study._replace(scenarios={"linear_regression": scenario.model_copy(update={"gates": [gate]})})

    def wrong_in_block_2(record: dict[str, Any], _: Any) -> None:
        if record["block"] == 2 and record["levels"]["implementation"] == "function_loop":
            record["results"]["W"] = 0.0

    found = judged(tmp_path, wrong_in_block_2, changed)
    assert found["C1", "tf2.21-cpu"].blocks == 3
    assert "the gate W, which vouches for it, does not hold in the block" in found["C1", "tf2.21-cpu"].reason
    assert found["C1", "tf1.15-cpu"].blocks == 4  # it is not run there, so nothing is vouched for


def sides(**fields: Any) -> dict[str, Any]:
    common = {"n": 1000, "inputs": "raw", "device": "cpu"}
    of, to = ({"implementation": name} | common for name in ("function_loop", "graph_loop"))
    return {"metric": "run.wall_s", "of": of, "to": to} | fields


def claim_of(**estimand: Any) -> dict[str, Any]:
    claim = study_of().scenarios["linear_regression"].claims["C1"]
    published = Published(value=2.0, figures="-")
    return {"X": claim.model_copy(update={"ratio": None, "published": published} | estimand)}


def test_an_excluded_combination_says_why(tmp_path: Path) -> None:
    verdict = judged(tmp_path, study=study_of(claim_of(ratio=Ratio(**sides()))))["X", "tf1.15-cpu"]
    assert verdict.verdict == "not run"
    assert verdict.reason.startswith("TensorFlow 1 runs graphs")


@pytest.mark.parametrize(
    ("margin", "scale", "word"),
    [(0.5, "relative", "reproduced"), (0.02, "relative", "contradicted"), (5.0, "absolute", "reproduced")],
)
def test_equivalence_from_observations(tmp_path: Path, margin: float, scale: str, word: str) -> None:
    """The made-up costs of the two are 43 and 48 µs."""
    claims = claim_of(equivalence=Equivalence(**sides(), margin=margin, scale=scale))
    verdict = judged(tmp_path, study=study_of(claims), blocks=12)["X", "tf2.21-cpu"]
    assert verdict.verdict == word
    assert "two one-sided tests" in verdict.reason or word == "contradicted"


def test_attribution_from_observations(tmp_path: Path) -> None:
    """From 1,000 points with session_feed to 100 with NumPy: the program explains most of it."""
    estimand = Attribution(
        metric="run.wall_s",
        where={"inputs": "raw", "device": "cpu"},
        factors={"implementation": ("session_feed", "numpy"), "n": (1000, 100)},
        cause="implementation",
    )
    verdict = judged(tmp_path, study=study_of(claim_of(attribution=estimand)))["X", "tf1.15-cpu"]
    assert verdict.verdict == "reproduced"
    assert verdict.estimate == pytest.approx(math.sqrt(27 / 243.5 * 18.9 / 240.35), rel=0.05)
    assert "implementation does 9" in verdict.reason


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (change_of("numpy", preset="paper"), r"field preset: holds observations of the preset paper and quick"),
        (
            change_of("numpy", block=1),
            r"of scenario linear_regression, environment tf1.15-cpu, block 1, .* there twice",
        ),
    ],
)
def test_foreign_observations_are_refused(tmp_path: Path, change: Change, message: str) -> None:
    with pytest.raises(InputError, match=message):
        judged(tmp_path, change)


def test_an_unknown_variant_is_refused(tmp_path: Path) -> None:
    def rename(record: dict[str, Any], _: Any) -> None:
        if record["levels"]["implementation"] == "eager":
            record["levels"]["implementation"] = "lazy"

    with pytest.raises(InputError, match=r"'lazy n=1000 raw cpu' is no variant of scenario linear_regression"):
        judged(tmp_path, rename)


def test_different_sizes_are_not_pooled(tmp_path: Path) -> None:
    def shrink(record: dict[str, Any], _: Any) -> None:
        if record["block"] == 2 and record["levels"]["implementation"] == "numpy":
            record["sizes"]["iterations"] = 7

    with pytest.raises(InputError, match=r"field size\.iterations: .* was run at different sizes"):
        judged(tmp_path, shrink)


def test_tables(run) -> None:
    study, cells, judgements = run
    verdicts = verdict_table([each.verdict for each in judgements])
    assert len(verdicts.rows) == len(judgements)
    gates = gate_table(cells)
    row = next(row for row in gates.rows if row[2:4] == ["numpy n=1000 raw cpu", "W"])
    assert row[4:] == ["1.152435", "0.0001", 0.0, 4, "yes"]
    phases = phase_table(cells)
    assert next(row for row in phases.rows if row[2].startswith("session_feed n=1000 "))[3:6] == [4.2, 0.05, 0.02]
    found = list(
        remedies(
            "linear_regression",
            study.scenarios["linear_regression"],
            "quick",
            "tf2.21-cpu",
            cells["linear_regression", "tf2.21-cpu"],
        )
    )
    reference = next(remedy for remedy in found if remedy.variant == remedy.reference)
    assert reference.ratio.interval == (1, 1)
    assert reference.seconds == pytest.approx(100_000 * 27e-6, rel=0.3)
    by_name = {remedy.variant.split()[0]: remedy for remedy in found if "raw" in remedy.variant}
    assert by_name["eager"].ratio.value == pytest.approx(903 / 27, rel=0.1)
    assert len(remedy_table(study, cells).rows) > len(found)


def test_figures_are_the_same_bytes_every_time(run, tmp_path: Path) -> None:
    study, cells, judgements = run
    for folder in ("a", "b"):
        draw_figures(study, cells, judgements, tmp_path / folder, ENGLISH)
    names = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert names == [
        f"linear_regression_{figure}.{kind}" for figure in ("cost_model_C5", "ratios") for kind in ("pdf", "svg", "txt")
    ]
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_verdicts_are_json(run) -> None:
    text = json.dumps([each.verdict.model_dump() for each in run[2]], allow_nan=False)
    assert [Verdict.model_validate(each) for each in json.loads(text)] == [each.verdict for each in run[2]]


def test_a_preset_too_small_to_decide_a_claim_does_not_judge_it(tmp_path: Path) -> None:
    claims = _study().scenarios["linear_regression"].claims
    study = study_of({"C1": claims["C1"].model_copy(update={"decided_in": ["paper"]}), "C4": claims["C4"]})
    verdicts = judged(tmp_path, study=study)
    found = verdicts["C1", "tf1.15-cpu"]
    assert (found.verdict, found.reason) == ("not run", "the preset quick is too small to decide it; paper can")
    assert verdicts["C4", "tf1.15-cpu"].verdict != "not run"


def test_what_holds_family_wise_does_not_hang_on_the_environments_chosen(run) -> None:
    """The family of a claim is all its environments: one that was left out counts as a test that fails."""
    study, cells, judgements = run
    alone = study.only({("linear_regression", "tf1.15-cpu")})
    again = {
        each.verdict.claim: each.verdict
        for each in judge(alone, {k: c for k, c in cells.items() if k[1] == "tf1.15-cpu"})
    }
    assert study.family("linear_regression", "C1", {"tf1.15-cpu"}) == 4
    assert study.family("linear_regression", "C1", {"tf1.15-gpu"}) == len(environments())
    for verdict in (each.verdict for each in judgements if each.verdict.environment == "tf1.15-cpu"):
        if verdict.p_value is not None:
            assert again[verdict.claim].p_value_adjusted == pytest.approx(min(1, 4 * verdict.p_value))
            assert verdict.p_value_adjusted <= again[verdict.claim].p_value_adjusted


def test_each_verdict_has_the_checksum_of_the_rules_registered_beforehand(tmp_path: Path) -> None:
    registered, later = rules_of({"a": "1"}), rules_of({"a": "2"})
    study = study_of()._replace(rules=Registration(registered=registered, planned=later))
    assert {each.rules_sha256 for each in judged(tmp_path, study=study).values()} == {registered.sha256}
    assert {each.rules_sha256 for each in judged(tmp_path).values()} == {None}
