"""Read news whose people two readers marked: `resources/instruments/news/` has positions, and other sources the texts.

The readers were language models, which read 40 articles in English and French (the same ones, of the second half of
NTREX-128) and 40 in German (10kGNAD); see docs/instruments.md for their agreement. The marks of the first reader count
here. An article is the lines `first` to `last` of a text, or the row `first` of a CSV file.
"""

import csv
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from textparity.errors import InputError
from textparity.files import read_lines
from textparity.persons.mentions import FEMININE, MASCULINE, UNSPECIFIED
from textparity.persons.speaker_finder import QuotedText
from textparity_studies.instruments.annotated_texts import LABEL, AnnotatedMention, AnnotatedText, GoldWords

_GENDERS = {FEMININE: FEMININE, MASCULINE: MASCULINE, "neither": UNSPECIFIED, "unknown": UNSPECIFIED}
_DIGITS_OF_HASH = 16


def read_news(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over the articles of a file that were read. Raises `InputError` for a text that has changed since."""
    readings = words.news
    rows = readings.articles_of(path) if readings else []
    if readings is None or not rows:
        raise InputError(f"{path}: none of its articles was read")
    units = _read_units(path)
    for row in rows:
        text = "\n".join(units[int(row["first"]) - 1 : int(row["last"])])
        if sha256(text.encode()).hexdigest()[:_DIGITS_OF_HASH] != row["sha256"]:
            raise InputError(f"{path}: article {row['article']} is not the text that was read; get the pinned version")
        marks = readings.marks.get((row["lang"], row["article"]), [])
        mentions = tuple(_mention(text, mark) for mark in marks)
        in_order = tuple(sorted(mentions, key=lambda mention: (mention.start, mention.end)))
        quotes = readings.quotes.get((row["lang"], row["article"]), [])
        quoted = QuotedText(in_order, tuple(quotes))
        name = f"{row['lang']}/{row['article']}"
        yield AnnotatedText(name, row["article"], "news", text, in_order, held_out=True, quoted=quoted)


def _read_units(path: Path) -> list[str]:
    """Read the lines of a text, or the texts in the second column of a CSV file (10kGNAD)."""
    if path.suffix != ".csv":
        return read_lines(path)
    with path.open(encoding="utf-8", newline="") as file:
        return [row[1] if len(row) > 1 else "" for row in csv.reader(file, delimiter=";", quotechar="'")]


def _mention(text: str, mark: dict[str, str]) -> AnnotatedMention:
    start, end = int(mark["start"]), int(mark["end"])
    gender = _GENDERS[mark["gender"]]
    return AnnotatedMention(
        start,
        end,
        text[start:end],
        mark["kind"],
        gender,
        int(mark["person"]),
        LABEL,
        is_group=mark["group"] == "yes",
    )
