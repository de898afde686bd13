"""The review page: one HTML file that needs nothing else, with the candidates in it."""

import json
from collections.abc import Mapping
from dataclasses import asdict

from textparity.report.pages import page_environment
from textparity.studies.swapping.candidates.reviews import Key
from textparity.studies.swapping.review.store import ReviewStore

_TEMPLATE = "page.html.j2"


def render_review_page(store: ReviewStore, checks: Mapping[Key, list[str]], title: str, nonce: str) -> str:
    """Return the page with what is decided by now; `nonce` marks its script and style as its own."""
    environment = page_environment("textparity.studies.swapping.review")
    sentences = [
        {
            "document": candidate.document,
            "line": candidate.line,
            "original": candidate.original,
            "candidate": candidate.swapped,
            "entities": list(candidate.entities.items()),
            "flags": [*candidate.repairs, *checks.get(candidate.key, [])],
            **asdict(state),
        }
        for candidate, state in zip(store.candidates, store.states(), strict=True)
    ]
    # Inside a script element, no text may end it.
    data = json.dumps(sentences, ensure_ascii=False).replace("<", "\\u003c")
    return environment.get_template(_TEMPLATE).render(title=title, data=data, nonce=nonce)
