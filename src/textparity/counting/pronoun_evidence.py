"""What the pronouns after a name show: whether the person is called *he*, *she*, or *they*.

Only languages whose pronouns refer to persons alone have this evidence: those with `neutral` words in `name_words.tsv`.
The first pronoun after a name counts, within a few words, in the same sentence or the next, if no other name stands
between them. Both ways of counting use these functions on arrays with the traits of the pieces of a text.
"""

from collections.abc import Mapping
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from textparity.counting.name_pieces import read_piece
from textparity.counting.terms import GENDERS, TermMatcher

# The first pronoun is at most this many pieces after the name, and at most this many sentences end between them.
REACH, MOST_SENTENCES = 16, 1
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
            classes = rules.plain | {name for _, name in rules.by_context}
            if rules.layer == "pronouns" and len(classes) == 1 and classes <= set(GENDERS):
                shows[form] = 1 + GENDERS.index(next(iter(classes)))
        return shows

    def read_traits(self, piece: str) -> int:
        """Read the traits of a folded piece."""
        described = read_piece(piece)
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


def shown_after(
    firsts: np.ndarray, lasts: np.ndarray, starts: np.ndarray, stops: np.ndarray, traits: np.ndarray
) -> np.ndarray:
    """Find what the pronoun after each of some names shows, 0 for nothing.

    `firsts` and `lasts` have the places of the first and the last piece of each name, `starts` and `stops` those of the
    first piece of its text, and after the last one. `traits` has the traits of all pieces.
    """
    size = len(traits)
    if not size:
        return np.zeros(0, np.int8)
    places = np.arange(size)
    is_name = (traits & NAME_LIKE) > 0
    pronouns = _next_place((traits & _SHOWN) > 0, places)
    others = _next_place(~is_name, places)
    names_before = np.concatenate([[0], np.cumsum(is_name)])
    ends_before = np.concatenate([[0], np.cumsum((traits & ENDS) > 0)])
    following = np.minimum(lasts + 1, size - 1)
    targets = pronouns[following]
    # Further words with capitals belong to the name.
    after_name = np.minimum(others[following], targets)
    found = np.minimum(targets, size - 1)
    is_near = (lasts + 1 < stops) & (targets < stops) & (targets - lasts <= REACH)
    is_near &= names_before[found] == names_before[np.minimum(after_name, size - 1)]
    is_near &= ends_before[found] - ends_before[lasts] <= MOST_SENTENCES
    # In *Mary and her friends* and *John and Mary said they*, the pronoun may be that of several persons.
    is_joined = (firsts > starts) & ((traits[np.maximum(firsts - 1, 0)] & JOINS) > 0)
    is_near &= ~is_joined & ((traits[following] & JOINS) == 0)
    return np.where(is_near, traits[found] & _SHOWN, 0).astype(np.int8)


def stand_alone(starts: np.ndarray, stops: np.ndarray, traits: np.ndarray) -> np.ndarray:
    """Mark the pieces that are one word with a capital and have no other such word beside them.

    `starts` and `stops` are the places of the first piece of each piece's text, and after the last one.
    """
    places = np.arange(len(traits))
    is_alone = (traits & (NAME_LIKE | PLAIN)) == (NAME_LIKE | PLAIN)
    before = traits[np.maximum(places - 1, 0)]
    is_joined = (places > starts) & ((traits & OPEN) > 0) & ((before & (NAME_LIKE | CLOSED)) == (NAME_LIKE | CLOSED))
    after = traits[np.minimum(places + 1, max(0, len(traits) - 1))]
    goes_on = (places + 1 < stops) & ((traits & CLOSED) > 0) & ((after & (NAME_LIKE | OPEN)) == (NAME_LIKE | OPEN))
    return is_alone & ~is_joined & ~goes_on


def gender_shown(votes: np.ndarray) -> str:
    """Find the gender that pronouns show of an unknown word, empty if none. `votes` are counts by what they show."""
    by_gender = votes[[FEMININE, MASCULINE]]
    most = int(by_gender.argmax())
    is_enough = by_gender[most] >= LEAST_PRONOUNS and by_gender[most] >= LEAST_SHARE * votes[1:].sum()
    return GENDERS[most] if is_enough else ""


def is_called_neutral(votes: np.ndarray) -> bool:
    """Check whether most pronouns after a name do not show a gender."""
    return bool(votes[NEUTRAL] > votes[FEMININE] + votes[MASCULINE])


def _next_place(is_one: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Find for each place the next one, from itself on, that is marked; the number of places if there is none."""
    marked = np.where(is_one, places, len(places))
    return np.minimum.accumulate(marked[::-1])[::-1]
