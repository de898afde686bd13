"""What the pronouns after a name show: whether the person is called *he*, *she*, or *they*.

Only languages whose pronouns refer to persons alone have this evidence: those with `neutral` words in `name_words.tsv`.
The first pronoun after a name counts, within a few words, in the same sentence or the next, if no other name stands
between them. Both ways of counting use these functions on arrays with the traits of the pieces of a text.
"""

from collections.abc import Mapping
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from textparity.counting import GENDERS
from textparity.counting.name_pieces import Piece
from textparity.counting.terms import TermMatcher

# The first pronoun is at most this many pieces after the name, and at most this many sentences end between them.
REACH, MOST_SENTENCES = 16, 1
# The maximum number of words with capitals that continue a name.
LONGEST_NAME = 6
# An unknown word is a person's name if this many pronouns of one gender follow it in the text, and this share of all.
LEAST_PRONOUNS, LEAST_SHARE = 2, 0.75
# What pronouns show, by number.
FEMININE, MASCULINE, NEUTRAL = 1, 2, 3
# Traits of a piece, as bits, after two bits with what a pronoun shows: it is a word with a capital that may be a name;
# a sentence ends with it; it joins two persons (*and*); it has only this word; nothing stands before or after the word.
NAME_LIKE, ENDS, JOINS, PLAIN, OPEN, CLOSED = 4, 8, 16, 32, 64, 128
_SHOWN = 3


class PronounEvidence:
    """Read the traits of pieces, and find what pronouns show, by the words of one lexicon."""

    def __init__(self, matcher: TermMatcher) -> None:
        self._rules, self._forms = matcher.name_rules, matcher.rules
        self._has_names = "names" in matcher.layers

    @property
    def is_known(self) -> bool:
        """Whether pronouns show anything in the language."""
        return bool(self._rules.neutral) and self._has_names

    @cached_property
    def _pronouns(self) -> Mapping[str, int]:
        """What each pronoun shows."""
        shows = dict.fromkeys(self._rules.neutral, NEUTRAL)
        for form, rules in self._forms.items():
            if rules.layer == "pronouns" and len(rules.classes) == 1 and rules.classes <= set(GENDERS):
                shows[form] = 1 + GENDERS.index(next(iter(rules.classes)))
        return shows

    def read_traits(self, piece: str, described: Piece) -> int:
        """Read the traits of a folded piece, given with its description."""
        traits = self._pronouns.get(described.word, 0)
        if described.key and described.key not in self._rules.closed:
            traits |= NAME_LIKE
            has_one_word = described.key == described.word and described.word.isalpha()
            if has_one_word and sum(map(str.isalnum, piece)) == len(described.word):
                traits |= PLAIN
        traits |= ENDS if described.ends_sentence else 0
        traits |= JOINS if described.word in self._rules.joining else 0
        traits |= OPEN if described.is_open else 0
        traits |= CLOSED if described.is_closed else 0
        return traits


# Making the evidence of a lexicon takes as long as counting some texts.
_evidence: WeakKeyDictionary[TermMatcher, PronounEvidence] = WeakKeyDictionary()


def load_evidence(matcher: TermMatcher) -> PronounEvidence:
    """Make the evidence by the words of a lexicon, once."""
    if matcher not in _evidence:
        _evidence[matcher] = PronounEvidence(matcher)
    return _evidence[matcher]


class PronounTrail:
    """The pieces of one or more texts, by their traits, in which pronouns follow names."""

    def __init__(self, traits: np.ndarray) -> None:
        self.size = len(traits)
        # What is beside a name at the end may be looked up.
        self._traits = np.concatenate([traits, np.zeros(LONGEST_NAME + 1, np.uint8)])
        self._pronouns = np.append(np.flatnonzero(traits & _SHOWN), self.size)
        self._names = np.flatnonzero(traits & NAME_LIKE)
        self._ends = np.flatnonzero(traits & ENDS)

    def shown_after(self, firsts: np.ndarray, lasts: np.ndarray, starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
        """Find what the pronoun after each of some names shows, 0 for nothing.

        `firsts` and `lasts` have the places of the first and the last piece of each name, `starts` and `stops` those of
        the first piece of its text, and after the last one.
        """
        pronouns = self._pronouns[np.searchsorted(self._pronouns, lasts + 1)]
        # Further words with capitals belong to the name.
        after_name = lasts + 1
        for _ in range(LONGEST_NAME):
            after_name = after_name + ((self._traits[after_name] & NAME_LIKE) > 0)
        names = np.searchsorted(self._names, pronouns) - np.searchsorted(self._names, np.minimum(after_name, pronouns))
        sentences = np.searchsorted(self._ends, pronouns) - np.searchsorted(self._ends, lasts)
        is_near = (pronouns < stops) & (pronouns - lasts <= REACH) & (names == 0) & (sentences <= MOST_SENTENCES)
        # In *Mary and her friends* and *John and Mary said they*, the pronoun may be that of several persons.
        is_joined = (firsts > starts) & ((self._traits[np.maximum(firsts - 1, 0)] & JOINS) > 0)
        is_joined |= (self._traits[lasts + 1] & JOINS) > 0
        return np.where(is_near & ~is_joined, self._traits[pronouns] & _SHOWN, 0)

    def possible_names(self, is_taken: np.ndarray) -> np.ndarray:
        """Find the places of pieces that are one word with a capital, except those taken."""
        is_possible = (self._traits[: self.size] & (NAME_LIKE | PLAIN)) == (NAME_LIKE | PLAIN)
        return np.flatnonzero(is_possible & ~is_taken)

    def stand_alone(self, places: np.ndarray, starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
        """Check which of some pieces have no other word with a capital beside them that would form a longer name.

        `starts` and `stops` are the places of the first piece of each piece's text, and after the last one.
        """
        its_traits = self._traits[places]
        before, after = self._traits[np.maximum(places - 1, 0)], self._traits[places + 1]
        follows = (before & (NAME_LIKE | CLOSED)) == (NAME_LIKE | CLOSED)
        follows &= (places > starts) & ((its_traits & OPEN) > 0)
        goes_on = (after & (NAME_LIKE | OPEN)) == (NAME_LIKE | OPEN)
        goes_on &= (places + 1 < stops) & ((its_traits & CLOSED) > 0)
        return ~follows & ~goes_on


def count_votes(which: np.ndarray, shown: np.ndarray, number: int) -> np.ndarray:
    """Count what pronouns show of some names. `which` has the name of each pronoun; the shape is (`number`, 4)."""
    votes = np.zeros((number, 1 + _SHOWN), np.int64)
    np.add.at(votes, (which, shown), 1)
    return votes


def genders_shown(votes: np.ndarray) -> np.ndarray:
    """Find the gender that pronouns show of unknown words: 1 or 2 for that of `GENDERS`, 0 for none."""
    by_gender = votes[:, [FEMININE, MASCULINE]]
    most = by_gender.max(axis=1, initial=0)
    is_enough = (most >= LEAST_PRONOUNS) & (most >= LEAST_SHARE * votes[:, 1:].sum(axis=1))
    return np.where(is_enough, 1 + by_gender.argmax(axis=1), 0)


def are_called_neutral(votes: np.ndarray) -> np.ndarray:
    """Check of which names most pronouns after them do not show a gender."""
    is_neutral: np.ndarray = votes[:, NEUTRAL] > votes[:, FEMININE] + votes[:, MASCULINE]
    return is_neutral
