"""Read novels in the stand-off format of BRAT: annotations (`.ann`), with the text in the same folder (`.txt`)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from textparity.files import read_lines
from textparity_studies.instruments.annotated_texts import (
    AnnotatedMention,
    AnnotatedText,
    GoldWords,
    give_genders,
    kind_of,
    strip_span,
)
from textparity_studies.instruments.slips import FilePlace, Slip, read_each


@dataclass(frozen=True)
class _StandOff:
    """A BRAT pair: its text, the label, start and end of each span by its key, and the pairs of linked keys."""

    text: str
    spans: dict[str, tuple[str, int, int]]
    links: list[tuple[str, str]]


def _read_stand_off(path: Path) -> _StandOff:
    pair = _StandOff(path.with_suffix(".txt").read_text("utf-8"), {}, [])
    length = len(pair.text)
    lines = (FilePlace(number, line) for number, line in enumerate(read_lines(path), start=1))
    for annotation in read_each(path, lines, lambda line: _read_annotation(line, length), unit="annotations"):
        if isinstance(annotation, _Link):
            pair.links.append((annotation.one, annotation.other))
        elif annotation is not None:
            pair.spans[annotation.key] = annotation.label, annotation.start, annotation.end
    return pair


@dataclass(frozen=True)
class _Span:
    key: str
    label: str
    start: int
    end: int


@dataclass(frozen=True)
class _Link:
    one: str
    other: str


def _read_annotation(line: str, length: int) -> _Span | _Link | None:
    """Read a line of BRAT on a text of some length: a span, a link of two spans, or None for another annotation."""
    key, *cells = line.split("\t")
    if key.startswith("R"):
        linked = re.findall(r"Arg[12]:(T\d+)", line)
        return _Link(*linked) if len(linked) == 2 else None
    if not key.startswith("T"):
        return None
    if not key[1:].isdecimal():
        raise Slip(f"{key!r} is no number of a span")
    label, *places = re.split(r"[ ;]", cells[0]) if cells else [""]
    if len(places) < 2 or not all(place.isdecimal() for place in places):
        raise Slip(f"{key} has no start and end")
    start, end = int(places[0]), int(places[-1])
    if end > length:
        raise Slip(f"{key} ends after the text")
    if start >= end:
        raise Slip(f"{key} ends before it starts")
    return _Span(key, label, start, end)


def _root(parents: dict[str, str], key: str) -> str:
    while parents.setdefault(key, key) != key:
        key = parents[key]
    return key


def read_brat(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Read the text of a BRAT pair whose persons are `PER`, as in fr-litbank."""
    pair = _read_stand_off(path)
    parents: dict[str, str] = {}
    for one, other in pair.links:
        parents[_root(parents, one)] = _root(parents, other)
    mentions: list[AnnotatedMention] = []
    numbers: dict[str, int] = {}
    for key, (label, start, end) in pair.spans.items():
        if label == "PER":
            numbers[key] = len(mentions)
            start, end = strip_span(pair.text, start, end)
            kind = kind_of(pair.text, start, end, words)
            mentions.append(AnnotatedMention.at(pair.text, start, end, kind, entity=int(_root(parents, key)[1:])))
    links = [(numbers[one], numbers[other]) for one, other in pair.links if one in numbers and other in numbers]
    yield give_genders(AnnotatedText(path.stem, path.stem, "novel", pair.text, tuple(mentions)), words, links)


# In Italian, what follows one of these words says something of the noun before it.
_AFTER_HEAD = re.compile(r"\b(?:di|del|dello|della|dei|degli|delle|d|dell|da|dal|dalla|con|in|a|al|alla|che|cui|,)\b|,")
_BEFORE = 40
_WORDS_BEFORE = re.compile(r"(\w+) ?['’]? ?$")


def read_italian_brat(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Read the excerpt of a BRAT pair of italian-litbank, which has persons (`PER`) and no coreference.

    Mentions with the same name are one person; other mentions are one each. An article before the mention shows its
    gender, except of a noun that means both (*la guida*); what follows the noun (*di Maria*) shows none. Pronouns are
    not annotated.
    """
    pair = _read_stand_off(path)
    mentions: list[AnnotatedMention] = []
    shows: list[str] = []
    entities: dict[str, int] = {}
    for key, (label, start, end) in sorted(pair.spans.items(), key=lambda item: item[1][1:]):
        if label != "PER":
            continue
        start, end = strip_span(pair.text, start, end, " \n")
        marked = pair.text[start:end]
        own = _AFTER_HEAD.split(marked, maxsplit=1)[0].strip() or marked
        before = _WORDS_BEFORE.search(pair.text[max(0, start - _BEFORE) : start])
        kind = kind_of(pair.text, start, end, words)
        names = [word for word in re.findall(r"\w+", own) if word[0].isupper() and not words.is_known(word.lower())]
        # A name at the beginning of a sentence is one if it is a name elsewhere in the text.
        person = names[0] if names and (kind == "name" or names[0] in entities) else key
        of_noun = [before[1]] if before and words.is_article(before[1]) else []
        of_noun += re.findall(r"\w+", own)
        # *Nello* is a name, *nello* an article.
        of_noun = [word for word in of_noun if word.islower() or not words.is_article(word)]
        shows.append("" if any(map(words.has_no_gender, of_noun)) else " ".join(of_noun))
        entity = entities.setdefault(person, len(entities))
        mentions.append(AnnotatedMention.at(pair.text, start, end, kind, entity=entity))
    name = path.stem.removesuffix("_brat")
    yield give_genders(AnnotatedText(name, name, "novel", pair.text, tuple(mentions)), words, shows=shows)


def read_litbank(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Read the excerpt of a BRAT pair of LitBank, whose persons are `PROP_PER`, `NOM_PER` and `PRON_PER`.

    A line with the span of a mention and `name-number` in place of a kind gives the mention's chain. Predicates and
    appositions (relations `cop` and `appos`) have no such line, and belong to the chain of the other mention.
    """
    pair = _read_stand_off(path)
    parents: dict[str, str] = {}
    marked: list[tuple[int, int, str, str]] = []
    for key, (label, start, end) in pair.spans.items():
        if re.fullmatch(r"(PROP|NOM|PRON)_[A-Z]+", label):
            parents[_root(parents, key)] = _root(parents, f"{start} {end}")
            marked.append((start, end, label, key))
        else:
            parents[_root(parents, f"{start} {end}")] = _root(parents, f"chain {label}")
    for one, other in pair.links:
        parents[_root(parents, one)] = _root(parents, other)
    kinds = {"PROP_PER": "name", "NOM_PER": "noun", "PRON_PER": "pronoun"}
    entities: dict[str, int] = {}
    mentions = []
    for start, end, label, key in sorted(marked, key=lambda span: span[:2]):
        if label in kinds:
            entity = entities.setdefault(_root(parents, key), len(entities))
            mentions.append(AnnotatedMention.at(pair.text, start, end, kinds[label], entity=entity))
    name = path.stem.removesuffix("_brat")
    yield give_genders(AnnotatedText(name, name, "novel", pair.text, tuple(mentions)), words)
