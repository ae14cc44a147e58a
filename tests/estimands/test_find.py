"""What the kinds of claim find in made-up blocks, from the values to the word."""

from __future__ import annotations

import numpy as np
import pytest

from tf_claims.estimands.equivalence import Equivalence
from tf_claims.estimands.kind import Asked, Chosen, Finding, Kind
from tf_claims.estimands.ratio import Ratio
from tf_claims.estimands.value import Tolerance, Value

FAST, SLOW = Chosen({"method": "fast"}, {}, {}), Chosen({"method": "slow"}, {}, {})


def find(kind: Kind, columns: list[list[float]], published: float | None = None) -> Finding:
    values = np.array(columns).T
    return kind.find(Asked(values, ["one machine"] * len(values), [SLOW, FAST][: len(columns)], published))


def keys(found: Finding) -> list[str]:
    return [each.key for each in found.because]


def a_ratio(**fields: object) -> Ratio:
    return Ratio.model_validate({"metric": "run.wall_s", "of": SLOW.levels, "to": FAST.levels} | fields)


@pytest.mark.parametrize(
    ("ratios", "published", "word", "why"),
    [
        ([9.0, 10.0, 11.0], 10, "reproduced", "ratio.share"),
        ([1.000, 1.001, 0.999], 10, "contradicted", "ratio.small"),
        ([0.50, 0.51, 0.49], 10, "contradicted", "ratio.other_side"),
        ([30.0, 31.0, 29.0], 10, "direction only", "ratio.outside"),
        ([19.0, 16.0, 22.0], 10, "direction only", "ratio.undecided"),
        ([1.0, 4.0, 0.5], 10, "inconclusive", "ratio.inconclusive"),
    ],
)
def test_a_ratio_is_judged_by_its_share_of_the_published_effect(ratios, published, word, why) -> None:
    found = find(a_ratio(), [ratios, [1.0] * 3], published)
    assert (found.verdict, keys(found)[-1]) == (word, why)
    assert (found.p_value is None) == (word == "inconclusive")
    assert found.effect_share is not None and found.effect_share.value == pytest.approx(
        np.log10(np.prod(ratios)) / 3 / np.log10(published)
    )


def test_a_claim_of_a_side_alone_has_no_size() -> None:
    found = find(a_ratio(only_side=True), [[30.0, 31.0, 29.0], [1.0] * 3], 1.5)
    assert (found.verdict, found.side, found.size) == ("reproduced", "holds", "none")
    assert found.facts is not None and found.facts.model_dump() == {"band_low": None, "band_high": None}


def test_a_count_that_never_varies_has_no_p_value() -> None:
    found = find(a_ratio(), [[3000.0] * 3, [3.0] * 3], 1000)
    assert (found.verdict, found.p_value) == ("reproduced", None)


def test_a_difference_from_nothing_is_judged() -> None:
    """Without a reference there is no relative width to ask for, and the word stands."""
    fields = {"metric": "loss", "of": SLOW.levels, "to": FAST.levels, "margin": 0.1, "scale": "absolute"}
    found = find(Equivalence.model_validate(fields), [[0.01, 0.02, 0.03], [0.0] * 3])
    assert (found.verdict, found.half_width) == ("reproduced", None)


def test_the_test_of_an_equivalence_is_that_of_its_word() -> None:
    fields = {"metric": "run.wall_s", "of": SLOW.levels, "to": FAST.levels, "margin": 0.1}
    kind = Equivalence.model_validate(fields)
    for ratios, word in (([1.5, 1.6, 1.4], "contradicted"), ([1.0, 1.01, 0.99], "reproduced")):
        found = find(kind, [ratios, [1.0] * 3])
        assert found.verdict == word and found.p_value is not None and found.p_value <= 0.05
    assert find(kind, [[0.8, 1.2, 1.1], [1.0] * 3]).p_value is None


def test_a_known_value_holds_in_every_block() -> None:
    kind = Value(of=SLOW.levels, metrics={"W": Tolerance(equals=1.0, within=0.1)})
    assert find(kind, [[1.0, 1.05, 0.95]]).verdict == "reproduced"
    # On average it is right.
    found = find(kind, [[1.0, 1.2, 0.8]])
    assert found.verdict == "contradicted"
    assert found.because[-1].key == "value.missed" and found.because[-1].values == {"missed": 2, "blocks": 3}
