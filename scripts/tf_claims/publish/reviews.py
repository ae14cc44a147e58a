"""The verdicts for machines: each as a ClaimReview of schema.org, in JSON-LD."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from markupsafe import Markup

from tf_claims.publish.verdicts import ClaimBlock, Text, VerdictRow
from tf_claims.words.messages import Messages

CITATION = Path("CITATION.cff")
RATINGS = {"contradicted": 1, "inconclusive": 2, "direction only": 3, "reproduced": 4}
"""What stands for each verdict on a scale; one that was not run has no place on it."""
# In a script element, and wherever else JSON stands in HTML, these could end it.
_ESCAPED = {ord(character): f"\\u{ord(character):04x}" for character in "<>&"}


def claim_reviews(texts: Sequence[Text], messages: Messages) -> Markup:
    """The content of a ``<script type="application/ld+json">``; its addresses are relative to the page's own.

    No date is given, since none follows from the results.
    """
    author = {"@type": "Organization", "name": yaml.safe_load(CITATION.read_text())["authors"][0]["name"]}
    reviews = [
        _review(text, claim, row, messages) | {"author": author}
        for text in texts
        for claim in text.claims
        for row in claim.rows
    ]
    graph = {"@context": "https://schema.org", "@graph": reviews}
    return Markup(json.dumps(graph, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPED))


def _review(text: Text, claim: ClaimBlock, row: VerdictRow, messages: Messages) -> dict[str, Any]:
    word = row.verdict.verdict
    rating: dict[str, Any] = {"@type": "Rating", "alternateName": messages.text(f"word.{word}")}
    if word in RATINGS:
        rating |= {"ratingValue": RATINGS[word], "worstRating": 1, "bestRating": max(RATINGS.values())}
    appearance = {"@type": "CreativeWork", "name": text.source.title_ja or text.source.title}
    if text.source.title_ja:
        appearance |= {"inLanguage": "ja", "alternateName": text.source.title}
    return {
        "@type": "ClaimReview",
        "url": f"#{row.anchor}",
        "inLanguage": messages.language,
        "claimReviewed": claim.says,
        "itemReviewed": {"@type": "Claim", "appearance": appearance},
        "reviewAspect": row.environment,
        "reviewBody": row.sentence,
        "reviewRating": rating,
    }
