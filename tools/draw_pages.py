"""Draw the example pages of docs/ from the texts of the demo."""

import re
from pathlib import Path

from textparity.comparing.comparison import compare_files
from textparity.serving.page import Choices, render_text_page

DEMO = Path(__file__).parents[1] / "resources" / "demo"


def draw_pages() -> dict[str, str]:
    """Render each page, by its name."""
    texts = [DEMO / "texts" / f"{lang}.txt" for lang in ("eng", "spa", "deu", "arb")]
    choices = Choices(text=texts[0].read_text("utf-8"), lang="eng")
    compared = compare_files(*(f"{path}:{path.stem}" for path in texts), is_paired=True)
    return {"serve.html": render_text_page(choices, choices.marked()), "compare.html": compared.to_html(top=5)}


def without_versions(page: str) -> str:
    """Remove the version of ICU from a page, because it differs between machines."""
    return re.sub(r"icu(4py )?[\d.]+", "icu", page)
