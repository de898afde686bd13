"""Prepare an annotated text in which quotes are searched for: its lines, sentences, and spans in quotation marks.

A news text often has a paragraph a line, and a headline without a stop. A novel may have lines that are parts of
sentences.
"""

from dataclasses import replace

from textparity.persons.annotations import Annotation
from textparity.persons.quotes import CLOSING_MARKS, SENTENCE_ENDS

_LINE_ENDS = SENTENCE_ENDS | CLOSING_MARKS
# The most sentences between typewriter apostrophes.
_LONGEST_IN_APOSTROPHES = 8
_LONGEST_ABBREVIATION = 4


def has_lines(article: Annotation) -> bool:
    """Check whether most lines end with a sentence, so that lines are no parts of sentences."""
    line_ends = [token for token, form in enumerate(article.tokens) if "\n" in form and token]
    after_sentence = [token for token in line_ends if article.tokens[token - 1] in _LINE_ENDS]
    return 2 * len(after_sentence) >= len(line_ends)


def with_lines(article: Annotation) -> Annotation:
    """Copy an article so that no sentence runs over the end of a line."""
    starts = list(article.sentence_starts)
    for token, form in enumerate(article.tokens):
        if "\n" not in form or token == 0:
            continue
        # The end of a line belongs to its sentence, and so does a mark that closes a quote there.
        starts[token] = False
        before = token - 1
        if starts[before] and article.tokens[before] in CLOSING_MARKS:
            starts[before] = False
        following = token + 1
        if following < len(article):
            starts[following] = True
    return replace(article, sentence_starts=starts)


def with_line_spaces(article: Annotation) -> Annotation:
    """Copy an article so that a mark beside the end of a line is one beside a space."""
    spaces = list(article.spaces)
    for token, form in enumerate(article.tokens):
        if form.isspace():
            spaces[token] = True
            if token:
                spaces[token - 1] = True
    return replace(article, spaces=spaces)


def with_whole_sentences(article: Annotation) -> Annotation:
    """Copy an article so that no sentence begins in lower case, or with a mark, where none has ended."""
    starts = list(article.sentence_starts)
    for token in range(1, len(article)):
        before = article.tokens[token - 1]
        has_ended = before in _LINE_ENDS or before in (":", ";") or before.isspace()
        if starts[token] and not has_ended and not article.is_capitalised(token):
            starts[token] = False
        elif before == "." and article.is_capitalised(token) and not _is_abbreviation(article, token - 1):
            starts[token] = True
    return replace(article, sentence_starts=starts)


def _is_abbreviation(article: Annotation, stop: int) -> bool:
    """Check whether a stop may belong to a short word with a capital before it: Det."""
    before = stop - 1
    return before >= 0 and article.is_capitalised(before) and len(article.tokens[before]) <= _LONGEST_ABBREVIATION


def spans_in_apostrophes(article: Annotation, taken: set[int]) -> list[tuple[int, int]]:
    """Find the spans between typewriter apostrophes, of which the closing one follows a stop or comma."""
    spans: list[tuple[int, int]] = []
    opened: int | None = None
    for token, form in enumerate(article.tokens):
        if token in taken:
            opened = None
        elif form == "'":
            has_space_before = token == 0 or article.spaces[token - 1]
            has_space_after = article.spaces[token] or token == len(article) - 1
            if has_space_before and not has_space_after:
                opened = token
            elif opened is not None and has_space_after and article.tokens[token - 1] in (".", ",", "!", "?"):
                spans.append((opened, token + 1))
                opened = None
        elif opened is not None and article.sentence_of[token] - article.sentence_of[opened] > _LONGEST_IN_APOSTROPHES:
            opened = None
    return spans
