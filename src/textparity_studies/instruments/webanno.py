"""Read texts of FullStack, the Latvian corpus of named entities and coreference, in the format WebAnno TSV 3."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from textparity.errors import InputError
from textparity.files import read_lines
from textparity.persons.mentions import UNSPECIFIED
from textparity_studies.instruments.annotated_texts import (
    GENDER_OF_LABEL,
    AnnotatedMention,
    AnnotatedText,
    GoldWords,
    majority,
)
from textparity_studies.instruments.columns import cut_cells, split_sentences
from textparity_studies.instruments.slips import read_each

# The first letter of a document, as in the corpus of which FullStack is a part (LVK 2013).
_GENRES = {"p": "news", "d": "fiction", "z": "science", "n": "law", "s": "parliament", "c": "other"}
# The columns before those of the layers: the number of the word, its characters, and its form.
_FIXED = 3
_LAYER = re.compile(r"#T_(SP|CH|RL)=([^|]+)\|(.*)")
# The chain of a mention, and the number of the mention in it.
_LINK = re.compile(r"->(\d+)-(\d+)")
# An entity has a number if it has several words.
_PERSON = re.compile(r"(?:^|\|)person(?:\[(\d+)\])?")


@dataclass(frozen=True)
class _Columns:
    """The places of the columns; the places of chains and entities are -1 if a file has none."""

    tag: int
    lemma: int
    head: int
    chain: int
    entity: int
    number: int


@dataclass(frozen=True)
class _Word:
    """A word: its place in the text, its number in the file, its tag and lemma, and the number of its head."""

    start: int
    end: int
    number: str
    tag: str
    lemma: str
    head: str

    @property
    def is_pronoun(self) -> bool:
        """Whether it is a personal pronoun of the third person."""
        return self.tag.startswith("pp3")

    @property
    def is_noun(self) -> bool:
        return self.tag.startswith("n")

    @property
    def gender(self) -> str:
        """The gender that its tag shows, empty for none. A masculine plural may also mean women and men."""
        start = 3 if self.tag.startswith("p") else 2
        gender, number = self.tag[start : start + 1], self.tag[start + 1 : start + 2]
        if gender == "m" and number != "s":
            return ""
        return GENDER_OF_LABEL.get(gender, "")


@dataclass(frozen=True)
class _Mention:
    """A mention: its words, the one that is its head, its chain, and the number of named persons in it."""

    words: tuple[_Word, ...]
    head: _Word
    chain: str
    names: int

    @property
    def is_name(self) -> bool:
        return self.names > 0

    @property
    def shows(self) -> str:
        """The gender that its head shows, empty for none or if several persons are named."""
        return "" if self.names > 1 else self.head.gender


def read_full_stack(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Read a paragraph of FullStack: its named persons, and the mentions in their chains.

    A chain is a person's if it has the name of a person or a personal pronoun of the third person. Persons without
    either are not annotated. Latvian nouns, names and pronouns show their gender. A chain has the gender that most of
    its pronouns and names show; if they show none or both alike, its nouns decide.
    """
    lines = read_lines(path)
    columns = _find_columns(path, lines)
    text, mentions = _read_mentions(path, lines, columns)
    chains: defaultdict[str, list[_Mention]] = defaultdict(list)
    for mention in mentions:
        chains[mention.chain].append(mention)
    annotated = []
    for number, chain in enumerate(chains.values()):
        if not any(mention.is_name or mention.head.is_pronoun for mention in chain):
            continue
        gender = _find_gender(chain, words)
        for mention in chain:
            kind = _find_kind(mention)
            if kind:
                start, end = mention.words[0].start, mention.words[-1].end
                head = mention.head.start, mention.head.end
                annotated.append(AnnotatedMention.at(text, start, end, kind, gender, number, head))
    annotated.sort(key=lambda mention: (mention.start, mention.end))
    # A name has the document, which begins with its kind, and the paragraph (d200-p111).
    document = path.stem.partition("-")[0]
    genre = _GENRES.get(document[:1], "")
    yield AnnotatedText(path.stem, document, genre, text, tuple(annotated))


def _find_columns(path: Path, lines: Iterable[str]) -> _Columns:
    """Find the columns of the layers, which the head of the file lists in their order."""
    places: dict[str, int] = {}
    number = _FIXED
    for line in lines:
        if layer := _LAYER.match(line):
            kind, name, features = layer.groups()
            places[name.rpartition(".")[2]] = number
            # A relation has a column for the other word after those of its features, which include a name of a layer.
            number += len(features.split("|"))
            if kind == "RL":
                places["head"] = number - 1
    if lacking := [name for name in ("POS", "Lemma", "head") if name not in places]:
        raise InputError(f"{path}: has no layer {', '.join(lacking)}; FullStack's files in WebAnno TSV have them")
    return _Columns(
        tag=places["POS"],
        lemma=places["Lemma"],
        head=places["head"],
        chain=places.get("CoreferenceLink", -1),
        entity=places.get("NEtypeslinks", -1),
        number=number,
    )


def _read_mentions(path: Path, lines: list[str], columns: _Columns) -> tuple[str, list[_Mention]]:
    """Read the text with one sentence per line, and the mentions of chains and named persons."""
    text = ""
    mentions: list[_Mention] = []
    for sentence in read_each(path, split_sentences(lines), cut_cells(columns.number)):
        linked: defaultdict[tuple[str, str], list[_Word]] = defaultdict(list)
        named: defaultdict[str, list[_Word]] = defaultdict(list)
        for row in sentence.rows:
            form = normalize("NFC", row[2])
            head = row[columns.head].partition("|")[0]
            word = _Word(len(text), len(text) + len(form), row[0], row[columns.tag], row[columns.lemma], head)
            text += form + " "
            if columns.chain >= 0:
                for link in _LINK.findall(row[columns.chain]):
                    linked[link].append(word)
            if columns.entity >= 0:
                for number in _PERSON.findall(row[columns.entity]):
                    named[number or row[0]].append(word)
        mentions += _join_mentions(linked, named, sentence.index)
        text = text.rstrip() + "\n"
    return text, mentions


def _join_mentions(
    linked: dict[tuple[str, str], list[_Word]], named: dict[str, list[_Word]], sentence: int
) -> Iterator[_Mention]:
    """Iterate over the mentions of chains, then over named persons that are not the head of one."""
    heads: set[str] = set()
    for (chain, _), words in linked.items():
        head = _find_head(words)
        heads.add(head.number)
        numbers = {word.number for word in words}
        names = [name for name in named.values() if numbers.issuperset(word.number for word in name)]
        # In *the wife of Kim* the name is not that of the mention.
        is_named = any(word.number == head.number for name in names for word in name)
        yield _Mention(tuple(words), head, chain, len(names) if is_named else 0)
    for number, words in named.items():
        head = _find_head(words)
        if head.number not in heads:
            yield _Mention(tuple(words), head, f"name {sentence} {number}", 1)


def _find_head(words: list[_Word]) -> _Word:
    """Find the first word whose head is outside of the mention; a preposition is none."""
    numbers = {word.number for word in words}
    for word in words:
        if word.head not in numbers or word.head == word.number:
            return word
    return words[-1]


def _find_gender(chain: list[_Mention], words: GoldWords) -> str:
    by_names: Counter[str] = Counter()
    by_nouns: Counter[str] = Counter()
    for mention in chain:
        if mention.is_name or mention.head.is_pronoun:
            by_names[mention.shows] += bool(mention.shows)
        elif mention.head.is_noun and not words.has_no_gender(mention.head.lemma):
            by_nouns[mention.shows] += bool(mention.shows)
    gender = majority(by_names)
    return gender if gender != UNSPECIFIED else majority(by_names + by_nouns)


def _find_kind(mention: _Mention) -> str:
    """Find the kind of a mention; empty for one that is none, such as *I*, *who* and *himself*."""
    if mention.is_name:
        return "name"
    if mention.head.is_pronoun:
        return "pronoun"
    return "" if mention.head.tag.startswith("p") else "noun"
