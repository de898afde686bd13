"""The example pages of docs/: made from the texts and lexicons of the demo, without a download."""

import re
from pathlib import Path

from textparity.serving.page import Choices, render_text_page

DEMO = Path(__file__).parents[1] / "resources" / "demo"


def draw_pages() -> dict[str, str]:
    """Return each page by its name."""
    choices = Choices(text=(DEMO / "texts" / "eng.txt").read_text("utf-8"), lang="eng", lexicon="demo")
    return {"serve.html": render_text_page(choices, choices.marked())}


def without_versions(page: str) -> str:
    """Return a page without the version of ICU, which another machine may have another of."""
    return re.sub(r"icu(4py )?[\d.]+", "icu", page)
