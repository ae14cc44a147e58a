"""`make bundle` and `make report`: what they say where there is nothing to take, and where a bundle's links lead."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from argparse import Namespace
from pathlib import Path

import pytest

from tf_claims.model.errors import InputError
from tf_claims.model.results import Results
from tf_claims.provenance import bundle
from tf_claims.run import report
from tf_claims.run.measured import list_blocks, measured_blocks

REPOSITORY = Path.cwd()
RESULTS = Path("results/smoke")
BLOCKS = RESULTS / "observations/linear_regression/tf2.21-cpu"


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout without git and without results."""
    for name in ("config", "envs", "docker", "scenarios"):
        (tmp_path / "checkout" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "checkout" / name).symlink_to(REPOSITORY / name)
    monkeypatch.chdir(tmp_path / "checkout")
    monkeypatch.setenv("TF_CLAIMS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "checkout"


def _write(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_bundle_of_an_unknown_preset_names_the_known_ones(checkout):
    with pytest.raises(InputError, match=r"preset 'huge' is unknown; known: .*smoke"):
        bundle.members("huge", images=False)


def test_a_bundle_without_results_says_what_makes_them(checkout):
    with pytest.raises(InputError, match=r"results/smoke/verdicts\.json: no such file; `make reproduce PRESET=smoke`"):
        bundle.members("smoke", images=False)


def test_a_bundle_outside_git_says_so(checkout, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(checkout.parent))
    _write(RESULTS / "verdicts.json")
    (checkout / "results/data").mkdir()
    with pytest.raises(InputError, match="a bundle is made in a git checkout"):
        bundle.members("smoke", images=False)


def _git(*words: str) -> None:
    author = [word for what in ("name=a", "email=a@b.example") for word in ("-c", f"user.{what}")]
    subprocess.run(["git", *author, *words], check=True, capture_output=True)


def test_of_what_git_does_not_know_only_new_scenarios_and_environments_are_bundled(checkout, tmp_path):
    _write(RESULTS / "verdicts.json", "[]")
    (checkout / "results/data").mkdir()
    (checkout / "scenarios").unlink()
    _git("init", "--quiet")
    _write(Path("docs/日本語.md"))
    _git("add", "docs")
    _git("commit", "--quiet", "--message", "first")
    for name in (".env", "notes.txt", "scenarios/new/variants.py", "scenarios/new/.secret"):
        _write(Path(name))
    names = set(bundle.members("smoke", images=False))
    assert {"docs/日本語.md", "scenarios/new/variants.py"} <= names
    assert not {".env", "notes.txt", "scenarios/new/.secret"} & names


@pytest.mark.parametrize("link", ["results/smoke/tables/a.csv", "results/smoke/sources"])
def test_nothing_that_lies_elsewhere_is_bundled_or_reported(checkout, tmp_path, link):
    _write(RESULTS / "verdicts.json", "[]")
    Path(link).parent.mkdir(parents=True, exist_ok=True)
    Path(link).symlink_to(_write(tmp_path / "outside/secret", "mine"))
    for taken in (lambda: bundle.members("smoke", images=False), lambda: report.execute(Namespace(preset="smoke"))):
        with pytest.raises(InputError, match=rf"{link}: leads to .*outside/secret, out of .*; delete it"):
            taken()


def test_a_report_without_observations_says_what_makes_them(checkout):
    with pytest.raises(InputError, match="results/smoke/observations: no observations; `make reproduce PRESET=smoke`"):
        list_blocks(Results(RESULTS))


def test_a_report_takes_the_blocks_that_the_run_listed_or_else_all(checkout):
    results, cell = Results(RESULTS), ("linear_regression", "tf2.21-cpu")
    for block in (1, 2, 10):
        _write(BLOCKS / f"{block}.jsonl")
    assert [file.stem for file in measured_blocks(results)[cell]] == ["1", "2", "10"]
    listed = [f"{BLOCKS}/{block}.jsonl" for block in (1, 2)]
    _write(results.listed_blocks(*cell), "\n".join(listed) + "\n")
    list_blocks(results)
    assert [file.stem for file in measured_blocks(results)[cell]] == ["1", "2"]


def test_blocks_of_a_run_that_was_stopped_are_listed(checkout):
    results, cell = Results(RESULTS), ("linear_regression", "tf2.21-cpu")
    for block in (1, 10, 2):
        _write(BLOCKS / f"{block}.jsonl")
    list_blocks(results)
    assert results.listed_blocks(*cell).read_text().split() == [f"{BLOCKS}/{block}.jsonl" for block in (1, 2, 10)]


def test_only_a_bundle_with_images_has_links_and_they_lead_into_it(checkout, tmp_path, monkeypatch):
    monkeypatch.setattr(bundle, "_sources", lambda: [])
    monkeypatch.setattr(bundle, "apptainer_bin_dir", lambda: Path("/usr/bin"))
    _write(RESULTS / "verdicts.json", "[]")
    _write(BLOCKS / "1.jsonl")
    _write(Path("results/git.json"), "{}")
    (checkout / "results/data").mkdir()
    (checkout / "results/images").mkdir()
    for environment in ("tf2.21-cpu", "tf2.0-cpu"):
        key = f"{environment}.{bundle.image_key(environment)}"
        _write(tmp_path / "cache/images" / key / "record.json", "{}")
        image = _write(tmp_path / "cache/images" / key / "image.sif", environment)
        Path(f"results/images/{key}.sif").symlink_to(image)
    assert not any("images" in name for name in bundle.members("smoke", images=False))
    bundle.write(tmp_path / "a.tar.gz", bundle.members("smoke", images=True))
    with tarfile.open(tmp_path / "a.tar.gz") as tar:
        tar.extractall(tmp_path / "elsewhere", filter="data")
    (found,) = (tmp_path / "elsewhere/tf-claims/results/images").iterdir()
    assert found.read_text() == "tf2.21-cpu"
    assert found.resolve().is_relative_to(tmp_path / "elsewhere")


def test_snakemakes_report_without_results_says_what_makes_them(checkout):
    for name in ("profiles", "scripts"):
        (checkout / name).symlink_to(REPOSITORY / name)
    command = [sys.executable, "-m", "tf_claims", "snakemake-report", "--preset", "smoke"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "results/smoke/report/index.html: no such file; `make reproduce PRESET=smoke` makes it" in done.stderr
