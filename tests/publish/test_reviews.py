"""The verdicts as ClaimReviews of schema.org."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.publish.test_page import Page, page_of
from tests.support import synthetic_results as synthetic


def reviews(results: Path, **fields: Any) -> list[dict[str, Any]]:
    page = page_of(results, **fields)
    graph = json.loads(Page(page).scripts[0])
    assert graph["@context"] == "https://schema.org"
    return list(graph["@graph"])


def test_each_verdict_is_a_review_with_its_anchor(tmp_path: Path) -> None:
    results = synthetic.write_results(tmp_path)
    found = reviews(results)
    assert len(found) == len(synthetic.verdicts())
    ids = Page(page_of(results)).ids
    assert all(review["@type"] == "ClaimReview" and review["url"].removeprefix("#") in ids for review in found)
    first = found[0]
    assert first["claimReviewed"] == "TensorFlow on the CPU is about ten times slower than NumPy."
    assert first["author"] == {"@type": "Organization", "name": "The tf-claims maintainers"}
    assert first["itemReviewed"]["appearance"]["alternateName"].startswith("Why is steepest descent")
    assert first["reviewRating"] == {
        "@type": "Rating",
        "alternateName": "reproduced",
        "ratingValue": 4,
        "worstRating": 1,
        "bestRating": 4,
    }
    assert "datePublished" not in first


def test_what_was_not_run_has_no_place_on_the_scale(tmp_path: Path) -> None:
    ratings = [review["reviewRating"] for review in reviews(synthetic.write_results(tmp_path))]
    words = {rating["alternateName"]: rating.get("ratingValue") for rating in ratings}
    assert words == {
        "reproduced": 4,
        "direction only": 3,
        "inconclusive": 2,
        "contradicted": 1,
        "not run": None,
    }


def test_a_japanese_page_reviews_in_japanese(tmp_path: Path) -> None:
    first = reviews(synthetic.write_results(tmp_path), language="ja")[0]
    assert first["inLanguage"] == "ja"
    assert first["claimReviewed"] == "CPU で動かす TensorFlow は、NumPy より約 10 倍遅い。"
    assert first["reviewRating"]["alternateName"] == "再現"


def test_nothing_that_a_claim_says_ends_the_script(tmp_path: Path) -> None:
    results = synthetic.write_results(tmp_path)
    evil = "</script><script>alert(1)</script>"
    synthetic.write_verdicts(results, [synthetic.verdict("C1", "tf1.15-cpu", "reproduced", says=evil)])
    assert reviews(results)[0]["claimReviewed"] == evil
