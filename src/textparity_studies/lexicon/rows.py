"""Rows of the registry's tables that the `lexicon` study alone reads."""

from typing import ClassVar

from textparity.registry import Name
from textparity_studies.workflow.registry import StudyRow


class BalancedTexts(StudyRow):
    """Describe two files whose sentences differ only in gender; all gendered words are marked `<F>` or `<M>`."""

    KEY = ("texts", "lang", "feminine")
    REFERENCES: ClassVar = {"source": "sources", "lang": "languages"}

    texts: Name
    name: str
    lang: str
    source: str
    feminine: str
    masculine: str
