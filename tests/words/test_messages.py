"""The catalogue of messages: whole in both languages, and knowing what other parts of the project write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from markupsafe import Markup

from tf_claims.figures import cost_model as figure_cost_model
from tf_claims.figures import curves as figure_curves
from tf_claims.figures import factorial as figure_factorial
from tf_claims.figures import ratios as figure_ratios
from tf_claims.model.preset import BlockRule, read_scenario
from tf_claims.model.study import plan_study
from tf_claims.statistics.precision import Width, next_look
from tf_claims.tables import write as tables
from tf_claims.words.messages import Messages, catalogue

JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
MESSAGES = Messages("ja")
STUDY = plan_study("smoke", lambda stack: None)


def placeholders(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


@pytest.mark.parametrize("key", list(catalogue()))
def test_a_message_has_the_same_placeholders_and_tags_in_both_languages(key: str) -> None:
    message = catalogue()[key]
    assert message.en and message.ja
    assert placeholders(message.en) == placeholders(message.ja)
    tags = [sorted(re.findall(r"</?[a-z]+>", text)) for text in (message.en, message.ja)]
    assert tags[0] == tags[1]


def test_a_message_is_in_japanese_unless_it_holds_no_words() -> None:
    same = {key for key, message in catalogue().items() if not JAPANESE.search(message.ja)}
    assert same == {
        "across.versions",
        "conditions.cpu",
        "conditions.gpu",
        "interval",
        "list",
        "metric.other",
        "page.language",
        "told.mark.other",
        "told.span",
        "told.threads.blas",
    }


def test_every_message_that_the_templates_name_is_there() -> None:
    named = set()
    for path in Path("scripts/tf_claims/publish/templates").glob("*.j2"):
        named |= set(re.findall(r'say\("([\w. ]+)"(?! ~)', path.read_text()))
    assert len(named) > 50
    assert named <= set(catalogue())


def captions() -> Iterator[str]:
    yield figure_ratios.CAPTION
    yield figure_cost_model.CAPTION
    yield figure_curves.CAPTION.format(told="Loss printed", checked="correct loss", step="epoch")
    yield figure_factorial.DECOMPOSED.format(cause="network", others="method", s="s", all="")
    yield figure_factorial.INTERACTION.format(factor="method")
    yield tables.verdict_table([]).caption
    yield tables.gate_table({}).caption
    yield tables.phase_table({}).caption
    yield tables.family_wise_table([]).caption
    yield tables.quality_table({}).caption
    yield tables.remedy_table(STUDY, {}).caption
    yield tables.environment_table(STUDY, {}).caption


@pytest.mark.parametrize("caption", list(captions()))
def test_the_captions_of_figures_and_tables_are_known(caption: str) -> None:
    assert JAPANESE.search(MESSAGES.find(caption, "caption") or "")


def test_the_headings_of_tables_are_known() -> None:
    empty = [tables.verdict_table([]), tables.gate_table({}), tables.phase_table({}), tables.family_wise_table([])]
    empty += [tables.quality_table({}), tables.remedy_table(STUDY, {}), tables.environment_table(STUDY, {})]
    for table in empty:
        for column in table.columns:
            heading = column.replace("_", " ").capitalize()
            assert MESSAGES.find(heading, "column"), heading


def test_every_reason_to_stop_measuring_is_known() -> None:
    rule = BlockRule(least=2, most=4, minutes=1)
    wide = [Width(9.0, 0.05, 4)]
    reasons = [next_look(rule, 4, 0, *case).why for case in (([], 1.0), (wide, 1.0), (wide, 9000.0))]
    assert [MESSAGES.find(reason, "stop") for reason in reasons] == [
        "すべての主張が目標の精度に達した",
        "上限の 4 ブロックに達した",
        "上限の 1 分に達した",
    ]


def test_what_the_catalogue_does_not_know_stays_english_and_says_so() -> None:
    assert MESSAGES.find("no such text", "caption") is None
    assert MESSAGES.told("a <b>", "caption") == Markup('<span lang="en">a &lt;b&gt;</span>')
    assert MESSAGES.find("CPU time used by other programs 0 to 0.05 s a block", "disturbance") == (
        "ほかのプログラムが使った CPU 時間は 1 ブロックあたり 0～0.05 秒"
    )
    assert MESSAGES.told("no NVIDIA GPU", "why") == "NVIDIA の GPU がない"
    assert MESSAGES.each_told("10 of 100 rows; x", "scaled") == 'rows: 100 に対して 10; <span lang="en">x</span>'
    assert Messages("en").told("a <b>", "caption") == "a &lt;b&gt;"


def test_values_are_escaped_in_a_page_and_not_in_plain_text() -> None:
    assert Messages("en").say("conditions.machine", node="<b>") == "Machine &lt;b&gt;"
    assert Messages("en").text("conditions.machine", node="<b>") == "Machine <b>"
    assert [Messages("en").count(amount, "block") for amount in (1, 2000)] == ["1 block", "2,000 blocks"]


@pytest.mark.parametrize("name", ["glove_convergence", "linear_regression", "mnist_fit_vs_tape"])
def test_every_claim_about_a_published_text_is_in_japanese_too(name: str) -> None:
    scenario = read_scenario(name)
    assert JAPANESE.search(scenario.source.title_ja)
    assert all(JAPANESE.search(claim.says_ja) for claim in scenario.claims.values())
