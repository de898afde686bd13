"""How much texts repeat: themselves, each other, and what a model was trained on.

A model that collapses writes the same words again and again; one that learns its training text by heart copies it.
"""

import math
from collections.abc import Iterable, Iterator

Ngram = tuple[str, ...]
# The shortest that is repeated; the shortest that is copied.
REPEATED_WORDS = 4
COPIED_WORDS = 8


def ngrams(words: list[str], size: int) -> Iterator[Ngram]:
    """Return all runs of `size` words."""
    return zip(*(words[place:] for place in range(size)), strict=False)


def distinct_share(texts: list[list[str]], size: int) -> float:
    """Return distinct-n: how many different runs of `size` words all texts together have, of all; NaN without any."""
    found = [ngram for words in texts for ngram in ngrams(words, size)]
    return len(set(found)) / len(found) if found else math.nan


def repeated_share(texts: list[list[str]], size: int = REPEATED_WORDS) -> float:
    """Return the share of runs of `size` words that stood in the same text before; NaN without any."""
    every = repeated = 0
    for words in texts:
        found = list(ngrams(words, size))
        every += len(found)
        repeated += len(found) - len(set(found))
    return repeated / every if every else math.nan


def copied_share(texts: list[list[str]], known: set[Ngram]) -> float:
    """Return the share of texts with a run of words of `known`; NaN without texts."""
    copies = sum(any(ngram in known for ngram in ngrams(words, COPIED_WORDS)) for words in texts)
    return copies / len(texts) if texts else math.nan


def runs_of(sentences: Iterable[list[str]]) -> set[Ngram]:
    """Return what can be copied from sentences: their runs of eight words, none across two sentences."""
    return {ngram for words in sentences for ngram in ngrams(words, COPIED_WORDS)}
