"""Tables in their three forms."""

from __future__ import annotations

from tf_claims.tables.files import Table, as_csv, as_latex, as_markdown

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
