"""Types of settings that studies share."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Procedure = Literal["published", "corrected"]
# How persons are found (`textparity.persons.methods`).
Method = Literal["published_lexicon", "nouns", "pronouns", "words", "persons"]
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
