"""Define types of settings that studies share, and the paths of the registry tables."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from textparity.registry import TABLES

Procedure = Literal["published", "corrected"]
# Map former names to the present ones.
_RENAMED_METHODS = {"layers": "words", "lexicon": "published_lexicon"}


def _check_method(name: Any) -> Any:
    if new := _RENAMED_METHODS.get(name):
        raise ValueError(f"{name} is called {new} now")
    return name


# Methods of finding persons (`textparity.persons.methods`).
Method = Annotated[
    Literal["published_lexicon", "nouns", "pronouns", "words", "persons"], BeforeValidator(_check_method)
]
# A limit for counts; a larger number is a mistake, and an error before anything is made with it.
MOST = 10**9
# A limit for counts of jobs, because the workflow is planned with all of them.
MOST_JOBS = 1000
Count = Annotated[int, Field(ge=1, le=MOST)]
JobCount = Annotated[int, Field(ge=1, le=MOST_JOBS)]
# The range that scikit-learn and spaCy accept.
Seed = Annotated[int, Field(ge=0, lt=2**32)]


class Closed(BaseModel):
    """Base class of frozen settings without unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SharedTables(Closed):
    """Paths of the tables that studies share, relative to the working directory or to the Snakefile."""

    languages: str = TABLES["languages"]
    sources: str = TABLES["sources"]
    source_files: str = TABLES["source_files"]
    corpora: str = "resources/registry/corpora.tsv"
    entity_corpora: str = "resources/registry/entity_corpora.tsv"
    swap_outputs: str = "resources/registry/swap_outputs.tsv"
    lexicons: str = TABLES["lexicons"]
    gold: str = "resources/registry/gold.tsv"
    person_pipelines: str = TABLES["person_pipelines"]
    prompts: str = "resources/registry/prompts.tsv"
    language_models: str = "resources/registry/language_models.tsv"
    sequence_models: str = "resources/registry/sequence_models.tsv"
