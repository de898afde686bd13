"""Settings of the `translation` study."""

from typing import Annotated

from pydantic import Field

from textparity_studies.workflow.settings import Closed, Method

# The registry tables that this study alone reads.
TABLES = ("translations",)


class TranslationSettings(Closed):
    """Settings of the `translation` study (Stanovsky 2019)."""

    systems: Annotated[list[str], Field(min_length=1)] = ["google", "bing", "sota", "aws", "systran"]
    methods: list[Method] = ["words", "persons"]
    sentences: str = "results/sources/wino_mt/data/aggregates/en.txt"
    stereotypical: str = "results/sources/wino_mt/data/aggregates/en_pro.txt"
    unstereotypical: str = "results/sources/wino_mt/data/aggregates/en_anti.txt"
