"""The report as one web page that needs nothing else: no script, no font, no network."""

from collections.abc import Sequence

import pandas as pd

from textparity.report.pages import page_environment
from textparity.studies.newsroom.shapes import COMPARED, GroupReport, label_of
from textparity.studies.newsroom.summary import SMALL, WHOLE

_TEMPLATE = "report_page.html.j2"
_DESCRIBED = {
    "corpus": "Corpus",
    "procedure": "Procedure",
    "model": "Parser (spaCy model)",
    "scheme": "Dependency scheme",
    "coreference": "Coreference",
    "sentiment": "Sentiment",
}


def render_page(
    groups: Sequence[GroupReport],
    shown: list[str],
    word_unit: str,
    interval: str,
    described: dict[str, str],
    notes: Sequence[str],
    quality: pd.DataFrame | None,
) -> str:
    """Return the page as HTML; all texts are escaped.

    `groups` begin with the whole corpus, `shown` are its genders and `overall`, `word_unit` is what stands behind a
    word, `interval` what the intervals are; `described` has `corpus`, `procedure` and whatever else measured it,
    `notes` say what the procedure does; `quality` has a row per phenomenon.
    """
    environment = page_environment("textparity.studies.newsroom")
    # A minus, not a hyphen; only for cells that are numbers.
    environment.filters["number"] = lambda text: text.replace("-", "−")
    environment.filters["label"] = label_of
    whole, *parts = groups
    return environment.get_template(_TEMPLATE).render(
        described={_DESCRIBED.get(key, label_of(key)): str(value) for key, value in described.items()},
        corpus=described["corpus"],
        procedure=described["procedure"],
        notes=list(notes),
        whole=whole,
        whole_name=WHOLE,
        groups=parts,
        shown=shown,
        word_unit=word_unit,
        interval=interval,
        compared=COMPARED,
        small=SMALL,
        quality=None if quality is None else quality.to_dict("records"),
    )
