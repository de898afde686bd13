"""Rows of the registry table that the `translation` study alone reads."""

from typing import ClassVar

from textparity.registry import Inside, Name
from textparity_studies.workflow.registry import StudyRow


class TranslationRow(StudyRow):
    """Describe a system's translations of the sentences of WinoMT into a language.

    A line of the file is `sentence ||| translation`. `annotations` are those of people, if there are some: a CSV file
    whose columns are, in this order, the number of the sentence, occupation, translation, whether the occupation was
    found, and its gender (m, f or n). `language` is the name of the language.
    """

    KEY = ("system", "lang")
    REFERENCES: ClassVar = {"source": "sources"}

    system: Name
    name: str
    lang: str
    language: str
    source: str
    path: Inside
    annotations: Inside
