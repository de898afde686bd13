"""Settings of the `propagation` study."""

from typing import Annotated

from pydantic import Field

from textparity_studies.workflow.settings import MOST, Closed, Count, JobCount

RENAMED = {
    "steps": "the column steps of tables.base_models",
    "doses": "propagation.checkpoint_steps",
    "dose_repetitions": "propagation.checkpoint_repetitions",
}

# The registry tables that this study alone reads.
TABLES = ("base_models", "story_sets", "story_prompts")


class PropagationSettings(Closed):
    """Settings of the `propagation` study (Derner 2025, §5)."""

    base_models: list[str] = []
    languages: list[str] = ["eng", "spa", "cat"]
    training_languages: Annotated[list[str], Field(min_length=1)] = ["eng"]
    checkpoint_steps: list[Count] = [1, 2, 4, 8, 16, 20]
    training_seeds: Annotated[list[Count], Field(min_length=1)] = [1, 2, 3]
    stories: Count = 10
    repetitions: JobCount = 5
    checkpoint_repetitions: JobCount = 1
    story_tokens: Count = 100
    threads: Count = 1
    encoder: str = "all-MiniLM-L6-v2"
    tagger: str | None = None
    neutral_corpus: str = "ntrex"
    neutral_texts: Count = 300
    story_generator: str | None = None
    sentences: Annotated[int, Field(ge=2, le=MOST)] = 5000
