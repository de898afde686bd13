"""What the pronouns after a name show: whether the person is called *he*, *she*, or *they*.

Only languages whose pronouns refer to persons alone have this evidence: those with `neutral` words in `name_words.tsv`.
The first pronoun after a name counts, within a few words, in the same sentence or the next, if no other name stands
between them. Both ways of counting use these functions on arrays with the traits of the pieces of a text.
"""

from collections.abc import Mapping
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

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
        self._rules = matcher.name_rules
        self._forms = matcher.rules
        self._has_names = "names" in matcher.layers

    @property
    def is_known(self) -> bool:
        """Whether pronouns show anything in the language."""
        return bool(self._rules.neutral) and self._has_names

    @cached_property
    def _pronouns(self) -> Mapping[str, int]:
        """What each pronoun shows."""
        shown = dict.fromkeys(self._rules.neutral, NEUTRAL)
        for form, rules in self._forms.items():
            if rules.layer != "pronouns":
                continue
            if rules.classes == {"feminine"}:
                shown[form] = FEMININE
            elif rules.classes == {"masculine"}:
                shown[form] = MASCULINE
        return shown

    def read_traits(self, piece: str, described: Piece) -> int:
        """Read the traits of a folded piece, given with its description."""
        word = described.word
        key = described.key
        traits = self._pronouns.get(word, 0)
        if key and key not in self._rules.closed:
            traits |= NAME_LIKE
            has_one_word = key == word and word.isalpha()
            if has_one_word and sum(map(str.isalnum, piece)) == len(word):
                traits |= PLAIN
        if described.ends_sentence:
            traits |= ENDS
        if word in self._rules.joining:
            traits |= JOINS
        if described.is_open:
            traits |= OPEN
        if described.is_closed:
            traits |= CLOSED
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
        padding = np.zeros(LONGEST_NAME + 1, np.uint8)
        self._traits = np.concatenate([traits, padding])
        pronouns = np.flatnonzero(traits & _SHOWN)
        self._pronouns = np.append(pronouns, self.size)
        self._names = np.flatnonzero(traits & NAME_LIKE)
        self._ends = np.flatnonzero(traits & ENDS)

    def shown_after(self, firsts: np.ndarray, lasts: np.ndarray, starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
        """Find what the pronoun after each of some names shows, 0 for nothing.

        `firsts` and `lasts` have the positions of the first and the last piece of each name, `starts` and `stops` those
        of the first piece of its text, and after the last one.
        """
        next_pronoun = np.searchsorted(self._pronouns, lasts + 1)
        pronouns = self._pronouns[next_pronoun]
        distances = pronouns - lasts
        names_between = self._count_names_between(lasts, pronouns)
        ends_between = self._count_ends_between(lasts, pronouns)
        is_about_name = pronouns < stops
        is_about_name &= distances <= REACH
        is_about_name &= ends_between <= MOST_SENTENCES
        is_about_name &= names_between == 0
        is_about_name &= ~self._are_joined(firsts, lasts, starts)
        shown = self._traits[pronouns] & _SHOWN
        return np.where(is_about_name, shown, 0)

    def shown_in_text(self, firsts: np.ndarray, lasts: np.ndarray) -> np.ndarray:
        """Find what `shown_after` finds, in a trail of a single text."""
        starts = np.zeros(len(firsts), np.int64)
        stops = np.full(len(firsts), self.size)
        return self.shown_after(firsts, lasts, starts, stops)

    def _count_names_between(self, lasts: np.ndarray, pronouns: np.ndarray) -> np.ndarray:
        """Count the other names between the end of each name and a pronoun."""
        # Further words with capitals belong to the name.
        after_name = lasts + 1
        for _ in range(LONGEST_NAME):
            is_in_name = (self._traits[after_name] & NAME_LIKE) > 0
            after_name = after_name + is_in_name
        end_of_name = np.minimum(after_name, pronouns)
        names_before = np.searchsorted(self._names, end_of_name)
        names_before_pronoun = np.searchsorted(self._names, pronouns)
        return names_before_pronoun - names_before

    def _count_ends_between(self, lasts: np.ndarray, pronouns: np.ndarray) -> np.ndarray:
        """Count the ends of sentences between the end of each name and a pronoun."""
        ends_before_pronoun = np.searchsorted(self._ends, pronouns)
        ends_before_name = np.searchsorted(self._ends, lasts)
        return ends_before_pronoun - ends_before_name

    def _are_joined(self, firsts: np.ndarray, lasts: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """Check which names are beside a word that joins persons.

        In *Mary and her friends* and *John and Mary said they*, the pronoun may be that of several persons.
        """
        before = self._traits[np.maximum(firsts - 1, 0)]
        after = self._traits[lasts + 1]
        joins_before = _have_all(before, JOINS) & (firsts > starts)
        joins_after = _have_all(after, JOINS)
        return joins_before | joins_after

    def possible_names(self, is_taken: np.ndarray) -> np.ndarray:
        """Find the positions of pieces that are one word with a capital, except those taken."""
        is_possible = _have_all(self._traits[: self.size], NAME_LIKE | PLAIN)
        return np.flatnonzero(is_possible & ~is_taken)

    def stand_alone(self, positions: np.ndarray, starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
        """Check which of some pieces have no other word with a capital beside them that would form a longer name.

        `starts` and `stops` are the positions of the first piece of each piece's text, and after the last one.
        """
        traits = self._traits[positions]
        before = self._traits[np.maximum(positions - 1, 0)]
        after = self._traits[positions + 1]
        has_before = positions > starts
        has_after = positions + 1 < stops
        is_name_before = _have_all(before, NAME_LIKE | CLOSED) & has_before
        is_name_after = _have_all(after, NAME_LIKE | OPEN) & has_after
        follows = is_name_before & _have_all(traits, OPEN)
        goes_on = is_name_after & _have_all(traits, CLOSED)
        return ~follows & ~goes_on

    def stand_alone_in_text(self, positions: np.ndarray) -> np.ndarray:
        """Check what `stand_alone` checks, in a trail of a single text."""
        starts = np.zeros(len(positions), np.int64)
        stops = np.full(len(positions), self.size)
        return self.stand_alone(positions, starts, stops)


def _have_all(traits: np.ndarray, wanted: int) -> np.ndarray:
    """Check which pieces have all the wanted traits."""
    have_all: np.ndarray = (traits & wanted) == wanted
    return have_all


def count_votes(name_indexes: np.ndarray, shown: np.ndarray, size: int) -> np.ndarray:
    """Count what pronouns show of some names, with the index of the name of each pronoun. The shape is (`size`, 4)."""
    votes = np.zeros((size, 1 + _SHOWN), np.int64)
    np.add.at(votes, (name_indexes, shown), 1)
    return votes


def genders_shown(votes: np.ndarray) -> np.ndarray:
    """Find the gender that pronouns show of unknown words: 1 or 2 for that of `GENDERS`, 0 for none."""
    by_gender = votes[:, [FEMININE, MASCULINE]]
    more_frequent = by_gender.argmax(axis=1)
    most = by_gender.max(axis=1, initial=0)
    all_pronouns = votes[:, 1:].sum(axis=1)
    has_enough = most >= LEAST_PRONOUNS
    has_share = most >= LEAST_SHARE * all_pronouns
    is_shown = has_enough & has_share
    return np.where(is_shown, 1 + more_frequent, 0)


def are_called_neutral(votes: np.ndarray) -> np.ndarray:
    """Check of which names most pronouns after them do not show a gender."""
    gendered = votes[:, FEMININE] + votes[:, MASCULINE]
    is_neutral: np.ndarray = votes[:, NEUTRAL] > gendered
    return is_neutral
