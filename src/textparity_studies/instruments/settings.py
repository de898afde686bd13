"""Settings of the `instruments` study."""

from typing import Annotated

from pydantic import Field

from textparity_studies.workflow.settings import Closed, Method

# The registry tables that this study alone reads.
TABLES = ("person_gold",)


class InstrumentsSettings(Closed):
    """Settings of the `instruments` study."""

    gold: list[str] = [
        "gum",
        "litbank",
        "fr_litbank",
        "openboek",
        "gap",
        "pdnc",
        "newsroom",
        "readings",
        "news",
        "gerdracor",
        "mt_geneval",
        "wino_bias",
        "winogender",
        "spanish",
        "valencian",
        "ner_uk_titles",
        "koconovel",
        "italian_litbank",
        "fullstack",
        "gebio",
        "names",
    ]
    methods: Annotated[list[Method], Field(min_length=1)] = [
        "published_lexicon",
        "nouns",
        "pronouns",
        "words",
        "persons",
    ]


RENAMED = {"pipelines": "person_pipelines"}
