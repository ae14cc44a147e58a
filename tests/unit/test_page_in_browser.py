"""The page as a browser shows it."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import synthetic_results as synthetic

from publish.page import build_page

pytestmark = pytest.mark.container
CHROMIUM = shutil.which("chromium")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--enable-logging=stderr")


def open_page(path: Path, profile: Path) -> tuple[str, list[str]]:
    """The document after its scripts ran, and what the console said."""
    assert CHROMIUM
    ended = subprocess.run(
        [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "--window-size=1200,900", "--dump-dom", path.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return ended.stdout, [line for line in ended.stderr.splitlines() if "CONSOLE" in line]


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
@pytest.mark.parametrize("width", [360, 768, 1200])
def test_nothing_is_wider_than_the_window_and_the_console_is_silent(tmp_path: Path, width: int) -> None:
    results = synthetic.write_results(tmp_path, "smoke")
    page = build_page(results, results / "report" / "index.html", blocks_in_all=40)
    # Chromium has no window as narrow as a phone, but a frame may be: opened details are the widest.
    frame = html.escape(page.replace("<details", "<details open"), quote=True)
    measure = "let page = this.contentDocument.documentElement; document.title = page.scrollWidth + ' ' + page.id"
    outer = tmp_path / "frame.html"
    outer.write_text(
        f'<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">'
        f'<iframe style="border: 0; width: {width}px; height: 800px" onload="{measure}" srcdoc="{frame}"></iframe>'
    )
    document, console = open_page(outer, tmp_path / "profile")
    title = re.search(r"<title>(\d+) </title>", document)
    assert title and int(title[1]) <= width
    assert console == []
