"""Types of settings that studies share."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Procedure = Literal["published", "corrected"]
# Names of earlier versions.
_RENAMED_METHODS = {"layers": "words", "lexicon": "published_lexicon"}


def _check_method(name: Any) -> Any:
    if new := _RENAMED_METHODS.get(name):
        raise ValueError(f"{name} is called {new} now")
    return name


# How persons are found (`textparity.persons.methods`).
Method = Annotated[
    Literal["published_lexicon", "nouns", "pronouns", "words", "persons"], BeforeValidator(_check_method)
]
# What a computer can count; a number that nobody can mean is an error before anything is made with it.
MOST = 10**9
# Of what has jobs of its own: the workflow is planned with all of them.
MOST_JOBS = 1000
Count = Annotated[int, Field(ge=1, le=MOST)]
JobCount = Annotated[int, Field(ge=1, le=MOST_JOBS)]
# As scikit-learn and spaCy take them.
Seed = Annotated[int, Field(ge=0, lt=2**32)]


class Closed(BaseModel):
    """Settings without unknown keys, which do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)
