"""Rows of a registry table that the `stereotypes` study alone reads."""

from typing import Literal

from textparity.registry import Name
from textparity_studies.workflow.registry import StudyRow


class CodedLexiconRow(StudyRow):
    """Describe one lexicon of words coded as feminine or masculine; `form` is `stems` or `scores`.

    `stems`: tab-separated `stem, coding, example`; the coding is feminine or masculine, and the example is a whole word
    for a stem with `*`, or empty. `scores`: `word, part_of_speech, score, coding`. Adjectives whose score is more than
    a standard deviation from the mean are kept, positive ones as masculine, and those without a score by their coding.
    `licence` and `citation` name the source of the words.
    """

    KEY = ("lexicon",)

    lexicon: Name
    name: str
    source: str
    path: str
    form: Literal["stems", "scores"]
    licence: str
    citation: str
