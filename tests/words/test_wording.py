"""Numbers and names in reasons, and tables in their three forms."""

from __future__ import annotations

import pytest

from tf_claims.tables.files import Table, as_csv, as_latex, as_markdown
from tf_claims.words.wording import names, number, ratio_phrase


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (12.58, "12.6"),
        (0.4204, "0.420"),
        (2254.9, "2,250"),
        (189_412, "189,000"),
        (10, "10.0"),
        (9.999, "10.0"),
        (0.00123, "0.00123"),
        (0, "0"),
        (1.23456e-7, "1.23e-07"),
        (-3.14159, "-3.14"),
    ],
)
def test_number(value: float, text: str) -> None:
    assert number(value) == text


def test_names_are_what_differs() -> None:
    common = {"n": 1000, "device": "cpu"}
    assert names({"implementation": "eager"} | common, {"implementation": "numpy"} | common) == ("eager", "numpy")
    assert names(common, common | {"n": 10}) == ("n=1000", "n=10")


def test_phrases_follow_the_metric() -> None:
    assert ratio_phrase("run.wall_s", "A", "B", 2) == "A took 2.00 times as long as B"
    assert ratio_phrase("loss[5]", "A", "B", 2) == "loss[5] of A was 2.00 times that of B"


TABLE = Table("t", "", "name value count", [["a_b & 5%|", 0.123456, 1200], ["x", None, 3]])


def test_csv_keeps_every_digit() -> None:
    assert as_csv(TABLE) == "name,value,count\na_b & 5%|,0.123456,1200\nx,,3\n"


def test_markdown() -> None:
    assert as_markdown(TABLE).splitlines() == [
        "| name | value | count |",
        "| --- | ---: | ---: |",
        r"| a_b & 5%\| | 0.123 | 1,200 |",
        "| x |  | 3 |",
    ]


def test_latex_is_escaped() -> None:
    text = as_latex(TABLE)
    assert text.startswith("\\begin{tabular}{lrr}\n\\toprule\nname & value & count \\\\\n\\midrule\n")
    assert r"a\_b \& 5\%| & 0.123 & 1,200 \\" in text
