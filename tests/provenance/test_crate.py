"""The RO-Crate of a run: complete, exact and the same each time."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tf_claims.model.errors import InputError
from tf_claims.model.results import Results
from tf_claims.provenance.crate import NAME, write_crate
from tf_claims.provenance.steps import write_steps

IMAGE, LOCK, CODE = "a" * 64, "envs/{}/requirements.lock", "scenarios/{}/variants.py"
ENVIRONMENTS = {"tf1-cpu": "111111111111", "tf2-cpu": "222222222222"}
DATA = {"alone": [], "pictures": ["mnist"], "words": ["austen-glove"]}
"""Scenarios and their data sets."""
GIT = {"commit": "c0ffee", "committed": "2026-11-30T12:00:00+00:00", "dirty": False}


def rule(name: str, shell: str, used: list[str], made: list[str]) -> SimpleNamespace:
    """As Snakemake has a rule."""
    return SimpleNamespace(name=name, shellcmd=shell, input=used, output=made, wildcard_names=set())


Q = "results/quick"
LISTS = [f"{Q}/looks/{scenario}/{environment}/blocks.txt" for scenario in DATA for environment in ENVIRONMENTS]
CLAIMS = [f"scenarios/{scenario}/scenario.yaml" for scenario in DATA]
SHOWN = [f"{Q}/judgements.json", f"{Q}/tables", f"{Q}/figures"]
RULES = [
    SimpleNamespace(name="measure_block", shellcmd="x", input=[], output=["{block}.jsonl"], wildcard_names={"block"}),
    rule("tabulate", "tf-claims tabulate x", LISTS, [f"{Q}/observations.parquet", f"{Q}/observations.csv"]),
    rule(
        "judge",
        "tf-claims judge x",
        [f"{Q}/study.json", f"{Q}/observations.parquet", *CLAIMS],
        [f"{Q}/judgements.json", f"{Q}/verdicts.json", f"{Q}/estimates.csv"],
    ),
    rule("tables", "tf-claims tables", [f"{Q}/judgements.json"], [f"{Q}/tables"]),
    rule("figures", "tf-claims figures", [f"{Q}/judgements.json"], [f"{Q}/figures"]),
    rule("paper", "tf-claims paper", SHOWN, [f"{Q}/paper.pdf"]),
    rule("latex", "tf-claims latex", SHOWN, [f"{Q}/latex/main.tex"]),
    rule("page", "tf-claims page", [*SHOWN, f"{Q}/paper.pdf"], [f"{Q}/report/index.html"]),
    rule("write_provenance", "tf-claims crate", SHOWN, [f"{Q}/ro-crate-metadata.json", f"{Q}/sources"]),
]


def put(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A checkout with results of three scenarios in two environments, of two blocks each."""
    results = tmp_path / "results" / "quick"
    for name in ("Snakefile", "rules/a.smk", "config/config.yaml", "config/presets/quick.yaml"):
        put(tmp_path / name, name)
    put(tmp_path / "CITATION.cff", 'title: x\ndate-released: "2026-01-02"\n')
    put(tmp_path / "results" / "git.json", GIT)
    for data in ("mnist", "austen", "austen-glove"):
        files = [{"name": f"{data}.bin", "bytes": 3, "sha256": sha256(data.encode()).hexdigest()}]
        put(tmp_path / f"results/data/{data}.json", {"name": data, "files": files})
    for environment, key in ENVIRONMENTS.items():
        put(tmp_path / LOCK.format(environment), f"lock of {environment}")
        record = {"environment": environment, "key": key, "sif_sha256": IMAGE, "oci_digest": f"sha256:{key}"}
        put(tmp_path / f"results/images/{environment}.{key}.json", record)
        for scenario, data in DATA.items():
            code = CODE.format(scenario)
            put(tmp_path / code, f"code of {scenario}")
            put(tmp_path / f"scenarios/{scenario}/scenario.yaml", scenario)
            put(results / f"plans/{scenario}/{environment}.json", {"code": code, "data": data})
            blocks = [f"observations/{scenario}/{environment}/{block}.jsonl" for block in (1, 2)]
            for block in blocks:
                conditions = {"image": {"key": key, "sha256": IMAGE}, "git": {"commit": "beef", "dirty": True}}
                failed = json.dumps({"engine": "container", "conditions": None})
                fine = json.dumps({"engine": "container", "conditions": conditions})
                put(results / block, f"{failed}\n{fine}\n")
            looks = results / "looks" / scenario / environment
            put(looks / "2.json", {"blocks": 2})
            put(looks / "3.json", {"blocks": 3})
            put(looks / "blocks.txt", "".join(f"results/quick/{block}\n" for block in blocks))
    made = ["observations.parquet", "observations.csv", "verdicts.json", "estimates.csv", "paper.pdf", "latex/main.tex"]
    for name in (*made, "study.json", "judgements.json", "tables/a.csv", "figures/a.svg", "report/index.html"):
        put(results / name, name)
    write_steps(RULES, Results(results))
    rows = [
        {"scenario": name, "environment": place, "block": n} for name in DATA for place in ENVIRONMENTS for n in (1, 2)
    ]
    pq.write_table(pa.Table.from_pylist(rows), results / "observations.parquet")
    # Not among the observations that were judged.
    put(results / "observations" / "alone" / "tf1-cpu" / "3.jsonl", "{}")
    return results


def graph_of(results: Path) -> dict[str, dict[str, Any]]:
    write_crate(results)
    content = json.loads((results / NAME).read_text())
    return {entity["@id"]: entity for entity in content["@graph"]}


def named(references: list[dict[str, str]]) -> set[str]:
    return {each["@id"] for each in references}


def references(value: Any) -> set[str]:
    if isinstance(value, list):
        return set().union(*map(references, value))
    return {value["@id"]} if isinstance(value, dict) else set()


def test_it_has_what_the_profiles_demand(results: Path) -> None:
    graph = graph_of(results)
    assert graph[NAME]["about"] == {"@id": "./"}
    root = graph["./"]
    assert root["datePublished"] == GIT["committed"]
    assert {"name", "description", "license"} <= root.keys()
    workflow = graph[root["mainEntity"]["@id"]]
    assert workflow["@type"] == ["File", "SoftwareSourceCode", "ComputationalWorkflow"]
    actions = {name for name, entity in graph.items() if entity["@type"] == "CreateAction"}
    assert named(root["mentions"]) == actions
    tools = {graph[name]["instrument"]["@id"] for name in actions} - {workflow["@id"]}
    assert named(workflow["hasPart"]) == tools
    assert {graph[tool]["@type"] for tool in tools} == {"SoftwareApplication"}


def test_every_reference_leads_to_an_entity(results: Path) -> None:
    graph = graph_of(results)
    # These two name vocabularies, not entities.
    outside = {"https://w3id.org/ro/crate/1.1", "https://w3id.org/ro/terms/workflow-run#SIFImage"}
    for entity in graph.values():
        for value in entity.values():
            assert references(value) <= graph.keys() | outside


def test_every_file_is_in_the_crate_with_its_sha256(results: Path) -> None:
    graph = graph_of(results)
    files = {name for name, entity in graph.items() if "File" in entity["@type"]}
    assert files == named(graph["./"]["hasPart"])
    for name in files:
        assert graph[name]["sha256"] == sha256((results / name).read_bytes()).hexdigest()
    there = {path.relative_to(results).as_posix() for path in results.rglob("*") if path.is_file()}
    left = {name for name in there if name.endswith(("blocks.txt", "3.json", "/3.jsonl"))}
    assert there - files == {NAME} | left


@pytest.mark.parametrize(
    ("scenario", "data"),
    [
        ("alone", set()),
        ("pictures", {"sources/results/data/mnist.json", "#data/mnist/mnist.bin"}),
        ("words", {"sources/results/data/austen-glove.json", "#data/austen-glove/austen-glove.bin"}),
    ],
)
def test_a_block_is_made_of_its_own_plan_code_lock_image_and_data_alone(
    results: Path, scenario: str, data: set[str]
) -> None:
    graph = graph_of(results)
    action = graph[f"#action/measure/{scenario}/tf2-cpu/1"]
    assert named(action["result"]) == {f"observations/{scenario}/tf2-cpu/1.jsonl"}
    assert named(action["object"]) == data | {
        f"plans/{scenario}/tf2-cpu.json",
        f"sources/scenarios/{scenario}/variants.py",
        "sources/envs/tf2-cpu/requirements.lock",
        "sources/results/images/tf2-cpu.222222222222.json",
    }
    image = graph[action["containerImage"]["@id"]]
    assert (image["identifier"], image["sha256"]) == ("sha256:222222222222", IMAGE)
    assert graph[action["instrument"]["@id"]]["softwareVersion"] == "beef+changes"


def test_the_steps_after_the_blocks_are_made_of_what_they_read(results: Path) -> None:
    graph = graph_of(results)
    blocks = {name for name in graph if name.startswith("observations/")}
    assert len(blocks) == 12
    claims = {f"sources/scenarios/{scenario}/scenario.yaml" for scenario in DATA}
    shown = {"judgements.json", "tables/a.csv", "figures/a.svg"}
    wanted = {
        "tabulate": (blocks, {"observations.parquet", "observations.csv"}),
        "judge": (
            {"study.json", "observations.parquet"} | claims,
            {"judgements.json", "verdicts.json", "estimates.csv"},
        ),
        "tables": ({"judgements.json"}, {"tables/a.csv"}),
        "figures": ({"judgements.json"}, {"figures/a.svg"}),
        "paper": (shown, {"paper.pdf"}),
        "latex": (shown, {"latex/main.tex"}),
        "page": (shown | {"paper.pdf"}, {"report/index.html"}),
    }
    actions = {name: graph[f"#action/{name}"] for name in wanted}
    assert {name: (named(each["object"]), named(each["result"])) for name, each in actions.items()} == wanted
    counted = graph["#action/count_cooccurrences/austen"]
    assert named(counted["object"]) == {"sources/results/data/austen.json", "#data/austen/austen.bin"}


def test_the_same_results_give_the_same_bytes_and_nothing_of_this_machine(results: Path) -> None:
    write_crate(results)
    first = (results / NAME).read_bytes()
    write_crate(results)
    assert (results / NAME).read_bytes() == first
    assert str(results.parent.parent).encode() not in first


def test_a_changed_block_changes_its_sha256_alone(results: Path) -> None:
    block = "observations/alone/tf1-cpu/2.jsonl"
    before = graph_of(results)
    (results / block).write_text((results / block).read_text() + '{"engine": "container"}\n')
    after = graph_of(results)
    assert {name for name in after if after[name] != before[name]} == {block}
    assert after[block]["sha256"] == sha256((results / block).read_bytes()).hexdigest()


def test_an_image_built_anew_after_a_block_does_not_lend_it_its_digest(results: Path) -> None:
    path = results.parent / "images" / "tf1-cpu.111111111111.json"
    put(path, json.loads(path.read_text()) | {"sif_sha256": "b" * 64})
    graph = graph_of(results)
    image = graph[graph["#action/measure/alone/tf1-cpu/1"]["containerImage"]["@id"]]
    assert image["sha256"] == IMAGE
    assert "identifier" not in image


def test_a_run_without_git_bears_the_date_of_the_release(results: Path) -> None:
    put(results.parent / "git.json", {"commit": None, "committed": None, "dirty": None})
    assert graph_of(results)["./"]["datePublished"] == "2026-01-02"


@pytest.mark.parametrize(
    "missing",
    [
        "verdicts.json",
        "observations.parquet",
        "observations/words/tf1-cpu/1.jsonl",
        "plans/alone/tf2-cpu.json",
        "../git.json",
    ],
)
def test_a_missing_file_is_named(results: Path, missing: str) -> None:
    (results / missing).unlink()
    with pytest.raises(InputError, match=rf"{Path(missing).name}: no such file"):
        write_crate(results)
    assert not (results / NAME).exists()


def test_a_plan_that_names_a_file_outside_brings_nothing_of_it_into_the_crate(results: Path, tmp_path: Path) -> None:
    put(tmp_path.parent / "secret", "mine")
    put(results / "plans/alone/tf2-cpu.json", {"code": "../secret", "data": []})
    with pytest.raises(InputError, match=r"\.\./secret: no such file of the checkout"):
        write_crate(results)
    assert "mine" not in {path.read_text() for path in results.rglob("*") if path.is_file() and path.suffix == ""}


@pytest.mark.parametrize("link", ["tables/a.csv", "observations/alone/tf1-cpu/1.jsonl"])
def test_a_link_out_of_the_results_is_refused(results: Path, tmp_path: Path, link: str) -> None:
    put(tmp_path.parent / "secret", "{}\n")
    (results / link).unlink()
    (results / link).symlink_to(tmp_path.parent / "secret")
    with pytest.raises(InputError, match=rf"{link}: leads to .*secret, out of"):
        write_crate(results)


def test_a_link_in_the_place_of_the_copies_is_not_written_through(results: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path.parent / f"{tmp_path.name}-elsewhere"
    elsewhere.mkdir()
    (results / "sources").symlink_to(elsewhere)
    write_crate(results)
    assert list(elsewhere.iterdir()) == []
    assert (results / "sources/Snakefile").is_file() and not (results / "sources").is_symlink()
