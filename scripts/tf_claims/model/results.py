"""Where everything lies under ``results``: the only place that names these paths."""

from __future__ import annotations

from pathlib import Path

ROOT = Path("results")
IMAGES, VENVS, DATA, GIT = ROOT / "images", ROOT / "venvs", ROOT / "data", ROOT / "git.json"


class Results:
    """The results of one preset: ``results/<preset>``, or a copy of it elsewhere.

    Names of scenarios, environments and blocks may also be Snakemake's wildcards, such as ``{block}``.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.study = folder / "study.json"
        self.observations = folder / "observations.parquet"
        self.observations_csv = folder / "observations.csv"
        self.judgements = folder / "judgements.json"
        self.verdicts = folder / "verdicts.json"
        self.estimates = folder / "estimates.csv"
        self.tables = folder / "tables"
        self.figures = folder / "figures"
        self.paper = folder / "paper.pdf"
        self.latex = folder / "latex" / "main.tex"
        self.page = folder / "report" / "index.html"
        self.page_ja = folder / "report" / "index.ja.html"
        self.crate = folder / "ro-crate-metadata.json"
        self.steps = folder / "steps.json"
        self.sources = folder / "sources"
        self.snakemake_report = folder / "snakemake-report.html"
        self.blocks = folder / "observations"
        self.plans = folder / "plans"
        self.looks = folder / "looks"
        self.logs = folder / "logs"

    @classmethod
    def of(cls, preset: str) -> Results:
        """Those of a preset in the checkout in the working directory."""
        return cls(ROOT / preset)

    def block(self, scenario: str, environment: str, block: int | str) -> Path:
        """The observations of one block, a line a process."""
        return self.blocks / scenario / environment / f"{block}.jsonl"

    def plan(self, scenario: str, environment: str) -> Path:
        """What the runner is told of every block of one scenario in one environment."""
        return self.plans / scenario / f"{environment}.json"

    def prepared(self, scenario: str, environment: str) -> Path:
        """Where the software of one scenario in one environment is, written when it is there, and the data too."""
        return self.plans / scenario / f"{environment}.place"

    def look(self, scenario: str, environment: str, measured: int | str) -> Path:
        """The look at the precision after so many blocks."""
        return self.looks / scenario / environment / f"{measured}.json"

    def listed_blocks(self, scenario: str, environment: str) -> Path:
        """The list of all blocks of one scenario in one environment, written when no more are asked for."""
        return self.looks / scenario / environment / "blocks.txt"
