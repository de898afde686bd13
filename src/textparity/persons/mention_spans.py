"""A mention while it is resolved, and the person that it refers to."""

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from textparity.persons.mentions import MASCULINE

# Relations of a word to the verb whose subject it is.
SUBJECTS = frozenset({"nsubj", "nsubjpass", "nsubj:pass", "csubj", "expl:subj"})
# Roles of pronouns that show no gender: *ze* is always of one person, *they* of one only beside such a person's name.
SINGULAR_THEY, PERHAPS_THEY = NEUTRAL_ROLES = ("neutral", "perhaps neutral")
# The evidence for a masculine plural that may refer to people of any gender.
GENERIC = "generic"


class TokenSpan(NamedTuple):
    """Tokens `start` to `end` (exclusive) of a document."""

    start: int
    end: int


@dataclass
class Person:
    """Someone in a document. `gender` comes from a word or a name, `votes` from the pronouns that refer to them."""

    number: int
    is_plural: bool
    parts: tuple[str, ...] = ()
    nouns: set[str] = field(default_factory=set)
    gender: str = ""
    evidence: str = ""
    votes: Counter[str] = field(default_factory=Counter)
    last_sentence: int = 0
    last_token: int = 0
    was_subject: bool = False
    weight: float = 0.0
    is_unknown: bool = False
    is_generic: bool = False
    # Somebody called by a husband's name, such as Mrs Newland Archer.
    is_spouse: bool = False
    # Somebody whose pronoun is "they" or "ze".
    is_neutral: bool = False
    # Somebody with a title of any gender, or beside whose name the text states such a pronoun.
    is_neither: bool = False
    # The persons whose names or nouns are joined (*Bouvard et Pécuchet*).
    members: tuple["Person", ...] = ()

    @property
    def likely_gender(self) -> str:
        """The gender known so far. Empty if there is none, or if pronouns of both genders refer to the person."""
        if self.members:
            genders = {member.likely_gender for member in self.members}
            return genders.pop() if len(genders) == 1 else ""
        if self.gender or self.is_neutral:
            return self.gender
        return self._gender_by_votes()

    def fits(self, gender: str, is_plural: bool) -> bool:
        """Check whether a mention with this gender (empty for any) and number may refer to the person."""
        if self.is_plural != is_plural:
            return False
        if not gender:
            return True
        if self.is_neutral and not self.gender:
            return False
        likely_gender = MASCULINE if self.is_generic else self.likely_gender
        return likely_gender in ("", gender)

    def _gender_by_votes(self) -> str:
        """Find the gender with more than twice as many votes as any other."""
        ranked = self.votes.most_common()
        if not ranked:
            return ""
        gender, count = ranked[0]
        second_count = ranked[1][1] if len(ranked) > 1 else 0
        return gender if count > 2 * second_count else ""


@dataclass
class MentionSpan:
    """A mention in tokens, from `start` to `end` (exclusive). `head` is the token whose syntax counts.

    A name begins at `name_start`, after its titles, and `first_name` is the gender of its first name.
    """

    start: int
    end: int
    head: int
    kind: str
    gender: str
    evidence: str
    is_plural: bool = False
    parts: tuple[str, ...] = ()
    lemma: str = ""
    role: str = ""
    name_start: int = -1
    first_name: str = ""
    # A title of any gender stands before the name (*Mx*).
    is_neutral: bool = False
    person: Person | None = None
