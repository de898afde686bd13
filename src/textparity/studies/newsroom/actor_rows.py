"""What is measured of an actor in an article: one row each, the same for both procedures."""

from dataclasses import dataclass, field

import pyarrow as pa

PARTS_OF_SPEECH = {"adjectives": "ADJ", "nouns": "NOUN", "verbs": "VERB"}
_WORDS = pa.list_(pa.struct([("word", pa.string()), ("count", pa.int32()), ("pmi", pa.float64())]))
COUNTS = (
    "mentions",
    "named_mentions",
    "pronoun_mentions",
    "subject_roles",
    "object_roles",
    "direct_quotes",
    "indirect_quotes",
    "feminine_coded_words",
    "masculine_coded_words",
)

ACTOR_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("number", pa.int64()),
        ("group", pa.string()),
        ("actor", pa.string()),
        ("kind", pa.string()),
        ("gender", pa.string()),
        ("gender_source", pa.string()),
        *((name, pa.int32()) for name in COUNTS),
        # Mean polarity, from -1 to 1, of the sentences that mention the actor.
        ("sentiment", pa.float64()),
        *((name, _WORDS) for name in PARTS_OF_SPEECH),
    ]
)


@dataclass
class ActorRow:
    """One actor of an article; `sentences` are the numbers of the sentences that mention it."""

    actor: str
    kind: str
    gender: str
    gender_source: str
    mentions: int = 0
    named_mentions: int = 0
    pronoun_mentions: int = 0
    subject_roles: int = 0
    object_roles: int = 0
    direct_quotes: int = 0
    indirect_quotes: int = 0
    sentences: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Finding:
    """Something a rule saw, to be compared with gold.

    `kind` is named, generic, pronoun, role, direct quote or indirect quote; `place` the last token of the mention, or
    the number of the quote's sentence; `actor` the number of the actor in the article's list; `value` the role.
    """

    kind: str
    place: int
    actor: int
    value: str = ""
