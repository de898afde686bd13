"""The example pages of docs/: made from the texts and lexicons of the demo, without a download."""

import re
from pathlib import Path

from textparity.comparing.comparison import compare_files
from textparity.serving.page import Choices, render_text_page

DEMO = Path(__file__).parents[1] / "resources" / "demo"


def draw_pages() -> dict[str, str]:
    """Return each page by its name."""
    texts = [DEMO / "texts" / f"{lang}.txt" for lang in ("eng", "spa", "deu", "arb")]
    compared = compare_files(*(f"{path}:{path.stem}" for path in texts), is_paired=True, lexicon="demo")
    choices = Choices(text=texts[0].read_text("utf-8"), lang="eng", lexicon="demo")
    return {"serve.html": render_text_page(choices, choices.marked()), "compare.html": compared.to_html(top=5)}


def without_versions(page: str) -> str:
    """Return a page without the version of ICU, which another machine may have another of."""
    return re.sub(r"icu(4py )?[\d.]+", "icu", page)
