"""Read tables as CSV or TSV, whose header names the columns."""

import csv
from collections.abc import Iterator
from typing import Any

from textparity.errors import InputError
from textparity.reading.documents import Document
from textparity.reading.lines import TextLine, read_lines
from textparity.reading.options import NamedField
from textparity.reading.records import Record, RecordError, documents_of
from textparity.reading.sources import SourceAccess

# Maximum length of a cell, in characters. The reader holds several copies of a cell, at four bytes per character.
LONGEST_CELL = 16 << 20


def read(source: SourceAccess) -> Iterator[Document]:
    """Read the texts of CSV."""
    yield from _read_table(source, delimiter=source.file.delimiter or ",")


def read_tsv(source: SourceAccess) -> Iterator[Document]:
    """Read the texts of TSV. It has no quoting (IANA, text/tab-separated-values), and many texts begin with a quote."""
    yield from _read_table(source, delimiter="\t", quoting=csv.QUOTE_NONE)


def _read_table(source: SourceAccess, **form: Any) -> Iterator[Document]:
    with source.open() as stream:
        rows = _Rows(source, read_lines(source, stream), form)
        yield from documents_of(source, rows.records())


class _Rows:
    """The rows of a table. `last` is the number of the last line that was read, and `damage` the first error in a row.

    `form` has the parameters of `csv.reader`.
    """

    def __init__(self, source: SourceAccess, lines: Iterator[TextLine], form: dict[str, Any]) -> None:
        self._source = source
        self._lines = lines
        self._reader = csv.reader(self._with_ends(), strict=True, **form)
        self._last = 0
        self._damage: InputError | None = None

    def _with_ends(self) -> Iterator[str]:
        for number, line, error in self._lines:
            self._last = number
            self._damage = self._damage or error
            yield f"{line}\n"

    def records(self) -> Iterator[Record]:
        """Read the rows below the header. Raises `InputError` for an invalid header, or a cell that is too long."""
        header: list[str] = []
        columns: dict[str, int] = {}
        while True:
            first, self._damage = self._last + 1, None
            where = f"{self._source.name}, line {first}"
            try:
                cells = self._next_row(where, len(header))
            except StopIteration:
                return
            except csv.Error as error:
                if "field limit" in str(error):
                    # Otherwise the rest of the quoted cell would be read as records.
                    raise InputError(
                        f"{where}: has a cell of more than {LONGEST_CELL >> 20} million characters; split it"
                    ) from None
                message = f"{where}: cannot be read as CSV ({error}); fix the quotes"
                yield Record(first, where, RecordError(message, first, self._last))
                continue
            except InputError as error:
                if not header:
                    raise
                yield Record(first, where, RecordError(str(error), first, self._last))
                continue
            if not header:
                header = cells
                columns = {field.name: self._find_column(header, field) for field in self._source.options.all_fields()}
            elif cells:
                yield Record(first, where, {name: cells[index] for name, index in columns.items()})

    def _next_row(self, where: str, width: int) -> list[str]:
        """Read the cells of the next row. `width` is the number of cells that it must have, if any."""
        # A cell may be long. The module's limit is global, so it is restored.
        usual_limit = csv.field_size_limit(LONGEST_CELL)
        try:
            cells = next(self._reader)
        finally:
            csv.field_size_limit(usual_limit)
        if self._damage:
            raise self._damage
        if width and cells and len(cells) != width:
            raise InputError(f"{where}: has {len(cells)} cells, but the header {width}")
        return cells

    def _find_column(self, header: list[str], field: NamedField) -> int:
        if header.count(field.name) == 1:
            return header.index(field.name)
        times = "twice" if field.name in header else "not"
        message = (
            f"{self._source.name}: column {field.name} is {times} in its header, which has {', '.join(header)}: name "
            f"one with {field.option}"
        )
        if not self._source.file.delimiter and len(header) == 1:
            message += ", or the character between cells with --delimiter"
        raise InputError(message)
