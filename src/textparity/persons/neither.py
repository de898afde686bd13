"""Find the mentions of persons whom the text calls neither women nor men: *ze*, *an enby*, *a non-binary artist*."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from textparity.counting.terms import fix_form
from textparity.persons.mention_spans import SUBJECTS
from textparity.persons.mentions import Mention

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# Relations of a clause to the noun that it describes (*an artist who is non-binary*), in the grammars of all pipelines.
_RELATIVE_CLAUSES = frozenset({"acl:relcl", "rc", "relcl"})
# Relations of a word to the noun that it describes (*a non-binary artist*).
_MODIFIERS = _RELATIVE_CLAUSES | {"acl", "amod", "compound", "nk", "nmod"}
_SUBJECTS = SUBJECTS | {"sb"}
# Relations of a word to its clause if it describes the subject (*is non-binary*).
_PREDICATES = frozenset({"acomp", "attr", "ROOT", "pd"})
# Prepositions before it if a verb says what somebody is (*came out as non-binary*).
_AS = frozenset({"als", "as", "come", "como", "comme", "som"})


class NeitherFinder:
    """Mark mentions by the words of a language, each with its kind (`textparity.counting.unspecified`)."""

    def __init__(self, words: Mapping[str, str]) -> None:
        self._words = words
        describing = [word for word, kind in words.items() if kind == "person"]
        alternatives = "|".join(map(re.escape, sorted(describing, key=len, reverse=True)))
        self._describing = re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)") if describing else None

    def mark(self, doc: "Doc", mentions: Sequence[Mention]) -> list[Mention]:
        """Mark the mentions in a parsed text. If one is marked, so are all of the same person."""
        marked = self._described(doc, mentions)
        for index, mention in enumerate(mentions):
            is_word = mention.kind != "name" and fix_form(mention.text) in self._words
            if mention.is_neither or is_word:
                marked.add(index)
        if not marked:
            return list(mentions)
        entities = {mentions[index].entity for index in marked}
        result = []
        for mention in mentions:
            is_neither = mention.entity in entities
            result.append(replace(mention, is_neither=True) if is_neither else mention)
        return result

    def _described(self, doc: "Doc", mentions: Sequence[Mention]) -> set[int]:
        """Find the indexes of the mentions that a word describes, by the parse."""
        described: set[int] = set()
        matches = list(self._describing.finditer(doc.text.lower())) if self._describing else []
        if not matches:
            return described
        mention_at: dict[int, int] = {}
        for index, mention in enumerate(mentions):
            mention_at.update(dict.fromkeys(range(mention.start, mention.end), index))
        for match in matches:
            span = doc.char_span(*match.span(), alignment_mode="expand")
            if span is None:
                continue
            described.update(mention_at[token.idx] for token in _described_by(span.root) if token.idx in mention_at)
        return described


def _described_by(word: "Token") -> "list[Token]":
    """List the words that a word may describe: itself, the noun that it or its clause modifies, or its subject."""
    candidates = [word]
    if word.dep_ in _MODIFIERS:
        candidates.append(word.head)
    for clause in _clauses_of(word):
        candidates += [child for child in clause.children if child.dep_ in _SUBJECTS]
        if clause.dep_ in _RELATIVE_CLAUSES:
            candidates.append(clause.head)
    return candidates


def _clauses_of(word: "Token") -> "list[Token]":
    """List the words that may be the head of the clause in which a word describes the subject."""
    if word.dep_ in _PREDICATES:
        # The head of the clause is the verb in some grammars, and the word itself in others.
        return [word, word.head]
    # The preposition is above the word in some grammars, and below it in others.
    if word.head.lower_ in _AS:
        return [word.head.head]
    if any(child.lower_ in _AS for child in word.children):
        return [word.head]
    return []
