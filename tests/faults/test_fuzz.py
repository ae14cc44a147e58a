"""Whatever stands in a file that people or other machines write: a typed record, or one clear message.

``FUZZ=2500`` asks for so many cases of each kind.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tf_claims.bench.made_up import block_of
from tf_claims.model.dataset import read_dataset
from tf_claims.model.errors import InputError
from tf_claims.model.observation import read_observations
from tf_claims.model.preset import read_preset
from tf_claims.model.scenario import read_scenario
from tf_claims.model.stack import read_stack

CASES = int(os.environ.get("FUZZ", "100"))
Write = Callable[[Path, bytes], None]


def _scenario(folder: Path, content: bytes) -> None:
    (folder / "toy").mkdir(exist_ok=True)
    (folder / "toy/scenario.yaml").write_bytes(content)
    scenario = read_scenario("toy", folder)
    for preset in scenario.presets:
        for environment in ("tf1.15-cpu", "tf2.21-gpu"):
            scenario.variants(preset, environment)


def _stack(folder: Path, content: bytes) -> None:
    (folder / "tf2.0-cpu").mkdir(exist_ok=True)
    (folder / "tf2.0-cpu/stack.yaml").write_bytes(content)
    read_stack("tf2.0-cpu", folder)


def _preset(folder: Path, content: bytes) -> None:
    (folder / "toy.yaml").write_bytes(content)
    read_preset("toy", folder)


def _dataset(folder: Path, content: bytes) -> None:
    (folder / "toy.yaml").write_bytes(content)
    read_dataset("toy", folder)


def _observations(folder: Path, content: bytes) -> None:
    (folder / "1.jsonl").write_bytes(content)
    list(read_observations(folder / "1.jsonl"))


KINDS: dict[str, tuple[Write, list[str]]] = {
    "scenario.yaml": (_scenario, [path.read_text() for path in Path("scenarios").glob("*/scenario.yaml")]),
    "stack.yaml": (_stack, [path.read_text() for path in Path("envs").glob("*/stack.yaml")]),
    "preset": (_preset, [path.read_text() for path in Path("config/presets").glob("*.yaml")]),
    "data set": (_dataset, [path.read_text() for path in Path("config/data").glob("*.yaml")]),
    "observations": (_observations, ["".join(json.dumps(each) + "\n" for each in block_of("tf1.15-cpu", 1)[:2])]),
}
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["*", "../x", "$(x)"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=4,
)


@st.composite
def spoilt_text(draw: st.DrawFn, texts: list[str]) -> bytes:
    """A real file with something cut out, put in, or twice in it, as bytes."""
    content = draw(st.sampled_from(texts)).encode()
    for _ in range(draw(st.integers(1, 3))):
        start, end = sorted(draw(st.integers(0, len(content))) for _ in range(2))
        middle = draw(st.sampled_from([b"", content[start:end] * 2, draw(st.binary(max_size=6))]))
        content = content[:start] + middle + content[end:]
    return content


@st.composite
def spoilt_tree(draw: st.DrawFn, texts: list[str]) -> bytes:
    """A real file in which one value is another, or is gone: each line of a file of JSON lines is a file."""
    text = draw(st.sampled_from(texts))
    tree: Any = json.loads(text.splitlines()[0]) if text.startswith("{") else yaml.safe_load(text)
    holder, key = draw(st.sampled_from([*_places(tree)]))
    if draw(st.booleans()):
        holder[key] = draw(ANYTHING)
    else:
        del holder[key]
    return (json.dumps(tree) + "\n" if text.startswith("{") else yaml.safe_dump(tree)).encode()


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in list(pairs):
        yield tree, key
        yield from _places(value)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", ["any bytes", "any tree", "spoilt text", "spoilt tree"])
def test_any_content_is_a_record_or_one_message(tmp_path: Path, kind: str, how: str) -> None:
    read, texts = KINDS[kind]
    contents = {
        "any bytes": st.binary(max_size=200),
        "any tree": ANYTHING.map(lambda tree: json.dumps(tree).encode() + b"\n"),
        "spoilt text": spoilt_text(texts),
        "spoilt tree": spoilt_tree(texts),
    }[how]

    @settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(contents)
    def check(content: bytes) -> None:
        try:
            read(tmp_path, content)
        except InputError as error:
            assert str(error).startswith(str(tmp_path)), "the message begins with the file"

    check()
