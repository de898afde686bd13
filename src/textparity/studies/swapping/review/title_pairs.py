"""Whether a title and its swapped one are a pair of the dictionary (Nahurna 2025, §4.1.3)."""

from textparity.studies.swapping.candidates.sentence_entities import SentencePair
from textparity.studies.swapping.language.morphology import analyse
from textparity.studies.swapping.language.word_lists import GenderLists
from textparity.studies.swapping.language.words import UnicodeWords, one_apostrophe

_WORDS = UnicodeWords()


def count_dictionary_pairs(pairs: list[SentencePair], lists: GenderLists, only_changed: bool) -> tuple[int, int]:
    """Return how many titles of how many are in the dictionary.

    All titles: a word of the original is in one of the lists, as the authors count; `only_changed`: of the titles that
    changed, those with words at the same place that are a pair.
    """
    titles = [both for pair in pairs for both in zip(pair.titles, pair.swapped_titles, strict=True)]
    if not only_changed:
        known = {one_apostrophe(word) for word in {*lists.pairs, *lists.feminine_pairs, *lists.common}}
        return sum(any(lemmas(word) & known for word in _WORDS.tokenize(title)) for title, _ in titles), len(titles)
    changed = [(title, swapped) for title, swapped in titles if _WORDS.tokenize(title) != _WORDS.tokenize(swapped)]
    known_pairs = word_pairs(lists)
    return sum(is_dictionary_pair(title, swapped, known_pairs) for title, swapped in changed), len(changed)


def is_dictionary_pair(title: str, swapped: str, pairs: frozenset[tuple[str, str]]) -> bool:
    """Whether words at the same place of two titles are a pair of the dictionary, in either order."""
    here, there = _WORDS.tokenize(title), _WORDS.tokenize(swapped)
    if len(here) != len(there):
        return False
    return any(
        (one, other) in pairs or (other, one) in pairs
        for first, second in zip(here, there, strict=True)
        for one in lemmas(first)
        for other in lemmas(second)
    )


def lemmas(word: str) -> set[str]:
    """Return the word in lower case and every lemma that it can have."""
    return {word.lower()} | {parse.normal_form for parse in analyse(word.lower())}


def word_pairs(lists: GenderLists) -> frozenset[tuple[str, str]]:
    """Return the dictionary's pairs, the masculine word first."""
    return frozenset(
        (one_apostrophe(masculine), one_apostrophe(feminine))
        for masculine, feminines in lists.pairs.items()
        for feminine in feminines
    )
