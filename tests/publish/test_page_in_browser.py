"""The pages as a browser shows them: layout, links, filters, values in figures, and accessibility by axe-core."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, sync_playwright
from tests.support import synthetic_results as synthetic

from tf_claims.model.files import write_whole
from tf_claims.model.results import Results
from tf_claims.model.scenario import read_scenario
from tf_claims.model.study import plan_study, write_study
from tf_claims.publish.page import build_page
from tf_claims.words.messages import LANGUAGES

pytestmark = pytest.mark.container
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
FILES = {"en": "index.html", "ja": "index.ja.html"}
Open = Callable[..., Page]
FACTS = {
    "value": {"shown": "x", "expected": 1.0, "within": 0.1},
    "attribution": {
        "total": 12.6,
        "effects": {"loss": 9.0, "order": 1.4},
        "interactions": {"loss x order": 1.0},
        "weights": {"loss": 0.87, "order": 0.13},
        "shares": {"loss": 0.87, "order": 0.13},
    },
}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of both pages."""
    results = synthetic.write_results(tmp_path_factory.mktemp("browser"), "smoke")
    others = [
        synthetic.verdict(
            *(name, "tf2.0-cpu", "inconclusive"),
            scenario=scenario,
            says=claim.says,
            estimand=claim.kind,
            facts=FACTS.get(claim.kind),
        )
        for scenario in ("glove_convergence", "mnist_fit_vs_tape")
        for name, claim in read_scenario(scenario).claims.items()
    ]
    write_study(plan_study("smoke", lambda stack: None), results / "study.json")
    synthetic.write_verdicts(results, synthetic.verdicts() + others)
    folder = results / "report"
    for language in LANGUAGES:
        page = build_page(Results(results), 40, language=language)
        write_whole(folder / FILES[language], page)
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    assert chromium, "the page is tested in Chromium: install it (on Debian: apt-get install chromium)"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser, report: Path) -> Iterator[Open]:
    """Opens a page; at the end, its console must have been silent."""
    said: list[str] = []
    contexts = []

    def open_page(language: str = "en", width: int = 1200, place: str = "", **options: object) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("requestfailed", lambda request: said.append(request.url))
        page.goto((report / FILES[language]).as_uri() + place)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert said == []


def visible(page: Page) -> list[tuple[str, str, str]]:
    return [
        (row.get_attribute("data-text") or "", row.get_attribute("data-environment") or "", word)
        for row in page.query_selector_all(".row")
        if row.is_visible() and (word := row.get_attribute("data-verdict"))
    ]


def choice(page: Page, name: str) -> Locator:
    return page.get_by_role("combobox", name=name)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [360, 768, 1200])
def test_nothing_is_wider_than_the_window(open_page: Open, language: str, width: int) -> None:
    page = open_page(language, width)
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # What sticks out of its parent may be hidden by it, and unreadable.
    outside = page.evaluate(
        "[...document.querySelectorAll('main p, main li, main dd, main summary, main select')]"
        f".filter((e) => e.getBoundingClientRect().right > {width}).map((e) => e.outerHTML)"
    )
    assert outside == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(open_page: Open, language: str, scheme: str) -> None:
    page = open_page(language, color_scheme=scheme)
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    found = Axe().run(page).response
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found["violations"]] == []
    assert len(found["passes"]) > 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_and_anchor_leads_somewhere(open_page: Open, language: str) -> None:
    page = open_page(language)
    missing = page.evaluate(
        "[...document.querySelectorAll('a[href^=\"#\"]')].map((a) => a.getAttribute('href').slice(1))"
        ".filter((id) => !document.getElementById(id))"
    )
    assert missing == []
    links = page.eval_on_selector_all("a[href]:not([href^='#']):not([href^='data:'])", "all => all.map((a) => a.href)")
    assert len(links) > 5
    assert [link for link in links if not Path(unquote(urlsplit(link).path)).exists()] == []


def test_filters_narrow_what_is_shown_say_so_and_stand_in_the_address(open_page: Open) -> None:
    page = open_page()
    everything = visible(page)
    status = page.get_by_role("status")
    assert status.inner_text() == f"{len(everything)} of {len(everything)} verdicts shown"
    choice(page, "Verdict").select_option("reproduced")
    wanted = [row for row in everything if row[2] == "reproduced"]
    assert visible(page) == wanted
    assert status.inner_text() == f"{len(wanted)} of {len(everything)} verdicts shown"
    assert page.url.endswith("#verdict=reproduced")
    choice(page, "Environment").select_option("TensorFlow 2.0 (CPU)")
    assert visible(page) == [row for row in wanted if row[1] == "TensorFlow 2.0 (CPU)"]
    page.get_by_role("button", name="Show all").press("Enter")
    assert visible(page) == everything
    assert "#" not in page.url


def test_an_address_with_filters_shows_what_they_say_in_the_other_language_too(open_page: Open) -> None:
    page = open_page(place="#verdict=contradicted&text=linear_regression")
    shown = visible(page)
    assert shown and {row[2] for row in shown} == {"contradicted"}
    assert not page.locator("#linear_regression-C1").is_visible()
    # One claim, under the title of its text.
    assert page.locator(".overview tbody tr").filter(visible=True).count() == 2
    assert page.locator(".overview .title").filter(visible=True).count() == 1
    page.get_by_role("link", name="日本語").click()
    assert page.locator("html").get_attribute("lang") == "ja"
    assert visible(page) == shown
    assert page.get_by_role("status").inner_text().endswith(f"{len(shown)} 件の判定を表示中")


def test_a_filter_that_nothing_fits_says_so_and_an_unknown_one_is_ignored(open_page: Open) -> None:
    page = open_page(place="#verdict=not+run&environment=TensorFlow+2.0+(CPU)")
    assert visible(page) == []
    assert page.get_by_role("status").inner_text() == "No verdict is like that."
    page = open_page(place="#verdict=nonsense")
    assert len(visible(page)) == len(page.query_selector_all(".row"))


def test_a_link_to_what_the_filters_hide_shows_everything(open_page: Open) -> None:
    page = open_page(place="#verdict=contradicted")
    page.evaluate("location.hash = '#linear_regression-C1'")
    page.wait_for_selector("#linear_regression-C1", state="visible")
    assert choice(page, "Verdict").input_value() == ""


def test_a_link_to_an_environment_opens_its_details(open_page: Open) -> None:
    page = open_page()
    sentence = page.locator("#linear_regression-C1-tf2\\.0-cpu .sentence")
    assert not sentence.is_visible()
    page.locator(".overview a[href='#linear_regression-C1-tf2.0-cpu']").click()
    sentence.wait_for(state="visible")


@pytest.mark.parametrize("width", [360, 1200])
def test_a_plot_has_every_row_below_the_other(open_page: Open, width: int) -> None:
    page = open_page(width=width)
    boxes = [each.bounding_box() for each in page.locator("#linear_regression-C1 .plot svg").all()]
    (axis,) = (each.bounding_box() for each in page.locator("#linear_regression-C1 .axis svg").all())
    assert len(boxes) == 3 and axis
    for box in boxes:
        assert box and (box["x"], box["width"]) == pytest.approx((axis["x"], axis["width"]), abs=1)
        assert box["width"] > 200 and 30 <= box["height"] <= 80


def test_values_in_figures_are_read_by_pointer_and_keyboard(open_page: Open) -> None:
    page = open_page(reduced_motion="reduce")
    tip = page.locator("#tip")
    assert not tip.is_visible()
    figure = page.locator("#figure-linear_regression_ratios")
    figure.locator(".mark").first.focus()
    assert tip.inner_text() == "C1, tf1.15-cpu: 12.6 in one block"
    page.keyboard.press("ArrowRight")
    assert tip.inner_text() == "C1, published: 10"
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "C1, published: 10"
    page.keyboard.press("Escape")
    assert not tip.is_visible()
    figure.locator(".mark").first.hover(force=True)
    assert tip.inner_text() == "C1, tf1.15-cpu: 12.6 in one block"
    assert open_page("ja").locator(".mark").nth(1).get_attribute("aria-label") == "C1、文章の値: 10"


def test_the_download_is_the_table_of_the_observations(open_page: Open) -> None:
    page = open_page()
    row = page.locator("#linear_regression-C1-tf1\\.15-cpu")
    row.locator("summary").first.click()
    row.locator(".observations summary").click()
    assert row.locator("tbody tr").first.inner_text().split() == ["0", "2.50000", "0.2", "12.50"]
    with page.expect_download() as started:
        row.get_by_role("link", name="Download (CSV)").click()
    assert started.value.suggested_filename == "linear_regression-C1-tf1.15-cpu.csv"
    assert Path(started.value.path()).read_text().splitlines()[1] == "0,2.5,0.2,12.5,"


def test_without_scripts_everything_is_there_but_the_filters(open_page: Open) -> None:
    page = open_page(java_script_enabled=False)
    assert not page.locator("#filter").is_visible()
    assert len(visible(page)) == page.locator(".row").count() > 0
    assert page.locator(".mark title").first.text_content() == "C1, tf1.15-cpu: 12.6 in one block"


def test_print_leaves_out_what_only_a_screen_can_use(open_page: Open) -> None:
    page = open_page()
    page.emulate_media(media="print")
    assert not page.locator("#filter").is_visible()
    assert not page.locator("details.observations").first.is_visible()
    assert page.locator("#tables table").first.is_visible()
    assert page.locator(".sentence").first.is_visible() and page.locator(".plot").first.is_visible()
