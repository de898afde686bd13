"""Settings of the `stereotypes` study."""

from typing import Annotated

from pydantic import Field

from textparity_studies.workflow.settings import MOST, Closed, JobCount

# The registry tables that this study alone reads.
TABLES = ("coded_lexicons", "classifiers")


class StereotypesSettings(Closed):
    """Settings of the `stereotypes` study (Soundararajan 2023)."""

    lexicons: Annotated[list[str], Field(min_length=1)] = ["gaucher"]
    generators: list[str] = []
    prompt: str = "gendered_sentences"
    sets: JobCount = 3
    max_attempts: Annotated[int, Field(ge=1, le=1000)] = 8
    classifiers: Annotated[list[str], Field(min_length=1)] = ["majority", "logistic_regression"]
    stereotype_pairs: str | None = "results/sources/crows_pairs/data/crows_pairs_anonymized.csv"
    annotated_sentences: Annotated[int, Field(ge=2, le=MOST)] = 50
    annotations: list[str] = []


# Map former names of keys to the present ones.
RENAMED = {"tries": "stereotypes.max_attempts"}
