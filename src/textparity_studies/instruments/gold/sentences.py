"""Read sentences and snippets with some marked mentions: MT-GenEval, GAP, WinoBias, Winogender, Derner's gold."""

import re
from collections.abc import Iterator
from pathlib import Path
from unicodedata import normalize

from textparity.errors import InputError
from textparity.persons.mentions import UNSPECIFIED
from textparity.tsv import read_tsv
from textparity_studies.instruments.gold.texts import (
    GENDER_OF_LABEL,
    GENDERS,
    LABEL,
    AnnotatedMention,
    AnnotatedText,
    GoldWords,
    kind_of,
    majority,
    read_lines,
)
from textparity_studies.measures.tag_counts import PERSON
from textparity_studies.measures.tagged_sentences import read_gold

_GAP_COLUMNS = (
    "ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset", "B-coref", "URL",
)  # fmt: skip


def read_marked_sentences(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over the lines of one version of MT-GenEval, with gendered words in `<F>…</F>` or `<M>…</M>`.

    A mark is a mention, even on words that only agree with a person (*elegida*). The unit of both versions of a
    sentence is its number.
    """
    for number, line in enumerate(read_lines(path), start=1):
        pieces = re.split(r"(</?[FM]>)", normalize("NFC", line.strip()))
        text, begun, mentions = "", -1, []
        for place, piece in enumerate(pieces):
            if place % 2 == 0:
                text += piece
            elif piece.startswith("</") == (begun < 0):
                raise InputError(f"{path}, line {number}: {piece} has no partner")
            elif begun < 0:
                begun = len(text)
            else:
                marked, gender = text[begun:], GENDER_OF_LABEL[piece[2].lower()]
                of_kind = kind_of(text, begun, len(text), words)
                mentions.append(AnnotatedMention(begun, len(text), marked, of_kind, gender, 0, "annotated"))
                begun = -1
        if begun >= 0:
            raise InputError(f"{path}, line {number}: a mark is not closed")
        yield AnnotatedText(f"{path.stem}/{number}", str(number), "sentence", text, tuple(mentions))


def read_tagged_sentences(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over sentences in blocks of `"sentence" "word - P, M⏎…"` (Derner 2025); `P`: person, `M` or `F`: gender.

    The gender is grammatical: *persona* is feminine. Adjacent tagged words (*Señor Presidente*) are one mention.
    """
    for number, sentence in enumerate(read_gold(path), start=1):
        text, end, mentions = sentence.sentence, 0, list[AnnotatedMention]()
        for tag in sentence.tags:
            place = re.compile(rf"(?<!\w){re.escape(tag.word)}(?!\w)").search(text, end)
            # A word that is not in the sentence, or precedes the previous one, has no place.
            if place is None or tag.person != PERSON:
                end = place.end() if place else end
                continue
            gender, start, end = GENDER_OF_LABEL[tag.gender.lower()], *place.span()
            if mentions and mentions[-1].gender == gender and text[mentions[-1].end : start].strip() == "":
                start = mentions.pop().start
            of_kind = "pronoun" if words.is_pronoun(text[start:end]) else "noun"
            mentions.append(AnnotatedMention(start, end, text[start:end], of_kind, gender, len(mentions), "annotated"))
        yield AnnotatedText(f"{path.stem}/{number}", str(number), "sentence", text, tuple(mentions))


def read_gap(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over GAP's snippets: a pronoun, which has its gender, and two names, at most one of them its antecedent.

    The gender of a name that is not the antecedent is unknown.
    """
    for line, row in enumerate(read_tsv(path, _GAP_COLUMNS), start=2):
        gender = majority(words.shown([row["Pronoun"]]))
        if gender not in GENDERS:
            raise InputError(
                f"{path}, line {line}: {row['Pronoun']!r} shows no gender; add it to the words of the gold"
            )
        mentions = []
        for number, (name, kind) in enumerate((("Pronoun", "pronoun"), ("A", "name"), ("B", "name"))):
            is_of_pronoun = name == "Pronoun" or row[f"{name}-coref"].upper() == "TRUE"
            start, found = int(row[f"{name}-offset"]), row[name]
            end = start + len(found)
            if row["Text"][start:end] != found:
                raise InputError(f"{path}, line {line}: {found!r} does not stand at {start}")
            one = gender if is_of_pronoun else UNSPECIFIED
            mentions.append(AnnotatedMention(start, end, found, kind, one, 0 if is_of_pronoun else number, LABEL))
        mentions.sort(key=lambda mention: mention.start)
        yield AnnotatedText(row["ID"], row["ID"], "", row["Text"], tuple(mentions))


def read_brackets(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over sentences of WinoBias with occupation and pronoun: `1 [The nurse] called because [he] was late`.

    Both have the pronoun's gender. The sentences of one number and type, for a woman and for a man, are one unit.
    """
    unit = re.sub("^(pro|anti)_stereotyped_", "", path.name)
    for line, marked in enumerate(read_lines(path), start=1):
        number, _, sentence = marked.strip().partition(" ")
        pieces = re.split(r"\[(.*?)\]", sentence)
        gender = majority(words.shown(pieces[1::2]))
        if not number.isdecimal() or len(pieces) < 5 or gender not in GENDERS:
            raise InputError(
                f"{path}, line {line}: needs a number, and a person and a pronoun that shows the gender in []"
            )
        text, mentions = "", []
        for place, piece in enumerate(pieces):
            start, text = len(text), text + piece
            if place % 2:
                kind = kind_of(text, start, len(text), words)
                mentions.append(AnnotatedMention(start, len(text), piece, kind, gender, 0, LABEL))
        yield AnnotatedText(f"{path.name}/{line}", f"{unit}/{number}", "", text, tuple(mentions))


def read_schemas(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over Winogender's sentences for women and men (the ending of `sentid`), with the pronoun marked.

    The versions of a sentence are one unit; those with *they* are excluded.
    """
    for line, row in enumerate(read_tsv(path, ("sentid", "sentence")), start=2):
        unit, _, version = row["sentid"].removesuffix(".txt").rpartition(".")
        if version == "neutral":
            continue
        shown = [(word, majority(words.shown([word[0]]))) for word in re.finditer(r"\w+", row["sentence"])]
        pronouns = [(word, gender) for word, gender in shown if words.is_pronoun(word[0]) and gender in GENDERS]
        if not pronouns:
            raise InputError(f"{path}, line {line}: has no pronoun that shows a gender")
        mentions = [AnnotatedMention(*word.span(), word[0], "pronoun", gender, 0, LABEL) for word, gender in pronouns]
        yield AnnotatedText(row["sentid"], unit, "", row["sentence"], tuple(mentions))
