"""`make reproduce` on the real workflow: what it leaves, what a second call does, what an edit makes it do again."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pandas as pd
import pytest
import yaml
from tests.support.make import make_in

from tf_claims.bench.checkout import snakemake
from tf_claims.images.key import image_key
from tf_claims.model.observation import read_observations

pytestmark = pytest.mark.container
RESULTS = "results/smoke"
FIELDS = {"claim", "environment", "verdict", "reason", "estimate", "ci_low", "ci_high", "published", "blocks"}
FIELDS |= {"scaled_down", "engine"}


def dry_run(checkout: Path) -> list[str]:
    """What `make reproduce PRESET=smoke` would do now, a line a job."""
    printed = snakemake("--profile", "profiles/local", "--dry-run", "--config", "preset=smoke", cwd=checkout)
    return re.findall(r"jobs done\] (.*)", printed)


def test_every_claim_of_every_environment_has_a_verdict(smoke):
    verdicts = json.loads((smoke / RESULTS / "verdicts.json").read_text())
    found = {(each["claim"], each["environment"]) for each in verdicts}
    claims = yaml.safe_load(Path("scenarios/linear_regression/scenario.yaml").read_text())["claims"]
    expected = {name for name, claim in claims.items() if claim.get("environments", ["*-cpu"]) == ["*-cpu"]}
    for environment in ("tf1.15-cpu", "tf2.21-cpu"):
        assert expected <= {claim for claim, where in found if where == environment}
    assert all(set(each) >= FIELDS for each in verdicts)
    assert {each["engine"] for each in verdicts if each["verdict"] != "not run"} == {"container"}


def test_blocks_ran_in_the_images_that_the_rules_named(smoke):
    for path in (smoke / RESULTS / "observations").glob("*/*/*.jsonl"):
        environment = path.parent.name
        (record,) = (smoke / "results" / "images").glob(f"{environment}.????????????.json")
        wanted = json.loads(record.read_text())
        for each in read_observations(path):
            assert each.conditions.image.sha256 == wanted["sif_sha256"]
            assert each.conditions.versions["python"].startswith(wanted["python"][:4])
            assert each.conditions.threads.affinity == each.conditions.threads.affinity[: each.conditions.threads.asked]


def test_the_known_answers_are_right(smoke):
    gates = pd.read_csv(smoke / RESULTS / "tables" / "gates.csv")
    assert set(gates["passed"]) == {"yes"}, gates[gates["passed"] != "yes"].to_string()


def test_files_for_people_are_there(smoke):
    for folder, endings in {"tables": {".csv", ".md", ".tex"}, "figures": {".svg", ".pdf"}}.items():
        found = {path.suffix for path in (smoke / RESULTS / folder).iterdir()}
        assert endings <= found
    assert "</html>" in (smoke / RESULTS / "report" / "index.html").read_text()


def test_a_second_call_does_nothing_and_says_so(smoke):
    before = {path: path.stat().st_mtime_ns for path in (smoke / RESULTS).rglob("*") if path.is_file()}
    done = make_in(smoke)("reproduce", PRESET="smoke")
    assert done.returncode == 0
    assert "nothing to do: results/smoke is complete" in done.stderr
    assert {path: path.stat().st_mtime_ns for path in (smoke / RESULTS).rglob("*") if path.is_file()} == before


def test_another_wording_of_a_claim_measures_nothing_again(smoke):
    file = smoke / "scenarios/linear_regression/scenario.yaml"
    text = file.read_text()
    file.write_text(text.replace("about ten times slower", "some ten times slower"))
    try:
        jobs = dry_run(smoke)
    finally:
        file.write_text(text)
    assert "judging the claims" in jobs
    assert not [job for job in jobs if job.startswith("measuring")]


def test_other_code_under_test_is_measured_again(smoke):
    file = smoke / "scenarios/linear_regression/variants.py"
    text = file.read_text()
    file.write_text(text + "\n")
    try:
        jobs = dry_run(smoke)
    finally:
        file.write_text(text)
    measured = sorted(job for job in jobs if job.startswith("measuring"))
    assert measured == [
        f"measuring linear_regression in {environment}, block {block}"
        for environment in ("tf1.15-cpu", "tf2.21-cpu")
        for block in (1, 2)
    ]


def test_blocks_of_other_software_are_measured_again(smoke):
    """Also where its image is there already, as after going back and forth between two commits."""
    file = smoke / "docker/Dockerfile"
    text = file.read_text()
    file.write_text(text + "# another\n")
    key = image_key("tf1.15-cpu", smoke / "envs", file)
    made = [smoke / f"results/images/tf1.15-cpu.{key}.{kind}" for kind in ("sif", "json")]
    try:
        for path in made:
            path.write_text("{}")
        jobs = dry_run(smoke)
    finally:
        file.write_text(text)
        for path in made:
            path.unlink()
    assert "measuring linear_regression in tf1.15-cpu, block 1" in jobs
    # And nothing is, once it is as it was.
    assert not [job for job in dry_run(smoke) if job.startswith("measuring")]
