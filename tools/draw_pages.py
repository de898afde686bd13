"""The example pages of docs/: made from the texts and lexicons of the demo, without a download."""

import re
from pathlib import Path
from unittest.mock import patch

from textparity.auditing.settings import AuditSettings
from textparity.comparing.comparison import compare_files
from textparity.serving.page import Choices, render_text_page

DEMO = Path(__file__).parents[1] / "resources" / "demo"


def draw_pages() -> dict[str, str]:
    """Return each page by its name."""
    texts = [DEMO / "texts" / f"{lang}.txt" for lang in ("eng", "spa", "deu", "arb")]
    choices = Choices(text=texts[0].read_text("utf-8"), lang="eng")
    # The demo's small lexicon in the place of the one that is downloaded.
    with patch.object(AuditSettings, "lexicon", "demo_v1"):
        compared = compare_files(*(f"{path}:{path.stem}" for path in texts), is_paired=True)
        return {"serve.html": render_text_page(choices, choices.marked()), "compare.html": compared.to_html(top=5)}


def without_versions(page: str) -> str:
    """Return a page without the version of ICU, which another machine may have another of."""
    return re.sub(r"icu(4py )?[\d.]+", "icu", page)
