"""What a reader says about the texts of a sample: about each thing found, and about what the method missed.

Judgements come from the page of `textparity check mark`, which adds a line to `judgements.jsonl` for each of them, or
from the table `sample.csv`, which can be filled in with any spreadsheet. Both ways lead to the same `ReadText`.
"""

import csv
import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from textparity.checking.samples import DrawnText, Found, TextSample
from textparity.counting import GENDERS
from textparity.errors import InputError
from textparity.files import number_of

JUDGEMENTS, TABLE = "judgements.jsonl", "sample.csv"
FEMININE, MASCULINE = GENDERS
NEITHER, UNCLEAR, WRONG = "neither", "unclear", "wrong"
# What can be said about something found. `neither` is a person who is called neither woman nor man, `unclear` one of
# whom the text does not tell, and `wrong` is no person, or not counted rightly as one.
WORDS = (FEMININE, MASCULINE, NEITHER, UNCLEAR, WRONG)
READ = "read"
_COLUMNS = ("text", "number", "found", "words", "judgement", "same_as", "context")
# In the column `number` of the table: the row of a whole text, and of something that the reader adds.
_WHOLE, _MISSED = "text", "missed"
# Characters around something found that the table shows.
_AROUND = 80
# A cell of a spreadsheet takes no more. One that another program writes may have any text.
_LONGEST_CELL, _LONGEST_TEXT = 32_000, 1 << 30


@dataclass(frozen=True)
class Missed:
    """A mention, or a person, that the method did not find, from `start` to `end` of the text."""

    words: str
    gender: str
    start: int
    end: int


@dataclass
class ReadText:
    """A text of the sample with the judgements of a reader, by the number of what was found.

    Once the text is read, what has no judgement is right. `same_as` has the number of another person who is the same.
    """

    drawn: DrawnText
    is_read: bool = False
    judgements: dict[int, str] = field(default_factory=dict)
    same_as: dict[int, int] = field(default_factory=dict)
    missed: dict[int, Missed] = field(default_factory=dict)

    def judgement(self, found: Found) -> str:
        """Look up what the reader says about something found: a word of `WORDS`.

        Without a judgement, it is what was found, and somebody of unspecified gender is unclear.
        """
        if found.number in self.same_as:
            return WRONG
        unjudged = found.gender if found.gender in GENDERS else UNCLEAR
        return self.judgements.get(found.number, unjudged)

    def marked(self) -> tuple[int, int]:
        """Count the women and men who are there, by the reader."""
        said = [self.judgement(found) for found in self.drawn.found]
        said += [missed.gender for missed in self.missed.values()]
        return said.count(FEMININE), said.count(MASCULINE)

    def apply(self, row: Mapping[str, Any]) -> None:
        """Apply a judgement of `JUDGEMENTS`. Raises `ValueError` or `KeyError` if it is none."""
        if READ in row:
            self.is_read = _truth(row[READ])
        elif "missed" in row:
            self._apply_missed(int(row["missed"]), row)
        else:
            self._apply_found(int(row["found"]), row)

    def _apply_missed(self, number: int, row: Mapping[str, Any]) -> None:
        if row["judgement"] is None:
            self.missed.pop(number, None)
            return
        start, end = int(row["start"]), int(row["end"])
        gender = _known(row["judgement"], (FEMININE, MASCULINE, NEITHER, UNCLEAR))
        if not 0 <= start < end <= len(self.drawn.text):
            raise ValueError("outside the text")
        self.missed[number] = Missed(self.drawn.text[start:end], gender, start, end)

    def _apply_found(self, number: int, row: Mapping[str, Any]) -> None:
        numbers = {found.number for found in self.drawn.found}
        if number not in numbers:
            raise ValueError("nothing was found with this number")
        self.judgements.pop(number, None)
        self.same_as.pop(number, None)
        if row.get("same_as") is not None:
            other = int(row["same_as"])
            if other not in numbers or other == number or other in self.same_as:
                raise ValueError("same_as must be the number of another person in the text")
            self.same_as[number] = other
        elif row["judgement"] is not None:
            self.judgements[number] = _known(row["judgement"], WORDS)


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def _known(word: Any, words: Sequence[str]) -> str:
    if word not in words:
        raise ValueError(f"{word!r} is none of {', '.join(words)}")
    return str(word)


def read_judgements(sample: TextSample) -> list[ReadText]:
    """Read what a reader has said about a sample. Raises `InputError` for judgements that do not belong to it."""
    texts = [ReadText(drawn) for drawn in sample.texts]
    log, table = sample.folder / JUDGEMENTS, sample.folder / TABLE
    has_log = log.exists() and log.stat().st_size > 0
    rows = list(_read_table(table)) if table.exists() else []
    is_filled = any(row["judgement"] or row["same_as"] or row["number"] == _MISSED for row in rows)
    if has_log and is_filled:
        raise InputError(f"{sample.folder}: {JUDGEMENTS} and {TABLE} both have judgements; remove one of the two")
    if is_filled:
        _apply_table(texts, rows, table)
    elif has_log:
        _apply_log(texts, log)
    return texts


def _apply_log(texts: Sequence[ReadText], path: Path) -> None:
    """Apply the lines of the file. A last line without an end was being written when the page was killed."""
    lines = path.read_bytes().split(b"\n")[:-1]
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line)
            text = int(row["text"])
            if not 0 < text <= len(texts):
                raise ValueError("the sample has no such text")
            texts[text - 1].apply(row)
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{path}:{number}: is no judgement of this sample ({error}); remove the line, or judge the text again"
            ) from None


class JudgementLog:
    """The file to which the page adds judgements, each written to the disk before anything else happens."""

    def __init__(self, folder: Path, texts: Sequence[ReadText]) -> None:
        self._path = folder / JUDGEMENTS
        self._texts = texts
        self._remove_unfinished()

    def add(self, row: Mapping[str, Any]) -> ReadText:
        """Apply a judgement and write it. Raises `ValueError`, `KeyError` or `TypeError` if it is none."""
        number = int(row["text"])
        if not 0 < number <= len(self._texts):
            raise ValueError("the sample has no such text")
        text = self._texts[number - 1]
        text.apply(row)
        line = json.dumps(row, ensure_ascii=False) + "\n"
        with self._path.open("ab") as file:
            file.write(line.encode())
            file.flush()
            os.fsync(file.fileno())
        return text

    def _remove_unfinished(self) -> None:
        """Remove the part of a line that a killed page left, so that the next one begins a line."""
        if not self._path.exists():
            return
        content = self._path.read_bytes()
        complete = content.rfind(b"\n") + 1
        if complete < len(content):
            os.truncate(self._path, complete)


def render_table(sample: TextSample) -> str:
    """Render the sample as a table to be filled in: a row for each text, then one for each thing found in it."""
    output = io.StringIO()
    writer = csv.DictWriter(output, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    for drawn in sample.texts:
        text = drawn.text.replace("\u2029", "\n")
        if len(text) > _LONGEST_CELL:
            text = f"{text[:_LONGEST_CELL]} … (all of it is in sample.jsonl)"
        writer.writerow(_row(drawn.number, _WHOLE, words=drawn.id, context=text))
        for found in drawn.found:
            context = context_of(drawn.text, found.spans)
            writer.writerow(_row(drawn.number, str(found.number), found.gender, found.words, context))
    return output.getvalue()


def _row(text: int, number: str, found: str = "", words: str = "", context: str = "") -> dict[str, Any]:
    return {"text": text, "number": number, "found": found, "words": words, "context": context}


def context_of(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Cut out the first place with the words around it, in brackets and in one line. Empty without a place."""
    if not spans:
        return ""
    start, end = spans[0]
    first = max(0, start - _AROUND)
    last = end + _AROUND
    before = text[first:start]
    after = text[end:last]
    if first > 0:
        before = f"…{before}"
    if last < len(text):
        after = f"{after}…"
    marked = f"{before}[{text[start:end]}]{after}"
    return " ".join(marked.split())


def _read_table(path: Path) -> Iterator[dict[str, str]]:
    """Read the rows of the table, as spreadsheets save it: with commas, semicolons or tabs."""
    try:
        content = path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8; save it as CSV UTF-8, or take it from a copy") from None
    head = content.split("\n", 1)[0]
    delimiter = max(",;\t", key=head.count)
    # A text may be longer than cells usually are; the limit is that of the whole process.
    usual_limit = csv.field_size_limit(_LONGEST_TEXT)
    try:
        reader = csv.DictReader(io.StringIO(content, newline=""), delimiter=delimiter)
        rows = [{**row, "line": str(reader.line_num)} for row in reader]
    except csv.Error as error:
        raise InputError(f"{path}: cannot be read as CSV ({error}); take the table from a copy") from None
    finally:
        csv.field_size_limit(usual_limit)
    missing = [name for name in _COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        raise InputError(f"{path}: has no column {', '.join(missing)}; take the table from a copy, or draw again")
    for row in rows:
        cells = {name: (row[name] or "").strip() for name in _COLUMNS}
        # A spreadsheet may leave empty rows below the table.
        if any(cells.values()):
            yield {**cells, "line": row["line"]}


def _apply_table(texts: Sequence[ReadText], rows: Iterable[Mapping[str, str]], path: Path) -> None:
    """Apply the judgements of the table."""
    seen: set[tuple[str, str]] = set()
    for row in rows:
        where = f"{path}:{row['line']}"
        try:
            text = texts[_index_of(row["text"], len(texts))]
            _check_row(row, text, seen)
            for judgement in _judgements_in(row, text):
                text.apply(judgement)
        except ValueError as error:
            raise InputError(f"{where}: {error}; correct the row, or take it from a copy of {TABLE}") from None
    expected = sum(1 + len(text.drawn.found) for text in texts)
    if len(seen) != expected:
        raise InputError(
            f"{path}: has {number_of(len(seen), 'row')} of texts and of what was found instead of {expected:,}; take "
            "the others from a copy"
        )


def _index_of(cell: str, texts: int) -> int:
    if not cell.isdecimal() or not 0 < int(cell) <= texts:
        raise ValueError(f"text {cell!r} is not in the sample")
    return int(cell) - 1


def _check_row(row: Mapping[str, str], text: ReadText, seen: set[tuple[str, str]]) -> None:
    """Check that a row is one of the sample and was not changed, except for its judgement."""
    number = row["number"]
    if number == _MISSED:
        return
    key = (row["text"], number)
    if key in seen:
        raise ValueError(f"text {row['text']} has the number {number} twice")
    seen.add(key)
    if number == _WHOLE:
        return
    by_number = {str(found.number): found for found in text.drawn.found}
    found = by_number.get(number)
    if found is None:
        raise ValueError(f"the number {number!r} is neither that of something found nor {_WHOLE} or {_MISSED}")
    if row["found"] != found.gender or row["words"] != found.words.strip():
        raise ValueError(f"the row is of {found.words!r} ({found.gender}), and was changed")


def _judgements_in(row: Mapping[str, str], text: ReadText) -> Iterator[dict[str, Any]]:
    """Read the judgement of a row as the page would have written it."""
    said = row["judgement"].lower() or None
    if row["number"] == _WHOLE:
        if said not in (None, READ):
            raise ValueError(f"the judgement of a text is {READ} or nothing, not {said!r}")
        yield {READ: said == READ}
    elif row["number"] == _MISSED:
        start, end = _place_missed(row["words"], text)
        yield {"missed": len(text.missed) + 1, "judgement": said or "", "start": start, "end": end}
    elif row["same_as"]:
        yield {"found": row["number"], "same_as": row["same_as"]}
    else:
        yield {"found": row["number"], "judgement": said}


def _place_missed(words: str, text: ReadText) -> tuple[int, int]:
    """Find what was missed in the text: the first place that is neither found nor missed yet."""
    taken: list[tuple[int, int]] = []
    for found in text.drawn.found:
        taken += found.spans
    taken += [(missed.start, missed.end) for missed in text.missed.values()]
    start = text.drawn.text.find(words) if words else -1
    while start >= 0:
        end = start + len(words)
        overlapping = [span for span in taken if span[0] < end and start < span[1]]
        if not overlapping:
            return start, end
        start = text.drawn.text.find(words, end)
    raise ValueError(f"the text does not have the words {words!r} outside what was found")


def first_read(sample: TextSample, texts: Sequence[ReadText]) -> list[list[ReadText]]:
    """List the texts of each stratum by draw: the first draws of which all texts are read, a sample by themselves.

    A text that was drawn twice is there twice.
    """
    by_stratum: list[dict[int, ReadText]] = [{} for _ in sample.design.strata]
    for text in texts:
        by_stratum[text.drawn.stratum].update(dict.fromkeys(text.drawn.draws, text))
    draws = []
    for by_draw in by_stratum:
        first: list[ReadText] = []
        for number in sorted(by_draw):
            if not by_draw[number].is_read:
                break
            first.append(by_draw[number])
        draws.append(first)
    return draws
