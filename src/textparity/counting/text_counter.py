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
from itertools import chain

import numpy as np

from textparity.counting import PROCEDURES, REVISED
from textparity.counting.icu_counter import BulkCounter, MatchTable
from textparity.counting.lexicon import Lexicon
from textparity.counting.line_ends import LINE_FEED, mark_line_ends
from textparity.counting.names import find_mentions
from textparity.counting.terms import Match, TermMatcher
from textparity.counting.tokenizers import IcuTokenizer, Sentences, Tokenizer
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
    matchers = {"corrected": lexicon.corrected} | ({REVISED: revised} if revised else {})
    matchers = {name: matcher for name, matcher in matchers.items() if name in procedures}
    is_published = "published" in procedures
    folded = [folding.fold(_in_one_line(plain_spaces(text) if is_published else text)) for text in texts]
    as_read: list[Sentences] | None = None
    if is_published:
        cleaned = [_in_one_line(text) for text in texts]
        as_read = tokenizer.cut(cleaned)
    as_folded = as_read if as_read and folded == cleaned else tokenizer.cut(folded)
    counted = []
    for number, (text, of_folded) in enumerate(zip(folded, as_folded, strict=True)):
        counts = {"published": _count_published(as_read[number], lexicon, first_sentence)} if as_read else {}
        counts |= _count_corrected(text, of_folded, matchers, tokenizer.spaces_in_tokens)
        counted.append(counts)
    return counted


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
        self.procedures = tuple(procedures or ((*PROCEDURES, REVISED) if revised else PROCEDURES))
        self._bulk = None
        if isinstance(tokenizer, IcuTokenizer):
            matchers = {"corrected": lexicon.corrected} | ({REVISED: revised} if revised else {})
            published = lexicon.published if "published" in self.procedures else None
            chosen = {name: matcher for name, matcher in matchers.items() if name in self.procedures}
            self._bulk = BulkCounter(tokenizer, published, first_sentence, chosen, folding)

    @cached_property
    def letters(self) -> frozenset[str]:
        """The letters of all forms except first names, which come from all over the world."""
        _, lexicon, _, revised, _ = self._known
        rules = (revised or lexicon.corrected).rules
        return frozenset(chain.from_iterable(form for form, rule in rules.items() if rule.layer != "names"))

    def count(self, texts: Sequence[str]) -> dict[str, MatchTable]:
        """Count the texts by each procedure."""
        if "published" not in self.procedures:
            texts = list(map(plain_spaces, texts))
        if not self.uses_windows(max(texts, key=len, default="")):
            return self._count(texts)
        longer = [number for number, text in enumerate(texts) if self.uses_windows(text)]
        others = np.setdiff1d(np.arange(len(texts)), longer)
        parts = [(others, self._count([texts[number] for number in others.tolist()]))]
        for number in longer:
            parts += [(np.array([number]), self._count([window])) for _, window in windows_of(texts[number])]
        return {
            name: MatchTable.join(len(texts), [(numbers, found[name]) for numbers, found in parts])
            for name in self.procedures
        }

    def uses_windows(self, text: str) -> bool:
        """Check whether a text is counted in windows. The published procedure needs the sentences of whole texts."""
        return len(text) > LONGEST_TEXT and "published" not in self.procedures

    def _count(self, texts: Sequence[str]) -> dict[str, MatchTable]:
        if "published" not in self.procedures:
            # Most texts of most corpora are single lines, for which even the call takes long.
            texts = [mark_line_ends(text).text if LINE_FEED in text else text for text in texts]
        if self._bulk is None:
            found = {name: MatchTable.of(np.zeros(len(texts), np.int64), {}) for name in self.procedures}
            whole: Sequence[int] = range(len(texts))
        else:
            in_bulk = list(texts)
            odd: list[int] = []
            if "published" in self.procedures:
                # This procedure alone tells white space apart.
                odd = [number for number, text in enumerate(texts) if plain_spaces(text) != text]
                for number in odd:
                    in_bulk[number] = ""
            found, whole = self._bulk.count(in_bulk)
            whole = sorted({*whole, *odd})
        if not whole:
            return found
        counted = count_texts([texts[number] for number in whole], *self._known, self.procedures)
        for name, of_procedure in found.items():
            of_procedure.words[whole] = [of_text[name].words for of_text in counted]
            matches = {number: of_text[name].matches for number, of_text in zip(whole, counted, strict=True)}
            table = MatchTable.of(of_procedure.words, of_procedure.matches | matches)
            # Texts that were split as a whole have no contexts; those of all others are kept.
            is_in_bulk, was_in_bulk = (~np.isin(one.texts, whole) for one in (table, of_procedure))
            table.contexts[is_in_bulk] = of_procedure.contexts[was_in_bulk]
            found[name] = table
        return found


def windows_of(text: str) -> Iterator[tuple[int, str]]:
    """Split a text into windows of at most `LONGEST_TEXT` characters, each with its start. They end at spaces."""
    start = 0
    while start < len(text):
        stop = start + LONGEST_TEXT
        if stop < len(text):
            stop = max(text.rfind(" ", start, stop), text.rfind("\n", start, stop)) + 1 or stop
        yield start, text[start:stop]
        start = stop


def _count_published(sentences: Sentences, lexicon: Lexicon, first_sentence: bool) -> Counts:
    words, matches = 0, []
    for tokens in sentences[:1] if first_sentence else sentences:
        words += len(tokens)
        matches += lexicon.match_published(tokens)
    return Counts(words, matches)


def _count_corrected(
    text: str, sentences: Sentences, matchers: dict[str, TermMatcher], spaces_in_tokens: bool
) -> dict[str, Counts]:
    if spaces_in_tokens:
        # A token must stay whole: Vietnamese "công bố" (to announce) does not contain "bố" (father).
        sentences = [[" ".join(token.split()) for token in tokens if not token.isspace()] for tokens in sentences]
    words = sum(map(len, sentences))
    return {
        name: Counts(words, [mention.match for mention in find_mentions(matcher, sentences, text)])
        for name, matcher in matchers.items()
    }
