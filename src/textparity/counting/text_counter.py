"""Count the forms of a lexicon in texts of one language. One pass over the text gives both procedures.

`published` is the paper's code with its errors (Muller 2023, §3.3). It counts single tokens only, and white-space
tokens as words (PyThaiNLP returns them). With Stanza, it counts only the first sentence of a text, because the option
meant to keep texts whole was misspelt. `corrected` counts every sentence, finds multi-word forms, and folds texts and
forms (`textparity.folding`). It does not count white space as words, nor a hyphen as a person if a lexicon writes "-"
for a missing form. `revised` counts like `corrected`, with a revision of the lexicon.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from textparity.counting import PROCEDURES, REVISED, Sentences
from textparity.counting.icu_counter import BulkCounter, MatchTable
from textparity.counting.lexicon import Lexicon
from textparity.counting.line_ends import LINE_FEED, mark_line_ends
from textparity.counting.names import find_mentions
from textparity.counting.terms import Match, TermMatcher
from textparity.counting.tokenizers import IcuTokenizer, Tokenizer
from textparity.folding import NO_FOLDING, Folding, plain_spaces

# A longer text is counted in windows of this many characters, so that memory does not grow with it. A sentence or a
# name that spans two windows is cut, and surnames are known within a window.
LONGEST_TEXT = 1_000_000


@dataclass(frozen=True)
class Counts:
    """The counts of one procedure in one text. `matches` are in text order."""

    words: int
    matches: list[Match]


def count_texts(
    texts: Sequence[str],
    tokenizer: Tokenizer,
    lexicon: Lexicon,
    first_sentence: bool,
    revised: TermMatcher | None = None,
    folding: Folding = NO_FOLDING,
    procedures: Collection[str] = (*PROCEDURES, REVISED),
) -> list[dict[str, Counts]]:
    """Count each text by those `procedures` for which there is a lexicon.

    `first_sentence`: the published procedure uses only the first sentence of each text. `folding` is that of the
    lexicons. White space has to be plain (`plain_spaces`) already in texts with the marks of line ends.
    """
    matchers = _choose_matchers(lexicon, revised, procedures)
    if "published" not in procedures:
        folded = [folding.fold(_in_one_line(text)) for text in texts]
        as_folded = tokenizer.cut(folded)
        return _count_corrected(folded, as_folded, matchers, tokenizer)
    cleaned = [_in_one_line(text) for text in texts]
    folded = [folding.fold(_in_one_line(plain_spaces(text))) for text in texts]
    as_read = tokenizer.cut(cleaned)
    as_folded = as_read if folded == cleaned else tokenizer.cut(folded)
    counted = []
    corrected = _count_corrected(folded, as_folded, matchers, tokenizer)
    for sentences, by_matcher in zip(as_read, corrected, strict=True):
        published = _count_published(sentences, lexicon, first_sentence)
        counted.append({"published": published} | by_matcher)
    return counted


def _choose_matchers(
    lexicon: Lexicon, revised: TermMatcher | None, procedures: Collection[str]
) -> dict[str, TermMatcher]:
    """Choose the matcher of each procedure, except the published one, which has none."""
    matchers = {"corrected": lexicon.corrected}
    if revised:
        matchers[REVISED] = revised
    return {name: matcher for name, matcher in matchers.items() if name in procedures}


def _in_one_line(text: str) -> str:
    """Replace line feeds and strip the text, as the paper's code does."""
    return text.replace("\n", " ").strip()


class TextCounter:
    """Count batches of texts of one language by some procedures."""

    def __init__(
        self,
        tokenizer: Tokenizer,
        lexicon: Lexicon,
        first_sentence: bool,
        revised: TermMatcher | None = None,
        procedures: Sequence[str] | None = None,
        folding: Folding = NO_FOLDING,
    ) -> None:
        """Create a counter with the arguments of `count_texts`. If no `procedures` are named, all are used."""
        self.tokenizer, self.folding = tokenizer, folding
        self._known = (tokenizer, lexicon, first_sentence, revised, folding)
        all_procedures = (*PROCEDURES, REVISED) if revised else PROCEDURES
        self.procedures = tuple(procedures or all_procedures)
        self._has_published = "published" in self.procedures
        self._bulk = None
        if isinstance(tokenizer, IcuTokenizer):
            published = lexicon.published if self._has_published else None
            matchers = _choose_matchers(lexicon, revised, self.procedures)
            self._bulk = BulkCounter(tokenizer, published, first_sentence, matchers, folding)

    @cached_property
    def letters(self) -> frozenset[str]:
        """The letters of all forms except first names, which come from all over the world."""
        _, lexicon, _, revised, _ = self._known
        rules = (revised or lexicon.corrected).rules
        letters: set[str] = set()
        for form, rule in rules.items():
            if rule.layer != "names":
                letters.update(form)
        return frozenset(letters)

    def count(self, texts: Sequence[str]) -> dict[str, MatchTable]:
        """Count the texts by each procedure."""
        if not self._has_published:
            texts = list(map(plain_spaces, texts))
        longest = max(texts, key=len, default="")
        if not self.uses_windows(longest):
            return self._count(texts)
        uses_windows = [self.uses_windows(text) for text in texts]
        longer = np.flatnonzero(uses_windows).tolist()
        shorter = np.flatnonzero(np.logical_not(uses_windows))
        shorter_texts = [texts[index] for index in shorter.tolist()]
        # The tables of the shorter texts and of each window, with the texts that they belong to.
        tables = [(shorter, self._count(shorter_texts))]
        for index in longer:
            for _, window in windows_of(texts[index]):
                tables.append((np.array([index]), self._count([window])))
        joined = {}
        for name in self.procedures:
            of_procedure = [(indexes, by_procedure[name]) for indexes, by_procedure in tables]
            joined[name] = MatchTable.join(len(texts), of_procedure)
        return joined

    def uses_windows(self, text: str) -> bool:
        """Check whether a text is counted in windows. The published procedure needs the sentences of whole texts."""
        return len(text) > LONGEST_TEXT and not self._has_published

    def _count(self, texts: Sequence[str]) -> dict[str, MatchTable]:
        """Count all texts in bulk, except those that the bulk counter leaves to `count_texts`."""
        if not self._has_published:
            # Most texts of most corpora are single lines, for which even the call takes long.
            texts = [mark_line_ends(text).text if LINE_FEED in text else text for text in texts]
        if self._bulk is None:
            no_words = np.zeros(len(texts), np.int64)
            tables = {name: MatchTable.of(no_words.copy(), {}) for name in self.procedures}
            return self._count_singly(texts, range(len(texts)), tables)
        odd: list[int] = []
        in_bulk = list(texts)
        if self._has_published:
            # Only the published procedure distinguishes kinds of white space.
            odd = [index for index, text in enumerate(texts) if plain_spaces(text) != text]
            for index in odd:
                in_bulk[index] = ""
        tables, left = self._bulk.count(in_bulk)
        single = sorted({*left, *odd})
        return self._count_singly(texts, single, tables)

    def _count_singly(
        self, texts: Sequence[str], indexes: Sequence[int], tables: dict[str, MatchTable]
    ) -> dict[str, MatchTable]:
        """Count the texts at some indexes by `count_texts`, and put the counts into the tables of all texts."""
        if not indexes:
            return tables
        single_texts = [texts[index] for index in indexes]
        counted = count_texts(single_texts, *self._known, self.procedures)
        replaced = {}
        for name, table in tables.items():
            of_procedure = [counts[name] for counts in counted]
            replaced[name] = _replace_texts(table, indexes, of_procedure)
        return replaced


def _replace_texts(table: MatchTable, indexes: Sequence[int], counted: Sequence[Counts]) -> MatchTable:
    """Replace the counts of the texts at some indexes. Their matches have no contexts; those of all others are kept."""
    table.words[indexes] = [counts.words for counts in counted]
    matches = table.matches
    for index, counts in zip(indexes, counted, strict=True):
        matches[index] = counts.matches
    replaced = MatchTable.of(table.words, matches)
    is_kept = np.isin(replaced.texts, indexes, invert=True)
    was_kept = np.isin(table.texts, indexes, invert=True)
    replaced.contexts[is_kept] = table.contexts[was_kept]
    return replaced


def windows_of(text: str) -> Iterator[tuple[int, str]]:
    """Split a text into windows of at most `LONGEST_TEXT` characters, each with its start. They end at spaces."""
    start = 0
    while start < len(text):
        stop = start + LONGEST_TEXT
        if stop < len(text):
            last_space = text.rfind(" ", start, stop)
            last_line_feed = text.rfind("\n", start, stop)
            last = max(last_space, last_line_feed)
            if last >= 0:
                stop = last + 1
        yield start, text[start:stop]
        start = stop


def _count_published(sentences: Sentences, lexicon: Lexicon, first_sentence: bool) -> Counts:
    words = 0
    matches: list[Match] = []
    for tokens in sentences[:1] if first_sentence else sentences:
        words += len(tokens)
        matches += lexicon.match_published(tokens)
    return Counts(words, matches)


def _count_corrected(
    texts: Sequence[str], sentences: Sequence[Sentences], matchers: dict[str, TermMatcher], tokenizer: Tokenizer
) -> list[dict[str, Counts]]:
    """Count folded texts, split into their sentences, by each matcher."""
    counted = []
    for text, its_sentences in zip(texts, sentences, strict=True):
        if tokenizer.spaces_in_tokens:
            its_sentences = [_without_spaces(tokens) for tokens in its_sentences]
        words = sum(map(len, its_sentences))
        counts = {}
        for name, matcher in matchers.items():
            mentions = find_mentions(matcher, its_sentences, text)
            counts[name] = Counts(words, [mention.match for mention in mentions])
        counted.append(counts)
    return counted


def _without_spaces(tokens: list[str]) -> list[str]:
    """Leave out the tokens that are white space, and put single spaces into others.

    A token must stay whole: Vietnamese "công bố" (to announce) does not contain "bố" (father).
    """
    return [" ".join(token.split()) for token in tokens if not token.isspace()]
