"""The adjectives, nouns and verbs of the sentences that mention someone, and how strongly they go with a gender.

Urchs 2025, §3, ranks them by pointwise mutual information (PMI). Its public code computes PMI within each article and
then throws the values away: its "top PMI" lists count, for each word, the actors whose sentences have it, of the ten
most frequent words of every article alone. `published` is that count; `corrected` is PMI over the corpus.
"""

from collections import Counter
from collections.abc import Iterator
from math import log2
from typing import Any

import pyarrow as pa

from textparity.studies.newsroom.actor_rows import PARTS_OF_SPEECH
from textparity.studies.newsroom.annotations import Annotation
from textparity.studies.newsroom.word_lists import GENDERS

WORD_SCHEMA = pa.schema(
    [
        ("group", pa.string()),
        ("part_of_speech", pa.string()),
        ("word", pa.string()),
        # Of all sentences, of those that mention an actor, and of those that mention one of each gender.
        ("background", pa.int64()),
        ("actors", pa.int64()),
        *((gender, pa.int64()) for gender in GENDERS),
    ]
)
_TOP_WORDS = 10
_BATCH_ROWS = 10_000


class ArticleWords:
    """The words of an article by sentence and part of speech, lower-case, letters only, without stop words.

    Names of several words are none: where the paper's code looks for words, each name is one token with spaces in it.
    """

    def __init__(self, article: Annotation, stop_words: frozenset[str]) -> None:
        kinds = {part: name for name, part in PARTS_OF_SPEECH.items()}
        self.sentences: dict[str, dict[int, list[str]]] = {name: {} for name in PARTS_OF_SPEECH}
        for start, end in article.merged.values():
            name, text = kinds.get(article.parts_of_speech[article.root_of(start, end)]), article.text_of(start, end)
            if name and text.isalpha() and (word := text.lower()) not in stop_words:
                self.sentences[name].setdefault(article.sentence_of[start], []).append(word)
        self.totals = {name: self.count(name) for name in PARTS_OF_SPEECH}

    def count(self, name: str, sentences: list[int] | None = None) -> Counter[str]:
        """Return how often each word of a part of speech stands in some sentences, or in all, in their order."""
        found = self.sentences[name]
        chosen = found if sentences is None else sorted(set(sentences) & found.keys())
        return Counter(word for sentence in chosen for word in found[sentence])

    def of_sentences(self, sentences: list[int]) -> dict[str, list[dict[str, Any]]]:
        """Return the words of an actor's sentences with their PMI (bits) in the article, by part of speech.

        log2 of a word's share of the words of those sentences over its share of the words of the article.
        """
        found = {}
        for name, all_words in self.totals.items():
            here = self.count(name, sentences)
            total, whole = here.total(), all_words.total()
            found[name] = [
                {"word": word, "count": count, "pmi": log2((count / total) / (all_words[word] / whole))}
                for word, count in here.items()
            ]
        return found


class WordCounts:
    """The counts of words per group of articles; memory grows with the vocabulary, not with the articles."""

    def __init__(self, procedure: str) -> None:
        self._published = procedure == "published"
        self._counts: dict[tuple[str, str, str], Counter[str]] = {}

    def add(self, group: str, actors: list[dict[str, Any]], beside: ArticleWords) -> None:
        """Add the words of an article; `actors` are the rows of its actors."""
        by_gender = {gender: [actor for actor in actors if actor["gender"] == gender] for gender in GENDERS}
        for part in PARTS_OF_SPEECH:
            if self._published:
                for column, rows in {"actors": actors, **by_gender}.items():
                    having = Counter(word["word"] for row in rows for word in row[part])
                    self._count(group, part, column, dict(having.most_common(_TOP_WORDS)))
                continue
            self._count(group, part, "background", beside.totals[part])
            for column, rows in {"actors": actors, **by_gender}.items():
                sentences = [sentence for row in rows for sentence in row["sentences"]]
                self._count(group, part, column, beside.count(part, sentences))

    def _count(self, group: str, part: str, column: str, words: dict[str, int]) -> None:
        if words:
            self._counts.setdefault((group, part, column), Counter()).update(words)

    def batches(self) -> Iterator[list[dict[str, Any]]]:
        """Yield the rows of `WORD_SCHEMA`, sorted by group, part of speech and word."""
        columns = ("background", "actors", *GENDERS)
        for group, part in sorted({key[:2] for key in self._counts}):
            counts = {column: self._counts.get((group, part, column), Counter()) for column in columns}
            words = sorted(set().union(*counts.values()))
            for first in range(0, len(words), _BATCH_ROWS):
                yield [
                    {"group": group, "part_of_speech": part, "word": word}
                    | {column: counted[word] for column, counted in counts.items()}
                    for word in words[first : first + _BATCH_ROWS]
                ]
