"""Settings of the `lexicon` study."""

from typing import Annotated, Literal

from pydantic import Field

from textparity_studies.workflow.settings import Closed, Count

Engine = Literal["paper", "icu"]
Layer = Literal["nouns", "pronouns", "titles", "names", "inclusive"]

# The registry tables that this study alone reads.
TABLES = ("balanced_texts",)


class LexiconSettings(Closed):
    """Settings of the `lexicon` study (Muller 2023)."""

    corpora: Annotated[list[str], Field(min_length=1)] = ["flores", "ntrex"]
    engines: Annotated[list[Engine], Field(min_length=1)] = ["paper", "icu"]
    document_engines: Annotated[list[Engine], Field(min_length=1)] = ["icu"]
    divergence_rows: Count | None = None
    revision: str | None = "textparity_v1"
    balanced_texts: list[str] = ["mt_geneval_dev"]
    layers: Annotated[list[Layer], Field(min_length=1)] = ["nouns"]


RENAMED = {"lexicon": "person_nouns", "documents": "sampling.documents"}
