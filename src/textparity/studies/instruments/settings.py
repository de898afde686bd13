"""Settings of the `instruments` study."""

from typing import Annotated, Literal

from pydantic import Field

from textparity.workflow.settings import Closed

Method = Literal["lexicon", "nouns", "pronouns", "layers", "persons"]


class Settings(Closed):
    """Settings of the `instruments` study."""

    gold: list[str] = ["gum", "fr_litbank", "openboek", "newsroom", "mt_geneval", "spanish", "valencian"]
    methods: Annotated[list[Method], Field(min_length=1)] = [
        "lexicon",
        "nouns",
        "pronouns",
        "layers",
        "persons",
    ]
    pipelines: dict[str, str] = {}
