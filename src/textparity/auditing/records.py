"""Records of an audit: one row per counted text, with the positions of its matches, for filtering a corpus."""

import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from unicodedata import normalize

import numpy as np
import pyarrow as pa
from icu4py.breakers import SentenceBreaker

from textparity.auditing.copies import digest_text
from textparity.counting import CLASSES, UNSPECIFIED, Sentences
from textparity.counting.icu_counter import MatchTable
from textparity.counting.terms import Layout, Match
from textparity.counting.text_counter import TextCounter, windows_of
from textparity.errors import MissingResourceError, how_to_install
from textparity.files import printable
from textparity.folding import NO_FOLDING, Folded
from textparity.persons.mentions import Mention
from textparity.reading.documents import LINE_END, Texts

if TYPE_CHECKING:
    import pandas as pd


# The column by which texts are recognized in another corpus.
DIGEST = "digest"
# `start` and `end` count characters of the text as it was read, or of its `field` if a text has several; `end` is
# exclusive. A match in two classes has two genders. `learned_from` is the name in the text that shows that the form is
# a surname, null for other matches. `unspecified_as` is what an unspecified match shows of the persons, one of `SPLIT`.
# `layer` is the layer of the form, or the kind of a person's mention (`names`). `person` is the number of the person in
# the text, if people are counted: then each mention is a match. Otherwise it is null.
MATCH = pa.struct([
    ("start", pa.int32()), ("end", pa.int32()), ("form", pa.string()), ("gender", pa.string()), ("field", pa.string()),
    ("learned_from", pa.string()), ("unspecified_as", pa.string()), ("layer", pa.string()), ("person", pa.int32()),
])  # fmt: skip
# `id` is that of the record, if a field has it. Otherwise it consists of the corpus and the place, which is the number
# of a line or record. `group` has the values of the fields by which texts are grouped, null without such fields.
# `digest` is that of `textparity.auditing.copies.digest_text`.
SCHEMA = pa.schema([
    ("id", pa.string()), ("corpus", pa.string()), ("place", pa.int64()), ("lang", pa.string()), ("group", pa.string()),
    *((name, pa.int64()) for name in ("words", *CLASSES)), ("matches", pa.list_(MATCH)),
    (DIGEST, pa.uint64()),
])  # fmt: skip
Span = tuple[int | None, int | None]
_Range = tuple[int, int]


@dataclass(frozen=True)
class FoundMatches:
    """The matches of texts by the number of the text, with their positions, None if these are not known.

    `persons` has the number of the person of each match, if people are counted.
    """

    matches: Mapping[int, Sequence[Match]]
    spans: Mapping[int, Sequence[Span]]
    persons: Mapping[int, Sequence[int]] | None = None

    def rows(self, of_lang: Texts, number: int) -> list[dict[str, Any]]:
        """List the matches of a text as rows of `MATCH`."""
        matches = self.matches.get(number, ())
        persons = self.persons.get(number, ()) if self.persons else [None] * len(matches)
        rows = []
        for match, span, person in zip(matches, self.spans.get(number, ()), persons, strict=True):
            place = in_field(of_lang, number, *span)
            for gender in CLASSES:
                if gender in match.classes:
                    row = place | _describe_match(match, gender)
                    rows.append({**row, "person": person})
        return rows


def make_records(found: MatchTable, shown: FoundMatches, of_lang: Texts, lang: str, corpus: str) -> pa.Table:
    """Make the records of texts of one language, in their order, with the matches `shown`."""
    texts = of_lang.texts
    columns = {
        "id": make_ids(of_lang, corpus),
        "corpus": [corpus] * len(texts),
        "place": list(of_lang.places),
        "lang": [lang] * len(texts),
        "group": _groups(of_lang),
        "words": found.words,
        **found.by_class(),
        "matches": [shown.rows(of_lang, number) for number in range(len(texts))],
        DIGEST: list(map(digest_text, texts)),
    }
    return pa.table(columns, SCHEMA)


def _describe_match(match: Match, gender: str) -> dict[str, Any]:
    """Make the cells of a match in one of its classes, except its position."""
    unspecified_as = match.unspecified_as if gender == UNSPECIFIED else ""
    return {
        "form": match.form,
        "gender": gender,
        "learned_from": match.learned or None,
        "unspecified_as": unspecified_as or None,
        "layer": match.layer,
    }


def make_ids(texts: Texts, corpus: str) -> list[str]:
    """List the ids of the records, or the corpus and place of each text without one."""
    ids = [label.id for label in texts.labels] or [""] * len(texts.texts)
    return [name or f"{corpus}:{place}" for name, place in zip(ids, texts.places, strict=True)]


def _groups(texts: Texts) -> list[str | None]:
    """List the group of each text, None without one."""
    groups = [label.group or None for label in texts.labels]
    return groups or [None] * len(texts.texts)


def in_field(
    texts: Texts, number: int, start: int | None, end: int | None, is_normal: bool = False
) -> dict[str, int | str | None]:
    """Convert the ends of a match in a text (with `is_normal`: in its NFC) to those in its field, if it has several."""
    label = texts.labels[number] if texts.labels else None
    if start is None or end is None or label is None or not label.parts:
        return {"start": start, "end": end, "field": None}
    text = texts.texts[number]
    start_in_text = start
    if is_normal:
        start_in_text, _ = NO_FOLDING.fold_placed(text).place(start, end)
    field, field_start = label.place(start_in_text)
    shift = field_start
    if is_normal:
        shift = len(normalize("NFC", text[:field_start]))
    return {"start": start - shift, "end": end - shift, "field": field}


def find_spans(
    texts: Sequence[str], matches: Mapping[int, Sequence[Match]], counter: TextCounter
) -> dict[int, list[Span]]:
    """Find the positions of the matches in each text that has any; None if the tokenizer changed the text."""
    spans = {
        number: _spans_in_windows(texts[number], of_text, counter)
        for number, of_text in matches.items()
        if counter.uses_windows(texts[number])
    }
    shorter = {number: of_text for number, of_text in matches.items() if number not in spans}
    tokens = _tokens_of([texts[number] for number in shorter], counter)
    for (number, of_text), found in zip(shorter.items(), tokens, strict=True):
        spans[number] = _spans_of(of_text, found, counter)
    return spans


def _tokens_of(texts: Sequence[str], counter: TextCounter) -> Iterator[tuple[Folded, Sentences, int]]:
    """Yield each text as it is folded, its tokens, and the number of characters removed at its start."""
    tokenizer = counter.tokenizer
    folded_texts = []
    for text in texts:
        in_one_line = text.replace("\n", " ").strip()
        folded_texts.append(counter.folding.fold_placed(in_one_line))
    # The tokenizer would turn an empty list into one text.
    cut = tokenizer.cut([folded.text for folded in folded_texts]) if texts else []
    for text, folded, sentences in zip(texts, folded_texts, cut, strict=True):
        if tokenizer.spaces_in_tokens:
            sentences = [_without_spaces(tokens) for tokens in sentences]
        removed = len(text) - len(text.lstrip())
        yield folded, sentences, removed


def _without_spaces(tokens: Iterable[str]) -> list[str]:
    """Drop the tokens that are white space, and join the words of the others by single spaces."""
    return [" ".join(token.split()) for token in tokens if not token.isspace()]


def _spans_of(matches: Iterable[Match], found: tuple[Folded, Sentences, int], counter: TextCounter) -> list[Span]:
    one, sentences, shift = found
    begins = Layout(one.text, sentences).places
    return [_span(one, begins[match.start], counter.folding.fold(match.form), shift) for match in matches]


def _spans_in_windows(text: str, matches: Sequence[Match], counter: TextCounter) -> list[Span]:
    spans: list[Span] = []
    words = 0
    for start, window in windows_of(text):
        (found,) = _tokens_of([window], counter)
        size = sum(map(len, found[1]))
        within = [
            match._replace(start=match.start - words) for match in matches[len(spans) :] if match.start < words + size
        ]
        for first, last in _spans_of(within, found, counter):
            spans.append((None, None) if first is None or last is None else (start + first, start + last))
        if len(spans) == len(matches):
            break
        words += size
    return spans


def spans_of_mentions(texts: Sequence[str], mentions: Sequence[Sequence[Mention]]) -> dict[int, list[Span]]:
    """Find the positions of the mentions in each text that has any. Mentions themselves refer to the text in NFC."""
    spans: dict[int, list[Span]] = {}
    for index, text in enumerate(texts):
        if not mentions[index]:
            continue
        normal = NO_FOLDING.fold_placed(text)
        spans[index] = [normal.place(mention.start, mention.end) for mention in mentions[index]]
    return spans


def _span(text: Folded, start: int, form: str, shift: int) -> Span:
    """Find the position of a form that begins at `start` of a text from which `shift` characters were removed."""
    # The module `regex` would take time quadratic in the length of a case-insensitive form.
    words = r"\s*".join(map(re.escape, form.split()))
    found = re.compile(words, re.IGNORECASE).match(text.text, start) if start >= 0 else None
    if not found:
        return None, None
    first, last = text.place(*found.span())
    return first + shift, last + shift


# The number of decimals in files, so that two runs agree to the byte.
DIGITS = 6


class DataTable:
    """Rows below the names of their columns. If a column of numbers has a float or a gap, all of it becomes floats."""

    def __init__(self, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        self.columns = list(columns)
        values = list(zip(*rows, strict=True)) or [()] * len(self.columns)
        self._values = [
            [math.nan if value is None else float(value) for value in column] if _has_floats(column) else list(column)
            for column in values
        ]

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, Any]], columns: Sequence[str] = ()) -> "DataTable":
        """Make a table from rows by column name. `columns` is used if there are no rows. A missing name is a gap."""
        names = list(dict.fromkeys(name for row in rows for name in row)) or columns
        return cls(names, [[row.get(name) for name in names] for row in rows])

    def __len__(self) -> int:
        return len(self._values[0])

    def records(self) -> list[dict[str, Any]]:
        """List the rows as dictionaries by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in zip(*self._values, strict=True)]

    def rounded(self) -> list[dict[str, Any]]:
        """List the records with floats rounded to `DIGITS` decimals, and None for undefined numbers."""
        return [{name: _rounded(value) for name, value in row.items()} for row in self.records()]

    def to_csv(self) -> str:
        """Render the table as CSV, with floats to `DIGITS` decimals."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(row.values() for row in self.rounded())
        return text.getvalue()

    def to_frame(self) -> "pd.DataFrame":
        """Convert the table to a pandas frame. Raises `MissingResourceError` if pandas is not installed."""
        try:
            import pandas as pd
        except ImportError:
            raise MissingResourceError(
                f"a data frame needs pandas, which is not installed; install the extra: {how_to_install('frames')}"
            ) from None
        return pd.DataFrame(dict(zip(self.columns, self._values, strict=True)), columns=self.columns)


def _has_floats(column: Sequence[Any]) -> bool:
    """Check whether a column consists of numbers of which some have a fraction or are missing."""
    if any(isinstance(value, bool) or not isinstance(value, int | np.integer | float | None) for value in column):
        return False
    return any(isinstance(value, float) for value in column) or (None in column and any(v is not None for v in column))


def _rounded(value: Any) -> Any:
    if not isinstance(value, float):
        return value
    return None if math.isnan(value) else float(np.round(value, DIGITS))


LONGEST = 280
# The sentence of a match is searched within this many characters, because a text may be as long as a book.
SENTENCE_WITHIN = 4000
ELLIPSIS = "…"
# Words of so many letters before a point are taken for abbreviations, the longer ones if they begin with a capital.
_SHORTEST, _LONGEST_TITLE = 2, 4


@dataclass(frozen=True, order=True)
class Example:
    """A sentence from line or record `place` of `file`. `marks` are the start and end of each match in `text`."""

    text: str
    marks: tuple[tuple[int, int], ...]
    file: str
    place: int

    def marked(self, before: str = "[", after: str = "]") -> str:
        """Mark each match in the text with the two strings."""
        return "".join(before + part + after if is_match else part for part, is_match in self.parts())

    def parts(self) -> list[tuple[str, bool]]:
        """Split the text into pieces and mark each as a match or not."""
        pieces = []
        end = 0
        for start, stop in self.marks:
            pieces.append((self.text[end:start], False))
            pieces.append((self.text[start:stop], True))
            end = stop
        pieces.append((self.text[end:], False))
        return [(piece, is_match) for piece, is_match in pieces if piece]


Item = TypeVar("Item", int, Example)
Other = TypeVar("Other", int, Example)


class Sample(Generic[Item]):
    """A sample of the distinct texts, in any order: those with the smallest hashes of seed, class and text.

    If several texts are equal, the sample keeps the smallest item.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.kept: dict[int, Item] = {}
        self._largest = -1

    def wants(self, rank: int) -> bool:
        """Check whether a text with this hash belongs to the sample so far."""
        return len(self.kept) < self.size or rank <= self._largest

    def take(self, rank: int, item: Item) -> None:
        """Add a text whose hash belongs to the sample."""
        if rank in self.kept:
            self.kept[rank] = min(self.kept[rank], item)
        elif self.wants(rank):
            if len(self.kept) == self.size:
                del self.kept[self._largest]
            self.kept[rank] = item
            self._largest = max(self.kept)

    def merge(self, other: "Sample[Item]") -> None:
        """Merge another sample into this one."""
        for rank, item in other.kept.items():
            self.take(rank, item)

    def map(self, change: Callable[[Item], Other]) -> "Sample[Other]":
        """Apply `change` to each text of the sample."""
        sample: Sample[Other] = Sample(self.size)
        sample.kept = {rank: change(item) for rank, item in self.kept.items()}
        sample._largest = self._largest
        return sample

    def in_order(self) -> list[Item]:
        """List the examples, smallest hash first."""
        return [self.kept[rank] for rank in sorted(self.kept)]


def cut_example(text: str, spans: Iterable[tuple[int, int]], locale: str, file: str, place: int) -> Example:
    """Cut out the sentence that has the first of the `spans` (the matches) of a text at `place` of a file.

    A very long text is cut to the sentence, and that is shortened; … marks each cut. In a document that consists of
    lines, the sentence comes from one line.
    """
    spans = sorted(spans, key=lambda span: (span[0], -span[1]))
    first = spans[0][0] if spans else 0
    lines_before = text.count(LINE_END, 0, first)
    line_start = text.rfind(LINE_END, 0, first) + 1
    line_end = text.find(LINE_END, first)
    if line_end < 0:
        line_end = len(text)
    near_start = max(line_start, first - SENTENCE_WITHIN)
    near_end = min(line_end, first + SENTENCE_WITHIN)
    shown, marks = _mark_spans(text, spans, near_start, near_end)
    start, stop = _choose_part(shown, marks[0][0] if marks else 0, locale)
    before = after = ""
    if start > 0 or near_start > line_start:
        before = f"{ELLIPSIS} "
    if stop < len(shown) or near_end < line_end:
        after = f" {ELLIPSIS}"
    inside = []
    shift = len(before) - start
    for low, high in marks:
        if start <= low and high <= stop:
            inside.append((low + shift, high + shift))
    return Example(before + shown[start:stop] + after, tuple(inside), file, place + lines_before)


def _mark_spans(text: str, spans: Iterable[_Range], start: int, end: int) -> tuple[str, list[_Range]]:
    """Write a part of a text in one line, and find where the spans are in it."""
    marks: list[_Range] = []
    shown = ""
    position = start
    for low, high in spans:
        # Skip a match that lies within another one or continues on the next line.
        if low < position or high > end:
            continue
        shown += _one_line(text[position:low])
        if not marks:
            shown = shown.lstrip()
        marked = _one_line(text[low:high])
        marks.append((len(shown), len(shown) + len(marked)))
        shown += marked
        position = high
    shown = (shown + _one_line(text[position:end])).rstrip()
    return (shown if marks else shown.lstrip()), marks


def _choose_part(shown: str, first: int, locale: str) -> _Range:
    """Choose the start and the end of what is shown of a text: the sentence at `first`, or less if that is long."""
    start, stop = 0, len(shown)
    if stop > LONGEST:
        start, stop = _sentence_around(shown, first, locale)
    if stop - start > LONGEST:
        low = first - LONGEST // 2
        high = first + LONGEST // 2
        if low > start:
            start = _between_words(shown, low, 1)
        if high < stop:
            stop = _between_words(shown, high, -1)
    return start, start + len(shown[start:stop].rstrip())


def _sentence_around(text: str, place: int, locale: str) -> tuple[int, int]:
    """Find the sentence that has a place, and those before it that only end in an abbreviation."""
    start, at = 0, 0
    for sentence in SentenceBreaker(text, locale):
        at += len(sentence)
        if at < len(text) and (_ends_in_abbreviation(sentence) or text[at].islower()):
            continue
        if at > place:
            return start, start + len(text[start:at].rstrip())
        start = at
    return start, len(text)


def _ends_in_abbreviation(sentence: str) -> bool:
    """Check for a title (Dr.), a letter or two (J., z. B.) or a number (3. Mai). Short names are taken for one."""
    found = re.search(r"(\w+)\.\s*$", sentence[-20:])
    if not found:
        return False
    word = found[1]
    return len(word) <= _SHORTEST or word.isdigit() or (word[0].isupper() and len(word) <= _LONGEST_TITLE)


def _between_words(text: str, place: int, step: int) -> int:
    """Move a place out of a word, in writing that has spaces."""
    for number in range(place, place + 20 * step, step):
        if 0 < number < len(text) and text[number - 1].isspace():
            return number
    return place


def _one_line(text: str) -> str:
    """Convert part of a text to one line in NFC."""
    return printable(re.sub(r"\s+", " ", normalize("NFC", text)))
