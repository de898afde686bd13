"""Mark the counted words in a text for a reader, beside its audit. Nothing is written."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import pyarrow.compute as pc

from textparity.auditing.audit import collect
from textparity.auditing.counting import SourceCounter
from textparity.auditing.languages import OTHER_LANGUAGE, language_row
from textparity.auditing.results import AuditData
from textparity.auditing.settings import make_settings
from textparity.auditing.tallying import IDENTIFIER_UNSURE, MIXED, Batch
from textparity.counting import CLASSES
from textparity.errors import InputError
from textparity.files import printable
from textparity.persons.mentions import MENTIONS
from textparity.reading.documents import Document, Texts, portions
from textparity.reading.options import LINE
from textparity.reading.recognition import warn_about_records
from textparity.reading.text_units import join_lines

# Maximum length in characters. A longer text should be a file for `textparity audit`.
LONGEST_TEXT = 1 << 20
# What one request may cost: lines or paragraphs, matches (each becomes a mark on the page), seconds of processor time.
MOST_UNITS = 50_000
MOST_MATCHES = 50_000
LONGEST_WORK = 60
# A language detected in fewer characters is a guess. docs/serve.md has the error rates.
SURE_FROM = 80
# Advice for texts in which nothing was counted, by the beginning of the reason.
_ADVICE = {
    IDENTIFIER_UNSURE: "Its language is not clear: choose it above.",
    MIXED: "It is in several languages: count each by itself, or choose one above for all of it.",
    OTHER_LANGUAGE: "There is no lexicon for the language that it seems to be in, whose ISO code is below; if it is in "
    "another one, choose that above.",
    "no letters": "It has no words.",
    "no lexicon": "Choose the language above if it is another one.",
    "no pipeline": "Choose the method words below, or install what is missing.",
}
_USE_AUDIT = "textparity audit takes files of any size"
# The name of the corpus in the audit's rows.
NAME = "text"
LETTERS = {"feminine": "f", "masculine": "m", "unspecified": "u"}


class TooLargeError(InputError):
    """A text would take more work than a page is for."""


class MarkedPiece(NamedTuple):
    """A part of a text and the classes that it counts in. Without classes, it is not a match."""

    text: str
    classes: tuple[str, ...] = ()

    @property
    def style(self) -> str:
        """The name of its mark: its class, or `several`."""
        return self.classes[0] if len(self.classes) == 1 else "several"

    @property
    def letters(self) -> str:
        """The first letters of its classes, which distinguish marks without colour."""
        return " ".join(LETTERS[name] for name in self.classes)


@dataclass(frozen=True)
class MarkedUnit:
    """A line, paragraph or document in pieces. `lang` is a code for browsers, empty for a text that was left out."""

    pieces: tuple[MarkedPiece, ...]
    lang: str

    @property
    def several(self) -> int:
        """The number of marks with two or more classes."""
        return sum(len(piece.classes) > 1 for piece in self.pieces)


@dataclass(frozen=True)
class MarkedAudit:
    """An audit and its texts. `warnings` concern the text as a whole.

    `unmarked` counts matches that overlap with others, or have no position in the original text.
    """

    result: AuditData
    texts: tuple[MarkedUnit, ...]
    unmarked: int
    warnings: tuple[str, ...] = ()

    @property
    def advice(self) -> str:
        """Advice if nothing was counted."""
        if self.result.languages:
            return ""
        for begin, advice in _ADVICE.items():
            if any(reason.startswith(begin) for reason in self.result.left_out):
                return advice
        return ""

    @property
    def several(self) -> int:
        """The number of marks with two or more classes."""
        return sum(text.several for text in self.texts)


def mark_text(text: str, lang: str | None, **values: Any) -> MarkedAudit:
    """Audit a text as `textparity audit` audits a file of it, and mark what was counted.

    Without `lang`, the language is detected from the whole text. `values` are settings of an audit. Raises
    `InputError` if it is not a text, and `TooLargeError` if it takes too much work.
    """
    # Every mention gets a mark.
    settings = make_settings(**{"count": MENTIONS, **values})
    # Forms in a browser send line ends as CRLF.
    text = text.replace("\r\n", "\n")
    _check_text(text)
    units = _split_units(text, settings.reading.text_unit)
    settings = settings.changed(keep_records=True, examples=0, detect="text" if lang else "file")
    batches = _Batches()
    with SourceCounter(settings, on_batch=batches.add) as counter:
        counted = counter.count(NAME, _in_time(portions(units)), lang)
    # The text comes from the page, so no file was read.
    result = replace(collect([(NAME, counted)], settings, settings.reading.text_unit), files=0)
    # A language detected in few texts is left out of the result, and therefore of the marks.
    kept = {item.lang for item in result}
    records = {record["place"]: record for record in batches.records() if record["lang"] in kept}
    marked_units = []
    unmarked = 0
    for unit in units:
        record = records.get(unit.place)
        pieces, unmarked_in_unit = _mark(unit.text or "", record["matches"] if record else ())
        unmarked += unmarked_in_unit
        if any(piece.text.strip() for piece in pieces):
            locale = language_row(record["lang"]).icu_locale if record else ""
            marked_units.append(MarkedUnit(tuple(pieces), locale))
    warnings = tuple(_warn_about_text(text, lang, result))
    return MarkedAudit(result, tuple(marked_units), unmarked, warnings)


def _check_text(text: str) -> None:
    if len(text) > LONGEST_TEXT:
        raise TooLargeError(
            f"the text has {len(text):,} characters, and this page takes {LONGEST_TEXT:,}; {_USE_AUDIT}"
        )
    if not text.strip():
        raise InputError("there is no text; paste one, or choose a file")
    if "\0" in text:
        raise InputError("the text has a NUL byte, so it is not plain text; save it as text in UTF-8")


def _split_units(text: str, text_unit: str) -> list[Document]:
    """Split the text into units. Raises `TooLargeError` if there are too many."""
    lines = list(enumerate(text.removesuffix("\n").split("\n"), start=1))
    if text_unit == LINE:
        units = [Document(place, line) for place, line in lines]
    else:
        units = list(join_lines(lines, text_unit, NAME))
    if len(units) > MOST_UNITS:
        raise TooLargeError(
            f"the text has {len(units):,} {text_unit}s, and this page takes {MOST_UNITS:,}; {_USE_AUDIT}"
        )
    return units


def _in_time(texts: Iterable[Texts]) -> Iterator[Texts]:
    """Pass portions of a text on while there is time. What is counted already is never thrown away.

    Raises `TooLargeError` if a further portion would begin after `LONGEST_WORK` seconds of this thread's work.
    """
    start = time.thread_time()
    for portion in texts:
        if time.thread_time() - start > LONGEST_WORK:
            raise TooLargeError(f"the text takes more than {LONGEST_WORK} seconds to count; {_USE_AUDIT}")
        yield portion


class _Batches:
    """The counted batches of a text, which may not have more matches than a page can show."""

    def __init__(self) -> None:
        self._batches: list[Batch] = []
        self._matches = 0

    def add(self, batch: Batch) -> None:
        """Add a batch. Raises `TooLargeError` if all of them have too many matches."""
        self._batches.append(batch)
        if batch.records is not None:
            self._matches += pc.sum(pc.list_value_length(batch.records["matches"])).as_py() or 0
        if self._matches > MOST_MATCHES:
            raise TooLargeError(f"the text has over {MOST_MATCHES:,} words to mark on this page; {_USE_AUDIT}")

    def records(self) -> Iterator[dict[str, Any]]:
        """List the record of each counted text."""
        for batch in self._batches:
            if batch.records is not None:
                yield from batch.records.to_pylist()


def _warn_about_text(text: str, lang: str | None, result: AuditData) -> Iterator[str]:
    length = len(text.strip())
    if not lang and length < SURE_FROM:
        for item in result:
            yield (
                f"{item.name} is a guess: in a text of {length} characters, the language is often mistaken "
                f"(of {SURE_FROM} and more, seldom). If it is another one, choose it above"
            )
    warning = warn_about_records(text.split("\n"))
    if warning:
        yield f"{warning}; this page reads no records, textparity audit does"


def _mark(text: str, matches: Sequence[Mapping[str, Any]]) -> tuple[list[MarkedPiece], int]:
    """Split the text into marked and unmarked pieces. Also returns the number of matches that cannot be marked."""
    classes_by_span: dict[tuple[int, int], list[str]] = {}
    unmarked = 0
    for match in matches:
        if match["start"] is None:
            unmarked += 1
            continue
        span = (match["start"], match["end"])
        classes_by_span.setdefault(span, []).append(match["gender"])
    pieces = []
    marked_until = 0
    # If several matches begin at the same character, only the longest is marked.
    for start, end in sorted(classes_by_span, key=lambda span: (span[0], -span[1])):
        classes = classes_by_span[start, end]
        if start < marked_until:
            unmarked += len(classes)
            continue
        pieces.append(MarkedPiece(_show(text[marked_until:start])))
        ordered_classes = tuple(sorted(set(classes), key=CLASSES.index))
        pieces.append(MarkedPiece(_show(text[start:end]), ordered_classes))
        marked_until = end
    pieces.append(MarkedPiece(_show(text[marked_until:])))
    return [piece for piece in pieces if piece.text], unmarked


def _show(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))
