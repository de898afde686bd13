"""Read sentences and snippets with some marked mentions: MT-GenEval, Derner 2025, GAP, WinoBias, and others."""

import re
from collections.abc import Iterator
from pathlib import Path
from unicodedata import normalize

from textparity.counting import GENDERS
from textparity.files import read_lines
from textparity.persons.mentions import UNSPECIFIED
from textparity_studies.instruments.annotated_texts import (
    GENDER_OF_LABEL,
    AnnotatedMention,
    AnnotatedText,
    GoldWords,
    kind_of,
    majority,
)
from textparity_studies.instruments.columns import read_tsv_rows
from textparity_studies.instruments.slips import FilePlace, Slip, read_each
from textparity_studies.measures.tag_counts import PERSON, read_block, split_gold

_DOCUMENT = re.compile(r'<doc docid="([^"]*)".*\bgender="(Female|Male)"')
_SEGMENT = re.compile(r"<seg id=\"[^\"]*\">(.*?)(?:<[\\/]seg>)?$")
# A shorter part of a name, such as *de*, also stands elsewhere.
_LEAST_OF_NAME = 3


def read_biographies(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over the biographies of GeBioCorpus (`<doc … gender="Female">`, `<title>`, `<seg>`), each read once.

    The biography's subject is marked: parts of the name in the title, and pronouns of the subject's gender.
    """
    seen: set[str] = set()
    for name, gender, text in read_each(path, _split_biographies(read_lines(path)), _read_biography, "biographies"):
        if text in seen:
            continue
        seen.add(text)
        parts = {part for part in re.findall(r"\w+", name) if len(part) >= _LEAST_OF_NAME and part[0].isupper()}
        mentions: list[AnnotatedMention] = []
        for word in re.finditer(r"\w+", text):
            if word[0] in parts:
                between = text[mentions[-1].end : word.start()] if mentions else ""
                start = mentions.pop().start if between == " " and mentions[-1].kind == "name" else word.start()
                mentions.append(AnnotatedMention.at(text, start, word.end(), "name", gender))
            elif words.is_pronoun(word[0]) and majority(words.shown([word[0]])) == gender:
                mentions.append(AnnotatedMention.at(text, *word.span(), "pronoun", gender))
        yield AnnotatedText(f"{path.name}/{len(seen)}", name, "", text, tuple(mentions))


def _split_biographies(lines: list[str]) -> Iterator[FilePlace[list[str]]]:
    """Iterate over the biographies of a file, without the line that ends each."""
    first, biography = 1, list[str]()
    for number, line in enumerate(lines, start=1):
        if line.startswith("<doc") or line.strip() == "</doc>":
            if biography:
                yield FilePlace(first, biography)
            first, biography = number, []
        if line.strip() and line.strip() != "</doc>":
            biography.append(line)
    if biography:
        yield FilePlace(first, biography)


def _read_biography(lines: list[str]) -> tuple[str, str, str]:
    """Read the name and gender of a biography's subject, and its text with one segment per line."""
    document = _DOCUMENT.match(lines[0])
    if document is None:
        raise Slip("is no <doc> with a gender")
    segments = [segment[1].strip() for line in lines if (segment := _SEGMENT.match(line.strip()))]
    if not segments:
        raise Slip("has no <seg>")
    gender = GENDER_OF_LABEL[document[2][0].lower()]
    return document[1], gender, normalize("NFC", "\n".join(segments))


def read_marked_sentences(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over the lines of one version of MT-GenEval, with gendered words in `<F>…</F>` or `<M>…</M>`.

    A mark is a mention, even on words that only agree with a person (*elegida*). The unit of both versions of a
    sentence is its number.
    """
    lines = (FilePlace(number, (number, line)) for number, line in enumerate(read_lines(path), start=1))
    yield from read_each(path, lines, lambda numbered: _read_marks(path.stem, *numbered, words))


def _read_marks(name: str, number: int, line: str, words: GoldWords) -> AnnotatedText:
    """Read a line of a version of MT-GenEval. A mark must be closed by the same letter before the next one begins."""
    pieces = re.split(r"(</?[FM]>)", normalize("NFC", line.strip()))
    text, opening, begun = "", "", 0
    mentions: list[AnnotatedMention] = []
    for place, piece in enumerate(pieces):
        if place % 2 == 0:
            text += piece
        elif not piece.startswith("</"):
            if opening:
                raise Slip(f"{piece} stands inside {opening}")
            opening, begun = piece, len(text)
        elif opening != piece.replace("/", ""):
            raise Slip(f"{piece} has no partner")
        else:
            # A mark around nothing is no mention.
            if begun < len(text):
                kind = kind_of(text, begun, len(text), words)
                gender = GENDER_OF_LABEL[piece[2].lower()]
                mentions.append(AnnotatedMention.at(text, begun, len(text), kind, gender))
            opening = ""
    if opening:
        raise Slip(f"{opening} is not closed")
    return AnnotatedText(f"{name}/{number}", str(number), "sentence", text, tuple(mentions))


def read_tagged_sentences(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over sentences in blocks of `"sentence" "word - P, M⏎…"` (Derner 2025); `P`: person, `M` or `F`: gender.

    The gender is grammatical: *persona* is feminine. Adjacent tagged words (*Señor Presidente*) are one mention.
    """
    blocks = enumerate(split_gold(path), start=1)
    places = (FilePlace(line, (number, block)) for number, (line, block) in blocks)
    yield from read_each(path, places, lambda numbered: _read_tagged(path.stem, *numbered, words))


def _read_tagged(name: str, number: int, block: str, words: GoldWords) -> AnnotatedText:
    """Read a block of tagged words."""
    try:
        sentence = read_block(block)
    except ValueError as error:
        raise Slip(str(error)) from None
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
        kind = "pronoun" if words.is_pronoun(text[start:end]) else "noun"
        mentions.append(AnnotatedMention.at(text, start, end, kind, gender, len(mentions)))
    return AnnotatedText(f"{name}/{number}", str(number), "sentence", text, tuple(mentions))


_GAP_COLUMNS = (
    "ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset", "B-coref", "URL",
)  # fmt: skip


def read_gap(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over GAP's snippets: a pronoun, which has its gender, and two names, at most one of them its antecedent.

    The gender of a name that is not the antecedent is unknown.
    """
    yield from read_each(
        path, read_tsv_rows(path, _GAP_COLUMNS), lambda row: _read_snippet(row, words), unit="snippets"
    )


def _read_snippet(row: dict[str, str], words: GoldWords) -> AnnotatedText:
    """Read a snippet of GAP."""
    gender = majority(words.shown([row["Pronoun"]]))
    if gender not in GENDERS:
        raise Slip(f"{row['Pronoun']!r} shows no gender; add it to the words of the gold")
    mentions = []
    for number, (name, kind) in enumerate((("Pronoun", "pronoun"), ("A", "name"), ("B", "name"))):
        offset = row[f"{name}-offset"]
        if not offset.isdecimal():
            raise Slip(f"{name}-offset {offset!r} is no number")
        start = int(offset)
        end = start + len(row[name])
        if row["Text"][start:end] != row[name]:
            raise Slip(f"{row[name]!r} does not stand at {start}")
        is_same = name == "Pronoun" or row[f"{name}-coref"].upper() == "TRUE"
        person = (gender, 0) if is_same else (UNSPECIFIED, number)
        mentions.append(AnnotatedMention.at(row["Text"], start, end, kind, *person))
    mentions.sort(key=lambda mention: mention.start)
    return AnnotatedText(row["ID"], row["ID"], "", row["Text"], tuple(mentions))


def read_brackets(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over sentences of WinoBias with occupation and pronoun: `1 [The nurse] called because [he] was late`.

    Both have the pronoun's gender. The sentences of one number and type, for a woman and for a man, are one unit.
    """
    lines = (FilePlace(number, (number, line)) for number, line in enumerate(read_lines(path), start=1))
    yield from read_each(path, lines, lambda numbered: _read_bracketed(path.name, *numbered, words))


def _read_bracketed(name: str, line: int, marked: str, words: GoldWords) -> AnnotatedText:
    """Read a sentence of WinoBias."""
    unit = re.sub("^(pro|anti)_stereotyped_", "", name)
    number, _, sentence = marked.strip().partition(" ")
    pieces = re.split(r"\[(.*?)\]", sentence)
    gender = majority(words.shown(pieces[1::2]))
    if not number.isdecimal() or len(pieces) < 5 or gender not in GENDERS:
        raise Slip("needs a number, and a person and a pronoun that shows the gender in []")
    if any("[" in piece or "]" in piece for piece in pieces):
        raise Slip("a bracket stands inside another, or has no partner")
    text, mentions = "", []
    for place, piece in enumerate(pieces):
        start, text = len(text), text + piece
        if place % 2:
            kind = kind_of(text, start, len(text), words)
            mentions.append(AnnotatedMention.at(text, start, len(text), kind, gender))
    return AnnotatedText(f"{name}/{line}", f"{unit}/{number}", "", text, tuple(mentions))


def read_schemas(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over Winogender's sentences for women and men (the ending of `sentid`), with the pronoun marked.

    The versions of a sentence are one unit; those with *they* are excluded.
    """
    of_gender = (row for row in read_tsv_rows(path, ("sentid", "sentence")) if _read_version(row.item)[1] != "neutral")
    yield from read_each(path, of_gender, lambda row: _read_schema(row, words))


def _read_version(row: dict[str, str]) -> tuple[str, str]:
    unit, _, version = row["sentid"].removesuffix(".txt").rpartition(".")
    return unit, version


def _read_schema(row: dict[str, str], words: GoldWords) -> AnnotatedText:
    """Read a sentence of Winogender."""
    unit, _ = _read_version(row)
    mentions = [
        AnnotatedMention.at(row["sentence"], *word.span(), "pronoun", gender)
        for word in re.finditer(r"\w+", row["sentence"])
        if words.is_pronoun(word[0]) and (gender := majority(words.shown([word[0]]))) in GENDERS
    ]
    if not mentions:
        raise Slip("has no pronoun that shows a gender")
    return AnnotatedText(row["sentid"], unit, "", row["sentence"], tuple(mentions))
