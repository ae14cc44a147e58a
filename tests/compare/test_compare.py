"""Two results beside each other: exactly what was changed between them is named."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from scipy import stats
from tests.support import synthetic_results as synthetic

from tf_claims.cells.tidy import tidy
from tf_claims.compare.changes import Changes, OnlyIn, compare
from tf_claims.compare.conditions import Difference
from tf_claims.compare.movement import RatioEstimate, movement
from tf_claims.compare.page import build_page, quantity_title, summary
from tf_claims.compare.reference import keep
from tf_claims.compare.runs import read_run
from tf_claims.compare.tables import tables
from tf_claims.model.errors import InputError
from tf_claims.model.estimand import kinds
from tf_claims.statistics.intervals import geometric_mean_over_blocks

ROOT = Path(__file__).parents[2]
Record = dict[str, Any]
HEADING = "claim,scenario,environment,estimand,quantity,estimate,ci_low,ci_high,blocks\n"


def result(root: Path, verdicts: list[Record], change: Callable[[Record], None] = lambda record: None) -> Path:
    """A results folder with these verdicts, a ratio for each, and observations that ``change`` has changed."""
    folder = synthetic.write_results(root)
    synthetic.write_json(folder / "verdicts.json", verdicts)
    for path in sorted(folder.glob("observations/*/*/*.jsonl")):
        records = [json.loads(line) for line in path.read_text().splitlines()]
        for record in records:
            change(record)
        synthetic.write_lines(path, records)
    pq.write_table(tidy(sorted(folder.glob("observations/*/*/*.jsonl"))), folder / "observations.parquet")
    ratios = [each for each in verdicts if each["estimand"] in ("ratio", "equivalence") and each["estimate"]]
    columns = HEADING.strip().replace("quantity,", "").split(",")
    lines = [[*(each[name] for name in columns[:4]), "ratio", *(each[name] for name in columns[4:])] for each in ratios]
    with (folder / "estimates.csv").open("w", newline="") as file:
        file.write(HEADING)
        csv.writer(file).writerows(lines)
        file.write("C5,linear_regression,tf1.15-cpu,cost_model,a of numpy (s),1.5e-5,1.4e-5,1.6e-5,5\n")
    return folder


def with_changes(claim: str, environment: str, **fields: Any) -> list[Record]:
    """The made-up verdicts, one of them with other ``fields``."""
    return [
        each | (fields if (each["claim"], each["environment"]) == (claim, environment) else {})
        for each in synthetic.verdicts()
    ]


def of(first: Path, second: Path) -> Changes:
    return compare(read_run(first), read_run(second))


def test_the_same_result_twice(tmp_path: Path) -> None:
    changes = of(result(tmp_path / "a", synthetic.verdicts()), result(tmp_path / "b", synthetic.verdicts()))
    assert (len(changes.verdicts), len(changes.ratios)) == (8, 6)
    assert (changes.changed_verdicts, changes.moved_ratios, changes.conditions, changes.only) == ([], [], [], [])
    assert changes.expected_by_chance == pytest.approx(0.3)


def test_what_was_changed_and_nothing_else(tmp_path: Path) -> None:
    def another_machine(record: Record) -> None:
        record["conditions"]["host"] |= {"cpu_model": "Other CPU @ 3.00GHz", "node": "bench-2", "load_1m": 0.9}
        if record["environment"] == "tf2.0-cpu":
            record["conditions"]["versions"]["numpy"] = "1.19.5"

    first = result(tmp_path / "a", synthetic.verdicts())
    verdicts = with_changes("C1", "tf2.0-cpu", estimate=31.0, ci_low=29.0, ci_high=33.1, verdict="direction only")
    changes = of(first, result(tmp_path / "b", verdicts, another_machine))
    assert [
        (pair.first.claim, pair.first.environment, pair.first.verdict, pair.second.verdict)
        for pair in changes.changed_verdicts
    ] == [("C1", "tf2.0-cpu", "reproduced", "direction only")]
    (moved,) = changes.moved_ratios
    assert moved.key == ("linear_regression", "C1", "tf2.0-cpu")
    assert moved.movement.factor == pytest.approx(31 / 19.02) and moved.holds_family_wise
    assert changes.conditions == [
        Difference("CPU model", "all", "Example CPU @ 2.60GHz", "Other CPU @ 3.00GHz", False),
        Difference("numpy", "tf2.0-cpu", "1.18.5", "1.19.5", False),
    ]
    assert summary(changes) == (
        "1 of 8 verdicts changed; 1 of 6 ratios moved beyond their intervals (0.3 expected by chance); "
        "2 conditions differ; 0 judged in only one"
    )


def test_a_ratio_moves_without_its_verdict(tmp_path: Path) -> None:
    first = result(tmp_path / "a", synthetic.verdicts())
    verdicts = with_changes("C1", "tf1.15-cpu", estimate=13.6, ci_low=13.0, ci_high=14.23)
    changes = of(first, result(tmp_path / "b", verdicts))
    assert changes.changed_verdicts == [] and [pair.key[1:] for pair in changes.moved_ratios] == [("C1", "tf1.15-cpu")]
    # 12.07 to 13.21 and 13.0 to 14.23 overlap. Standard errors 0.01626 and 0.01629, difference 0.07796: t = 3.388 on
    # 8 degrees of freedom. It moved, but among six tests that may be chance.
    (moved,) = changes.moved_ratios
    assert moved.movement.p_value == pytest.approx(0.0095, abs=5e-5) and not moved.holds_family_wise


def test_locks_engine_and_commit_forbid_or_do_not_forbid_pooling(tmp_path: Path) -> None:
    def another_lock(record: Record) -> None:
        record["conditions"]["git"] = {"commit": "d" * 40, "dirty": True}
        if record["environment"] == "tf2.21-cpu":
            record["engine"] = "venv"
            record["conditions"]["image"] |= {"sha256": None, "lock_sha256": "ef" * 32}

    first = result(tmp_path / "a", synthetic.verdicts())
    changes = of(first, result(tmp_path / "b", synthetic.verdicts(), another_lock))
    assert [(each.condition, each.about, each.second, each.forbids_pooling) for each in changes.conditions] == [
        ("commit", "all", "d" * 40, False),
        ("uncommitted changes", "all", "yes", False),
        ("engine", "tf2.21-cpu", "venv", True),
        ("lock, SHA-256", "tf2.21-cpu", "ef" * 32, True),
        ("image, SHA-256", "tf2.21-cpu", "not recorded", False),
    ]


def test_ratios_at_other_sizes_are_not_compared(tmp_path: Path) -> None:
    def smaller(record: Record) -> None:
        record["sizes"]["iterations"] = 500
        record["preset"] = "smoke"

    first = result(tmp_path / "a", synthetic.verdicts())
    changes = of(first, result(tmp_path / "b", synthetic.verdicts(), smaller))
    assert (changes.ratios, changes.other_sizes) == ([], ["linear_regression"])
    assert [(each.condition, each.first, each.second) for each in changes.conditions] == [
        ("preset", "quick", "smoke"),
        ("size iterations", "10000", "500"),
    ]


def test_sizes_are_compared_where_both_were_measured(tmp_path: Path) -> None:
    """A run of one environment against one of several, whose sizes differ from environment to environment."""

    def larger_in_one(record: Record) -> None:
        if record["environment"] == "tf2.21-cpu":
            record["sizes"]["iterations"] = 20000

    several = result(tmp_path / "a", synthetic.verdicts(), larger_in_one)
    one = [each for each in synthetic.verdicts() if each["environment"] == "tf1.15-cpu"]
    narrowed = result(tmp_path / "b", one)
    table = narrowed / "observations.parquet"
    rows = pq.read_table(table)
    pq.write_table(rows.filter(pc.equal(rows["environment"].cast("string"), "tf1.15-cpu")), table)
    changes = of(several, narrowed)
    assert changes.ratios and changes.other_sizes == [] and changes.conditions == []


def test_what_only_one_has(tmp_path: Path) -> None:
    both = synthetic.verdicts()
    changes = of(
        result(tmp_path / "a", [each for each in both if each["environment"] != "tf2.0-cpu"]),
        result(tmp_path / "b", [each for each in both if each["claim"] not in ("C2", "C7")]),
    )
    # C2 is left out: that it was not run in A is nothing that A has.
    assert [tuple(each) for each in changes.only] == [
        ("A", "linear_regression", "tf1.15-cpu", ["C7"]),
        ("B", "linear_regression", "tf2.0-cpu", ["C1", "C4"]),
    ]


def test_an_environment_that_one_did_not_measure_is_no_changed_verdict(tmp_path: Path) -> None:
    first = result(tmp_path / "a", synthetic.verdicts())
    failed = with_changes("C4", "tf2.0-cpu", verdict="not run", reason="it failed in all blocks", **synthetic.NOTHING)
    (pair,) = of(first, result(tmp_path / "b", failed)).changed_verdicts
    assert (pair.first.environment, pair.second.verdict) == ("tf2.0-cpu", "not run")
    other = tmp_path / "b" / "results" / "quick"
    files = [path for path in other.glob("observations/*/*/*.jsonl") if path.parent.name != "tf2.0-cpu"]
    pq.write_table(tidy(files), other / "observations.parquet")
    changes = of(first, other)
    assert changes.changed_verdicts == [] and changes.only == [OnlyIn("A", "linear_regression", "tf2.0-cpu", ["C4"])]


@pytest.mark.parametrize(("blocks", "others"), [(3, 3), (5, 12), (20, 4)])
def test_movement_is_welchs_test_on_logarithms(blocks: int, others: int) -> None:
    chance = np.random.default_rng(blocks)
    samples = chance.lognormal(1.0, 0.05, blocks), chance.lognormal(1.1, 0.15, others)
    measured = [RatioEstimate(*geometric_mean_over_blocks(sample)[:3], len(sample)) for sample in samples]
    expected = stats.ttest_ind(np.log(samples[1]), np.log(samples[0]), equal_var=False)
    found = movement(*measured)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-6)
    ends = np.exp(expected.confidence_interval())
    assert (found.low, found.high) == pytest.approx(tuple(ends), rel=1e-6)
    assert found.factor == pytest.approx(stats.gmean(samples[1]) / stats.gmean(samples[0]))


def test_what_does_not_vary_moves_only_by_more_than_rounding() -> None:
    count = RatioEstimate(3612.45098, 3612.45098, 3612.45098, 4)
    assert not movement(count, RatioEstimate(*[3612.450980392157] * 3, 4)).moved
    assert movement(count, RatioEstimate(*[3613.0] * 3, 4)).moved


def test_each_type_of_machine_takes_a_degree_of_freedom() -> None:
    assert RatioEstimate(2.0, 1.9, 2.1, blocks=6, node_types=2).freedom == 4


def test_the_page_stands_alone_and_names_the_changes(tmp_path: Path) -> None:
    first = read_run(result(tmp_path / "a", synthetic.verdicts()))
    verdicts = with_changes("C1", "tf2.0-cpu", estimate=31.0, ci_low=29.0, ci_high=33.1, verdict="contradicted")
    second = read_run(result(tmp_path / "b", verdicts))
    page = build_page(first, second, compare(first, second), tmp_path / "index.html")
    assert page == build_page(first, second, compare(first, second), tmp_path / "index.html")
    assert '<td class="numeric">+63.0 % (+' in page and "linear_regression C1" in page
    assert "about 0.3 of 6 ratios" in page and "None: machine, software and sizes are the same" in page
    assert "src=" not in page and "<script" not in page and "url(" not in page and 'href="http' not in page


def test_tables_have_every_pair(tmp_path: Path) -> None:
    folder = result(tmp_path / "a", synthetic.verdicts())
    sizes = {table.name: (len(table.rows), len(table.columns)) for table in tables(of(folder, folder))}
    assert sizes == {"verdicts": (8, 10), "ratios": (6, 18), "conditions": (0, 5), "only_in_one": (0, 4)}
    assert all(len(row) == len(table.columns) for table in tables(of(folder, folder)) for row in table.rows)


def test_a_folder_that_is_no_result() -> None:
    command = [sys.executable, "-m", "tf_claims", "compare", "--a", "scripts", "--b", "scripts", "--output", "never"]
    done = subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": "scripts"}, capture_output=True, text=True)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert done.stderr.startswith("error: scripts/verdicts.json: no such file; a result to compare has verdicts.json, ")
    assert not (ROOT / "never").exists()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("verdicts.json", '[{"claim": "C1"}]', r"verdicts\.json: not the verdicts of a run: .*scenario.*\$\[0\]"),
        ("verdicts.json", '[{"claim": ', "verdicts.json: not the verdicts of a run: Input data was truncated"),
        ("estimates.csv", HEADING + "C1,s,e,ratio,ratio,many,1,2,5\n", "line 2 is not an estimate: .*many"),
        ("observations.parquet", "text", "observations.parquet: not a table of observations"),
    ],
)  # fmt: skip
def test_broken_files_are_named(tmp_path: Path, name: str, content: str, said: str) -> None:
    folder = result(tmp_path, synthetic.verdicts())
    (folder / name).write_text(content)
    with pytest.raises(InputError, match=said):
        read_run(folder)


def test_a_reference_needs_the_study(tmp_path: Path) -> None:
    folder = result(tmp_path, synthetic.verdicts())
    (folder / "study.json").unlink(missing_ok=True)
    with pytest.raises(InputError, match=r"study\.json: no such file; a result without it is of an earlier version"):
        keep(folder, tmp_path / "reference")
    assert not (tmp_path / "reference").exists()


def test_verdicts_of_an_earlier_version_tell_the_types_of_machine_among_their_details(tmp_path: Path) -> None:
    old, new = ({"details": {"node_types": 2, "half_width": 0.1}}, {"node_types": 2, "because": []})
    for name, fields in (("old", old), ("new", new)):
        folder = result(tmp_path / name, with_changes("C1", "tf1.15-cpu", **fields))
        key = ("linear_regression", "C1", "tf1.15-cpu")
        assert read_run(folder).ratios[key, "ratio"].node_types == 2


def test_every_quantity_that_is_compared_has_a_title() -> None:
    quantities = {quantity for kind in kinds().values() for quantity in getattr(kind, "comparable")}  # noqa: B009
    assert quantities >= {"ratio", "a ratio", "after / before"}
    titles = {quantity: quantity_title(quantity) for quantity in quantities}
    assert titles.pop("ratio") == "" and all(titles[each] and titles[each] != each for each in titles)
