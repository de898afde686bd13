"""Read novels in the stand-off format of BRAT: annotations (`.ann`) with the text in the same folder (`.txt`)."""

import re
from collections.abc import Iterator
from pathlib import Path

from textparity.errors import InputError
from textparity_studies.instruments.gold.texts import (
    AnnotatedMention,
    AnnotatedText,
    GoldWords,
    give_genders,
    kind_of,
    read_lines,
)

_LITBANK_KIND = re.compile(r"(PROP|NOM|PRON)_[A-Z]+")


def read_brat(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Read the text of a BRAT pair (`.ann` and `.txt`), whose persons are `PER`, as in fr-litbank."""
    text = path.with_suffix(".txt").read_text("utf-8")
    spans: dict[str, tuple[str, int, int]] = {}
    parents: dict[str, str] = {}
    relations: list[tuple[str, str]] = []
    for number, line in enumerate(read_lines(path), start=1):
        key, *cells = line.split("\t")
        if key.startswith("T"):
            kind, *places = re.split(r"[ ;]", cells[0])
            spans[key] = (kind, int(places[0]), int(places[-1]))
            parents.setdefault(key, key)
            if spans[key][2] > len(text):
                raise InputError(f"{path}, line {number}: {key} ends after the text")
        elif key.startswith("R") and (linked := re.findall(r"Arg[12]:(T\d+)", line)):
            one, other = linked
            relations.append((one, other))
            parents[_root(parents, one)] = _root(parents, other)
    mentions: list[AnnotatedMention] = []
    numbers: dict[str, int] = {}
    for key, (kind, start, end) in spans.items():
        if kind == "PER":
            numbers[key] = len(mentions)
            found = text[start:end]
            start, end = start + len(found) - len(found.lstrip()), end - len(found) + len(found.rstrip())
            found = text[start:end]
            of_kind = kind_of(text, start, end, words)
            entity = int(_root(parents, key)[1:])
            mentions.append(AnnotatedMention(start, end, found, of_kind, "", entity, "annotated"))
    links = [(numbers[one], numbers[other]) for one, other in relations if one in numbers and other in numbers]
    yield give_genders(AnnotatedText(path.stem, path.stem, "novel", text, tuple(mentions)), words, links)


def read_litbank(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Read the excerpt of a BRAT pair of LitBank, whose persons are `PROP_PER`, `NOM_PER` and `PRON_PER`.

    A line with the span of a mention and `name-number` in place of a kind gives the mention's chain. Predicates and
    appositions (relations `cop` and `appos`) have no such line, and belong to the chain of the other mention.
    """
    text = path.with_suffix(".txt").read_text("utf-8")
    spans: dict[str, tuple[str, int, int]] = {}
    parents: dict[str, str] = {}
    for number, line in enumerate(read_lines(path), start=1):
        key, *cells = line.split("\t")
        if key.startswith("T"):
            label, first, last = cells[0].split(" ")
            place = f"{first} {last}"
            if int(last) > len(text):
                raise InputError(f"{path}, line {number}: {key} ends after the text")
            if _LITBANK_KIND.fullmatch(label):
                spans[key] = (label, int(first), int(last))
                parents[_root(parents, key)] = _root(parents, place)
            else:
                parents[_root(parents, place)] = _root(parents, f"chain {label}")
        elif key.startswith("R") and (linked := re.findall(r"Arg[12]:(T\d+)", line)):
            one, other = linked
            parents[_root(parents, one)] = _root(parents, other)
    kinds = {"PROP": "name", "NOM": "noun", "PRON": "pronoun"}
    entities: dict[str, int] = {}
    mentions = []
    for key, (label, start, end) in sorted(spans.items(), key=lambda item: item[1][1:]):
        of_kind, _, what = label.partition("_")
        if what == "PER":
            entity = entities.setdefault(_root(parents, key), len(entities))
            mentions.append(AnnotatedMention(start, end, text[start:end], kinds[of_kind], "", entity, "annotated"))
    name = path.stem.removesuffix("_brat")
    yield give_genders(AnnotatedText(name, name, "novel", text, tuple(mentions)), words)


def _root(parents: dict[str, str], key: str) -> str:
    while parents.setdefault(key, key) != key:
        key = parents[key]
    return key
