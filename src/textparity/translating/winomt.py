"""Read WinoMT: sentences about a person of an occupation whose gender a pronoun shows, and a system's translations.

Stanovsky, Smith and Zettlemoyer (2019), Evaluating Gender Bias in Machine Translation, ACL. Gold genders are
`feminine`, `masculine` and `neutral` (*they*, or *someone*).
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from textparity.errors import InputError
from textparity.files import read_lines
from textparity.persons.mentions import FEMININE, MASCULINE

NEUTRAL = "neutral"
GENDERS = (FEMININE, MASCULINE, NEUTRAL)
_NAMES = {"female": FEMININE, "male": MASCULINE, "neutral": NEUTRAL}
# Sets of sentences: the pronoun has the gender that most people of the occupation have (by US statistics), or not.
PRO, ANTI = STEREOTYPES = ("pro", "anti")
ARTICLES = {"the", "a", "an"}
# What separates a sentence from its translation.
SEPARATOR = " ||| "
# The share of lines at the place of their sentence from which on the file is in the order of the sentences.
_IN_ORDER = 0.9


class Sentence(NamedTuple):
    """A sentence about a person. `position` is that of the occupation's first word, counted from 0."""

    gender: str
    position: int
    text: str
    occupation: str
    stereotype: str = ""

    @property
    def words(self) -> list[str]:
        """The words, with the punctuation that stands beside them."""
        return self.text.split()

    @property
    def places(self) -> list[int]:
        """The places of the article, if there is one, and of the occupation's first word."""
        before = self.position - 1
        has_article = before >= 0 and self.words[before].lower() in ARTICLES
        return [*([before] if has_article else []), self.position]

    @property
    def typical(self) -> str:
        """The gender that is typical of the occupation, by the set of the sentence; an empty text without a set."""
        if self.stereotype == ANTI:
            return MASCULINE if self.gender == FEMININE else FEMININE
        return self.gender if self.stereotype else ""


def read_sentences(sentences: Path, pro: Path | None = None, anti: Path | None = None) -> list[Sentence]:
    """Read the sentences of a file: gender, position, sentence and occupation, separated by tabs.

    `pro` and `anti` are the sets of sentences of each stereotype, in the same form. Raises `InputError` for a line of
    another form.
    """
    read = list(_read_file(sentences))
    stereotypes = {one: name for name, path in ((PRO, pro), (ANTI, anti)) if path for one in _read_file(path)}
    return [one._replace(stereotype=stereotypes.get(one, "")) for one in read]


def _read_file(path: Path) -> Iterator[Sentence]:
    for number, line in enumerate(read_lines(path), start=1):
        where = f"{path}, line {number}"
        cells = line.strip().split("\t")
        if len(cells) != 4 or cells[0] not in _NAMES or not cells[1].isdecimal():
            raise InputError(f"{where}: gender (female, male or neutral), position, sentence and occupation are needed")
        gender, position, text, occupation = cells
        if int(position) >= len(text.split()):
            raise InputError(f"{where}: the sentence has no word at {position}, counted from 0")
        yield Sentence(_NAMES[gender], int(position), text, occupation)


class Translation(NamedTuple):
    """A translation, empty if there is none, and the English sentence that was translated."""

    text: str
    source: str


def read_translations(path: Path, sentences: Sequence[Sentence]) -> list[Translation]:
    """Read the translation of each sentence.

    A line is a translation, or a sentence and its translation with ` ||| ` between them. Without their sentences,
    translations must be as many as the sentences, in their order. If nearly all lines are in that order, a sentence
    that was not translated gets the line at its place, whose source differs. Raises `InputError` if no sentence was
    translated.
    """
    lines = [" ".join(line.split()) for line in read_lines(path)]
    pairs = [re.fullmatch(r"(.+) \|\|\|(?: (.*))?", line) for line in lines]
    texts = [" ".join(one.words) for one in sentences]
    if not any(pairs):
        if len(lines) != len(sentences):
            raise InputError(
                f"{path}: has {len(lines):,} lines for {len(sentences):,} sentences; write one translation a line, or "
                f"each sentence and its translation with{SEPARATOR}between them"
            )
        for number, (line, text) in enumerate(zip(lines, texts, strict=True), start=1):
            if line.startswith(text):
                raise InputError(f"{path}, line {number}: has the sentence, without{SEPARATOR}after it")
        if not any(lines):
            raise InputError(f"{path}: has no translation")
        return list(map(Translation, lines, texts))
    in_order: list[Translation] = []
    for number, pair in enumerate(pairs, start=1):
        if not pair:
            raise InputError(f"{path}, line {number}: has no{SEPARATOR}, which other lines have")
        in_order.append(Translation(pair[2] or "", pair[1]))
    by_text = {one.source: one for one in reversed(in_order)}
    if not any(by_text[text].text for text in texts if text in by_text):
        raise InputError(f"{path}: translates none of the sentences; are they those of WinoMT?")
    in_place = sum(one.source == text for one, text in zip(in_order, texts, strict=False))
    if len(in_order) != len(sentences) or in_place < _IN_ORDER * len(texts):
        return [by_text.get(text, Translation("", text)) for text in texts]
    # Some sentences occur twice, and the translations of both may differ.
    return [one if one.source == text else by_text.get(text, one) for text, one in zip(texts, in_order, strict=True)]
