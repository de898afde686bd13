"""What a claim quotes stands in the paper, word for word."""

import os
import re
from pathlib import Path

import pytest

from textparity_studies.report.catalogue import captioned_tables
from textparity_studies.report.claims import read_claims

pytestmark = pytest.mark.mirror

# How a paper's text begins, by study.
PAPERS = {
    "lexicon": "GENDER-GAP",
    "representation": "Gender Representation Bias",
    "newsroom": "taz2024full",
    "swapping": "Gender Swapping",
    "stereotypes": "ChatGPT",
    "propagation": "Gender Representation Bias",
}


def words(text):
    """The text without line ends and the hyphens that part words at them, its formulas as they are read."""
    text = re.sub(r"[{}]", "", text).replace("\\sigma", "σ")
    text = re.sub(r"(\w)-\s*\n\s*(\w)", r"\1\2", text)
    return re.sub(r"\W+", " ", text.casefold()).strip()


@pytest.mark.parametrize("study", PAPERS)
def test_each_quote_is_the_papers(study, repository):
    folder = Path(os.environ["TEXTPARITY_MIRROR"]).parent / "papers"
    texts = [path.read_text("utf-8") for path in sorted(folder.glob("0*.txt"))]
    if not texts:
        pytest.skip("the papers do not lie beside the mirror")
    (paper,) = [text for text in texts if PAPERS[study] in text[:6000]]
    claims = read_claims(
        repository / "resources" / study / "claims.tsv", captioned_tables(str(repository / "resources"))
    )
    quotes = {claim.id: claim.quote.split("[...]") for claim in claims if claim.quote}
    unknown = [(name, part) for name, parts in quotes.items() for part in parts if words(part) not in words(paper)]
    assert quotes and unknown == []
