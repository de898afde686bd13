"""Read files with a token per line and an empty line after each sentence, and tables with a row per line."""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from textparity.errors import InputError
from textparity.files import read_lines
from textparity_studies.instruments.slips import FilePlace, Slip, read_each

DOCUMENT = "newdoc id"
# The number of a word, of a token of several words, or of an empty word.
_NUMBER = re.compile(r"\d+(?:[-.]\d+)?")
# Some treebanks have another comment, also without the document's name.
_NEW_DOCUMENTS = (DOCUMENT, "newdoc_id", "newdoc")


@dataclass(frozen=True)
class ColumnSentence:
    """A sentence: its number in the file, its first line, its comments (`# name = value`), and its tokens' cells.

    `document` has the comments that began with the last `# newdoc id`, also if they stand in an earlier sentence. A
    document without a name has the number of its first sentence.
    """

    index: int
    line: int
    comments: dict[str, str] = field(default_factory=dict)
    document: dict[str, str] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


def split_sentences(lines: Iterable[str]) -> Iterator[FilePlace[ColumnSentence]]:
    """Iterate over the sentences of a file, with their lines as they are; comments end a sentence, too."""
    index, first = 0, 1
    comments: dict[str, str] = {}
    document: dict[str, str] = {}
    tokens: list[str] = []
    for number, line in enumerate([*lines, ""], start=1):
        if line.strip() and not line.startswith("#"):
            if not tokens:
                first = number
            tokens.append(line)
            continue
        if tokens:
            yield FilePlace(first, ColumnSentence(index, first, comments, document, tuple(tokens)))
            index, comments, tokens = index + 1, {}, []
        if line.startswith("#"):
            name, _, value = line.removeprefix("#").strip().partition(" = ")
            comments[name] = value
            if name in _NEW_DOCUMENTS:
                document = {DOCUMENT: value or str(index)}
            elif document:
                document.setdefault(name, value)


def cut_cells(
    least: int, separator: str | None = "\t", most: int | None = None
) -> Callable[[ColumnSentence], ColumnSentence]:
    """Make a function that cuts the lines of a sentence into cells, for `slips.read_each`.

    `separator` is None for any white space. The function raises `Slip` for a line with fewer cells than `least` or, if
    `most` is given, more than that.
    """

    def cut(sentence: ColumnSentence) -> ColumnSentence:
        rows = [tuple(line.split(separator)) for line in sentence.lines]
        for row in rows:
            if len(row) < least or (most is not None and len(row) > most):
                raise Slip(f"has {len(row)} cells, {least} are needed")
        return replace(sentence, rows=tuple(rows))

    return cut


def read_conllu(path: Path) -> Iterator[ColumnSentence]:
    """Iterate over the sentences of a file in CoNLL-U, whose tokens have a number and nine other cells."""
    cut = cut_cells(10, most=10)

    def cut_words(sentence: ColumnSentence) -> ColumnSentence:
        words = cut(sentence)
        for row in words.rows:
            if not _NUMBER.fullmatch(row[0]):
                raise Slip(f"{row[0]!r} is no number of a word")
        return words

    return read_each(path, split_sentences(read_lines(path)), cut_words)


def read_features(cell: str) -> dict[str, str]:
    """Read the features of a token, such as `Case=Nom|Gender=Fem`. A cell without one (`_`) has none."""
    pairs = (pair.partition("=") for pair in cell.split("|"))
    return {name: value for name, separator, value in pairs if separator}


def read_csv_rows(path: Path, columns: tuple[str, ...]) -> Iterator[FilePlace[dict[str, str]]]:
    """Iterate over the rows of a CSV file, with the line on which each ends."""
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, restval="")
        _require_columns(path, columns, reader.fieldnames or ())
        for row in reader:
            yield FilePlace(reader.line_num, row)


def read_tsv_rows(path: Path, columns: tuple[str, ...]) -> Iterator[FilePlace[dict[str, str]]]:
    """Iterate over the rows of a table with tabs, without quoting; cells that a row lacks are empty."""
    lines = read_lines(path)
    header = lines[0].split("\t") if lines else []
    _require_columns(path, columns, header)
    for number, line in enumerate(lines[1:], start=2):
        if line:
            cells = line.split("\t")
            cells += [""] * (len(header) - len(cells))
            yield FilePlace(number, dict(zip(header, cells, strict=False)))


def _require_columns(path: Path, columns: tuple[str, ...], header: Sequence[str]) -> None:
    if lacking := [name for name in columns if name not in header]:
        raise InputError(f"{path}: has no column {', '.join(lacking)}")
