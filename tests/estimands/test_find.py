"""What the kinds of claim find in made-up blocks, from the values to the word."""

from __future__ import annotations

import numpy as np
import pytest

from tf_claims.estimands.attribution import Attribution
from tf_claims.estimands.cost_model import CostModel
from tf_claims.estimands.equivalence import Equivalence
from tf_claims.estimands.kind import Asked, Chosen, Finding, Kind
from tf_claims.estimands.ratio import Ratio
from tf_claims.estimands.value import Tolerance, Value
from tf_claims.words.messages import ENGLISH

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


SIZES = np.array([100.0, 1000.0, 100_000.0, 1_000_000.0])
NOISE = np.random.default_rng(3).lognormal(0, 0.01, (5, 8))


def a_cost_model(of: np.ndarray, to: np.ndarray, about: str) -> Finding:
    """What is found in five blocks; ``of`` and ``to`` are the costs of a repetition by :data:`SIZES` (µs)."""
    fields = {"metric": "run.wall_s", "of": SLOW.levels, "to": FAST.levels, "size": "n", "per": "steps", "about": about}
    kind = CostModel.model_validate(fields | ({"at": 1000} if about == "fixed" else {}))
    chosen = [Chosen({**side.levels, "n": int(n)}, {}, {}) for side in (SLOW, FAST) for n in SIZES]
    values = np.concatenate([of, to]) * 1e-6 * NOISE
    return kind.find(Asked(values, ["one machine"] * 5, chosen, None))


@pytest.mark.parametrize(
    ("of", "about", "word", "why"),
    [
        (240 + 0.003 * SIZES, "fixed", "reproduced", "cost_model.misfit"),
        (240 + 0.003 * SIZES, "crossing", "reproduced", "cost_model.misfit"),
        (240 + 0.02 * SIZES, "fixed", "reproduced", "cost_model.misfit"),
        (240 + 0.02 * SIZES, "crossing", "contradicted", "cost_model.misfit"),
        (2 + 0.02 * SIZES, "fixed", "contradicted", "cost_model.misfit"),
        (240 + 0.009 * SIZES, "crossing", "inconclusive", "cost_model.misfit.open"),
        # Costs that bend: a jump where the points no longer fit into a cache.
        (240 + np.array([0.001, 0.001, 0.001, 0.009]) * SIZES, "fixed", "inconclusive", "cost_model.poor_fit"),
        (240 + np.array([0.001, 0.001, 0.001, 0.003]) * SIZES, "crossing", "inconclusive", "cost_model.poor_fit"),
    ],
)
def test_a_cost_model_is_two_claims(of, about, word, why) -> None:
    found = a_cost_model(of, 20 + 0.009 * SIZES, about)
    assert (found.verdict, keys(found)[-1]) == (word, why)
    assert (found.p_value is None) == (word == "inconclusive")
    assert found.p_value is None or found.p_value <= 0.05


def test_a_fixed_cost_needs_a_size_at_which_it_dominates() -> None:
    fields = {"metric": "run.wall_s", "of": SLOW.levels, "to": FAST.levels, "size": "n", "per": "steps"}
    for wrong in ({"about": "fixed"}, {"about": "crossing", "at": 1000}):
        with pytest.raises(ValueError, match="at: belongs to a claim about: fixed"):
            CostModel.model_validate(fields | wrong)


@pytest.mark.parametrize(
    ("corners", "word", "told"),
    [
        (
            [1, 2, 10, 20],
            "reproduced",
            "network × 10.0 (77\u00a0% of the change), method × 2.00 (23\u00a0% of the change)",
        ),
        ([1, 1 / 9, 10, 10 / 9], "direction only", "network × 10.0, method ÷ 9.00"),
        (
            [1, 10, 1.01, 10.1],
            "contradicted",
            "network × 1.01 (0\u00a0% of the change), method × 10.0 (100\u00a0% of the change)",
        ),
        ([1, 0.1, 10, 1], "inconclusive", "network × 10.0, method ÷ 10.0"),
    ],
)
def test_an_attribution_gives_effects_and_shares_only_where_they_mean_something(corners, word, told) -> None:
    factors = {"network": ("dense", "conv"), "method": ("fit", "tape")}
    kind = Attribution(metric="run.wall_s", factors=factors, cause="network")
    # Noise that is the same at both levels of the other factor leaves no interaction and no effect of its own.
    blocks = np.array([[1.0, 1.0, 1.001, 1.001], [1.0, 1.0, 0.999, 0.999], [1.0, 1.0, 1.0, 1.0]])
    chosen = [Chosen({"network": str(corner)}, {}, {}) for corner in range(4)]
    found = kind.find(Asked(np.array(corners) * blocks, ["one machine"] * 3, chosen, None))
    assert found.verdict == word
    assert (found.p_value is None) == (word == "inconclusive")
    assert ENGLISH.written(kind.spoken(found.facts)["effects"]) == told
