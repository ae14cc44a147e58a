"""Results beside each other: exactly what was changed between them is named."""

from __future__ import annotations

import csv
import json
import re
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
from tf_claims.compare.changes import Changes, compare
from tf_claims.compare.conditions import Difference
from tf_claims.compare.movement import RatioEstimate, movement
from tf_claims.compare.page import build_page, quantity_title
from tf_claims.compare.reference import keep
from tf_claims.compare.retest import NOT_THERE, Retest, retest
from tf_claims.compare.runs import read_run
from tf_claims.compare.summary import summary
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


def words_of(*folders: Path) -> Retest:
    return retest([read_run(folder) for folder in folders])


def test_the_same_result_twice(tmp_path: Path) -> None:
    folders = result(tmp_path / "a", synthetic.verdicts()), result(tmp_path / "b", synthetic.verdicts())
    words, changes = words_of(*folders), of(*folders)
    assert (words.compared, words.share_differing, words.lost, len(changes.ratios)) == (8, 0.0, 0, 6)
    assert (words.changed, words.not_run, changes.moved_ratios, changes.conditions) == ([], [], [], [])
    assert changes.expected_by_chance == pytest.approx(0.3)


def test_what_was_changed_and_nothing_else(tmp_path: Path) -> None:
    def another_machine(record: Record) -> None:
        record["conditions"]["host"] |= {"cpu_model": "Other CPU @ 3.00GHz", "node": "bench-2", "load_1m": 0.9}
        if record["environment"] == "tf2.0-cpu":
            record["conditions"]["versions"]["numpy"] = "1.19.5"

    first = result(tmp_path / "a", synthetic.verdicts())
    verdicts = with_changes("C1", "tf2.0-cpu", estimate=31.0, ci_low=29.0, ci_high=33.1, verdict="direction only")
    second = result(tmp_path / "b", verdicts, another_machine)
    words, changes = words_of(first, second), of(first, second)
    assert [(row.key[1:], row.words) for row in words.changed] == [
        (("C1", "tf2.0-cpu"), ["reproduced", "direction only"])
    ]
    (moved,) = changes.moved_ratios
    assert moved.key == ("linear_regression", "C1", "tf2.0-cpu")
    assert moved.movement.factor == pytest.approx(31 / 19.02) and moved.holds_family_wise
    assert changes.conditions == [
        Difference("CPU model", "all", "Example CPU @ 2.60GHz", "Other CPU @ 3.00GHz", False),
        Difference("numpy", "tf2.0-cpu", "1.18.5", "1.19.5", False),
    ]
    runs = {"A": read_run(first), "B": read_run(second)}
    assert summary(runs, words, {"B": changes}).splitlines() == [
        f"A: {first}",
        f"B: {second}",
        "1 of 8 words differ (12 %), over 1 pair of runs; 0 lost to too few usable blocks; "
        "0 rows judged in some runs only",
        "  linear_regression C1, tf2.0-cpu: A reproduced 19.0 (17.4 to 20.7); B direction only 31.0 (29.0 to 33.1)",
        "B beside A: 1 of 6 ratios moved beyond their intervals (0.3 expected by chance); 2 conditions differ",
    ]


def test_a_ratio_moves_without_its_verdict(tmp_path: Path) -> None:
    first = result(tmp_path / "a", synthetic.verdicts())
    verdicts = with_changes("C1", "tf1.15-cpu", estimate=13.6, ci_low=13.0, ci_high=14.23)
    second = result(tmp_path / "b", verdicts)
    changes = of(first, second)
    assert words_of(first, second).changed == [] and [pair.key[1:] for pair in changes.moved_ratios] == [
        ("C1", "tf1.15-cpu")
    ]
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
    words = words_of(
        result(tmp_path / "a", [each for each in both if each["environment"] != "tf2.0-cpu"]),
        result(tmp_path / "b", [each for each in both if each["claim"] not in ("C2", "C7")]),
    )
    # C2 is left out: no run judges it.
    assert [tuple(each) for each in words.not_run] == [
        ("linear_regression", "tf1.15-cpu", ("", NOT_THERE), ["C7"]),
        ("linear_regression", "tf2.0-cpu", (NOT_THERE, ""), ["C1", "C4"]),
    ]


def test_what_one_did_not_run_is_no_word_that_differs(tmp_path: Path) -> None:
    first = result(tmp_path / "a", synthetic.verdicts())
    failed = with_changes("C4", "tf2.0-cpu", verdict="not run", reason="it failed in all blocks", **synthetic.NOTHING)
    words = words_of(first, result(tmp_path / "b", failed))
    assert (words.compared, words.differing, words.lost) == (7, 0, 0)
    assert [tuple(each) for each in words.not_run] == [
        ("linear_regression", "tf2.0-cpu", ("", "it failed in all blocks"), ["C4"])
    ]


def test_the_words_of_three_runs(tmp_path: Path) -> None:
    """Eight rows in three pairs. C1 in 2.0 is another word in one run of three: two pairs. C1 in 1.15 is lost in the
    second, where the first and third agree: two pairs more."""
    few = [{"key": "few_blocks", "values": {"blocks": 1}}]
    none = synthetic.NOTHING | {"blocks": 1}
    folders = [
        result(tmp_path / "a", synthetic.verdicts()),
        result(tmp_path / "b", with_changes("C1", "tf1.15-cpu", verdict="inconclusive", because=few, **none)),
        result(tmp_path / "c", with_changes("C1", "tf2.0-cpu", verdict="contradicted")),
    ]
    words = words_of(*folders)
    assert (words.compared, words.differing, words.lost) == (24, 4, 1)
    assert words.share_differing == pytest.approx(4 / 24)
    output = tmp_path / "compared"
    done = run_command(*folders, "--output", output)
    assert done.returncode == 0, done.stderr
    assert "4 of 24 words differ (17 %), over 3 pairs of runs; 1 lost to too few usable blocks" in done.stdout
    assert (
        "linear_regression C1, tf1.15-cpu: A reproduced 12.6 (12.1 to 13.2); B inconclusive (lost); C reproduced 12"
        in (done.stdout)
    )
    found = json.loads((output / "comparison.json").read_text())
    assert {name: found[name] for name in ("rows", "differing", "lost", "not_run_in_some")} == {
        "rows": 24, "differing": 4, "lost": 1, "not_run_in_some": 0,
    }  # fmt: skip
    assert found["share_differing"] == pytest.approx(4 / 24)
    assert [(row["claim"], row["environment"]) for row in found["changed"]] == [
        ("C1", "tf1.15-cpu"), ("C1", "tf2.0-cpu"),
    ]  # fmt: skip
    assert [each["verdict"] for each in found["changed"][1]["runs"].values()] == [
        "reproduced", "reproduced", "contradicted",
    ]  # fmt: skip
    assert [each["lost"] for each in found["changed"][0]["runs"].values()] == [False, True, False]
    page = (output / "index.html").read_text()
    assert "3 results beside each other" in page and 'id="ratios-B"' in page and 'id="conditions-C"' in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


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
    runs, words, changes = {"A": first, "B": second}, retest([first, second]), {"B": compare(first, second)}
    page = build_page(runs, words, changes, tmp_path / "index.html")
    assert page == build_page(runs, words, changes, tmp_path / "index.html")
    assert '<td class="numeric">+63.0 % (+' in page and "linear_regression C1" in page
    assert "about 0.3 of 6 ratios" in page and "None: machine, software and sizes are the same" in page
    assert "src=" not in page and "<script" not in page and "url(" not in page and 'href="http' not in page


def test_tables_have_every_pair(tmp_path: Path) -> None:
    folder = result(tmp_path / "a", synthetic.verdicts())
    made = tables(["A", "B"], words_of(folder, folder), {"B": of(folder, folder)})
    sizes = {table.name: (len(table.rows), len(table.columns)) for table in made}
    assert sizes == {"verdicts": (8, 14), "ratios": (6, 19), "conditions": (0, 6), "not_run_in_some": (0, 5)}
    assert all(len(row) == len(table.columns) for table in made for row in table.rows)


def run_command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tf_claims", "compare", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": "scripts"}, capture_output=True, text=True)


def test_a_folder_that_is_no_result() -> None:
    done = run_command("scripts", "scripts", "--output", "never")
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert done.stderr.startswith("error: scripts/verdicts.json: no such file; a result to compare has verdicts.json, ")
    assert not (ROOT / "never").exists()


def test_one_folder_alone_is_refused() -> None:
    done = run_command("scripts", "--output", "never")
    assert done.returncode == 2
    assert done.stderr.startswith("error: 1 result to compare: name 2 to 26 folders, ")


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
