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
PRO, ANTI = "pro", "anti"
ARTICLES = {"the", "a", "an"}
# What separates a sentence from its translation.
SEPARATOR = " ||| "
_PAIR = re.compile(r"(.+) \|\|\|(?: (.*))?")
# The share of lines at the position of their sentence from which on the file is in the order of the sentences.
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
    def positions(self) -> list[int]:
        """The positions of the article, if there is one, and of the occupation's first word."""
        before = self.position - 1
        if before >= 0 and self.words[before].lower() in ARTICLES:
            return [before, self.position]
        return [self.position]

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
    stereotypes: dict[Sentence, str] = {}
    for name, path in ((PRO, pro), (ANTI, anti)):
        if path:
            stereotypes |= dict.fromkeys(_read_file(path), name)
    read: list[Sentence] = []
    for sentence in _read_file(sentences):
        stereotype = stereotypes.get(sentence, "")
        read.append(sentence._replace(stereotype=stereotype))
    return read


def _read_file(path: Path) -> Iterator[Sentence]:
    for line_number, line in enumerate(read_lines(path), start=1):
        where = f"{path}, line {line_number}"
        cells = line.strip().split("\t")
        is_sentence = len(cells) == 4 and cells[0] in _NAMES and cells[1].isdecimal()
        if not is_sentence:
            raise InputError(f"{where}: gender (female, male or neutral), position, sentence and occupation are needed")
        name, digits, text, occupation = cells
        position = int(digits)
        if position >= len(text.split()):
            raise InputError(f"{where}: the sentence has no word at {digits}, counted from 0")
        yield Sentence(_NAMES[name], position, text, occupation)


class Translation(NamedTuple):
    """A translation, empty if there is none, and the English sentence that was translated."""

    text: str
    source: str


def read_translations(path: Path, sentences: Sequence[Sentence]) -> list[Translation]:
    """Read the translation of each sentence.

    A line is a translation, or a sentence and its translation with ` ||| ` between them. Without their sentences,
    translations must be as many as the sentences, in their order. If nearly all lines are in that order, a sentence
    that was not translated gets the line at its position, whose source differs. Raises `InputError` if no sentence was
    translated.
    """
    lines = [" ".join(line.split()) for line in read_lines(path)]
    texts = [" ".join(sentence.words) for sentence in sentences]
    pairs = list(map(_PAIR.fullmatch, lines))
    if not any(pairs):
        _check_alone(path, lines, texts)
        return list(map(Translation, lines, texts))
    translations: list[Translation] = []
    for line_number, pair in enumerate(pairs, start=1):
        if not pair:
            raise InputError(f"{path}, line {line_number}: has no{SEPARATOR}, which other lines have")
        source, translation = pair.groups("")
        translations.append(Translation(translation, source))
    return _match_to_sentences(path, translations, texts)


def _check_alone(path: Path, lines: Sequence[str], texts: Sequence[str]) -> None:
    """Check translations that are given without their sentences."""
    if len(lines) != len(texts):
        raise InputError(
            f"{path}: has {len(lines):,} lines for {len(texts):,} sentences; write one translation a line, or "
            f"each sentence and its translation with{SEPARATOR}between them"
        )
    for line_number, (line, text) in enumerate(zip(lines, texts, strict=True), start=1):
        if line.startswith(text):
            raise InputError(f"{path}, line {line_number}: has the sentence, without{SEPARATOR}after it")
    if not any(lines):
        raise InputError(f"{path}: has no translation")


def _match_to_sentences(path: Path, translations: list[Translation], texts: Sequence[str]) -> list[Translation]:
    """Choose the translation of each text, by its source or by its position."""
    by_source = {translation.source: translation for translation in reversed(translations)}
    translated = [by_source.get(text, Translation("", text)) for text in texts]
    if not any(translation.text for translation in translated):
        raise InputError(f"{path}: translates none of the sentences; are they those of WinoMT?")
    if len(translations) != len(texts):
        return translated
    in_order = sum(translation.source == text for translation, text in zip(translations, texts, strict=True))
    if in_order < _IN_ORDER * len(texts):
        return translated
    chosen: list[Translation] = []
    for text, translation in zip(texts, translations, strict=True):
        # Some sentences occur twice, and the translations of both may differ.
        if translation.source == text:
            chosen.append(translation)
        else:
            chosen.append(by_source.get(text, translation))
    return chosen
