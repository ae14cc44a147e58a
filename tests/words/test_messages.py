"""The catalogue of messages: whole in both languages, and knowing all that is said of facts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from tf_claims.model.reason import Text, because
from tf_claims.model.scenario import read_scenario, scenario_names
from tf_claims.words.messages import LANGUAGES, Messages, catalogue

JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
PACKAGE = Path("scripts/tf_claims")
ENGLISH, IN_JAPANESE = Messages("en"), Messages("ja")


def placeholders(text: str) -> list[str]:
    return sorted(f"{name}:{way}" for _, name, way, _ in Formatter().parse(text) if name is not None)


@pytest.mark.parametrize("key", list(catalogue()))
def test_a_message_has_the_same_placeholders_and_tags_in_both_languages(key: str) -> None:
    message = catalogue()[key]
    assert message.en and message.ja
    assert placeholders(message.en) == placeholders(message.ja)
    tags = [sorted(re.findall(r"</?[a-z]+>", text)) for text in (message.en, message.ja)]
    assert tags[0] == tags[1]


def test_a_message_is_in_japanese_unless_it_holds_no_words() -> None:
    words = {key for key, message in catalogue().items() if re.search(r"[A-Za-z]{2}", _bare(message.en))}
    same = {key for key in words if not JAPANESE.search(catalogue()[key].ja)}
    # Names, and intervals that a mark alone tells in Japanese.
    named = {"conditions.cpu", "conditions.gpu", "conditions.threads.blas", "page.language", "across.versions"}
    assert {key for key in same if not key.startswith("interval")} <= named


def _bare(text: str) -> str:
    """Without placeholders and markup."""
    return re.sub(r"\{[^}]*\}|<[^>]*>", "", text)


def reasons_in_the_code() -> Iterator[tuple[str, str]]:
    """Each key that :func:`because` is called with in the package, and where; ``*`` stands for what varies."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "because" and node.args:
                yield from ((key, f"{path}:{node.lineno}") for key in _keys(node.args[0]))


def _keys(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.IfExp):
        yield from _keys(node.body)
        yield from _keys(node.orelse)
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in node.values)


@pytest.mark.parametrize(("key", "place"), sorted(set(reasons_in_the_code())))
def test_every_reason_that_the_code_gives_is_in_the_catalogue(key: str, place: str) -> None:
    pattern = re.compile(f"reason.{key}".replace(".", r"\.").replace("*", ".+"))
    assert any(pattern.fullmatch(known) for known in catalogue()), place


def test_every_message_that_the_templates_name_is_there() -> None:
    named = set()
    for path in (PACKAGE / "publish" / "templates").glob("*.j2"):
        named |= set(re.findall(r'say\("([\w. ]+)"(?! ~)', path.read_text()))
    assert len(named) > 50
    assert named <= set(catalogue())


def test_a_reason_is_said_in_either_language() -> None:
    reason = because("stopped.blocks", blocks=1200)
    assert ENGLISH.reason(reason) == "the limit of 1,200 blocks is reached"
    assert IN_JAPANESE.reason(reason) == "上限の 1,200 ブロックに達した"


def test_a_reason_may_hold_others_and_texts_and_lists() -> None:
    busy = because("disturbed.others", seconds=47.0, wall_s=50.0)
    reason = because("dropped", dropped=1, blocks=4, why=because("disturbed", reasons=[busy, busy]))
    said = "other programs used 47.0 s of CPU time in 50.0 s"
    assert ENGLISH.reason(reason) == f"1 of 4 blocks were dropped (disturbed: {said}, {said})"
    assert IN_JAPANESE.reason(because("as_told", text=Text(en="too small", ja="小さすぎる"))) == "小さすぎる"
    assert IN_JAPANESE.reason(because("as_told", text=Text(en="too small"))) == "too small"


def test_phrases_follow_the_metric() -> None:
    times = {"of": "A", "to": "B", "times": 2.0}
    assert ENGLISH.reason(because("times", metric="run.wall_s", **times)) == "A took 2.00 times as long as B"
    assert ENGLISH.reason(because("times", metric="loss[5]", **times)) == "loss[5] of A was 2.00 times that of B"


@pytest.mark.parametrize("language", LANGUAGES)
def test_ways_of_writing(language: str) -> None:
    said = Messages(language).text("reason.value", metric="W", value=0.97018134, expected=32.0, within=1e-5)
    assert "0.9701813" in said and "32" in said and "0.00001" in said and "32.0" not in said


def test_values_are_escaped_in_a_page_and_not_in_plain_text() -> None:
    assert ENGLISH.say("conditions.machine", node="<b>") == "Machine &lt;b&gt;"
    assert ENGLISH.text("conditions.machine", node="<b>") == "Machine <b>"
    assert [ENGLISH.count(amount, "block") for amount in (1, 2000)] == ["1 block", "2,000 blocks"]


@pytest.mark.parametrize("name", [name for name in scenario_names() if "paper" in read_scenario(name).presets])
def test_every_claim_about_a_published_text_is_in_japanese_too(name: str) -> None:
    scenario = read_scenario(name)
    assert JAPANESE.search(scenario.source.title_ja)
    assert all(JAPANESE.search(claim.says_ja) for claim in scenario.claims.values())
