"""The formats that are read. A format is a row here and a module with the function that reads it.

A reader takes a `SourceAccess` and yields a `Document` for each text. Its file is opened with `SourceAccess.open`.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, cast

from textparity.errors import ConfigError
from textparity.reading.options import ADDRESS, DATASET, DEFAULT_FIELD, LINE, TEXT_UNITS, UTF_8

if TYPE_CHECKING:
    from textparity.reading.documents import Document, Texts
    from textparity.reading.sources import SourceAccess

    Reader = Callable[[SourceAccess], Iterator[Document | Texts]]


@dataclass(frozen=True)
class Format:
    """A format: the name that chooses it, its name in messages, its reader, and the options that it takes.

    `reader` names a module of this package and its function, as `module:function`; it is imported when it is needed.
    `endings` are those of its files' names. `text_units` are the units of a text that it can be read in, if there is a
    choice. `fields` are the only fields that its texts have if it has no records, whose fields may be any. `is_html`:
    its texts are extracted from HTML anyway. `is_streamed` is false if it cannot be read from a pipe, `is_in_folders`
    if its files are read only if they are named, and `is_file` if it is no file.
    """

    name: str
    title: str
    reader: str
    endings: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    text_units: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    is_html: bool = False
    is_streamed: bool = True
    is_in_folders: bool = True
    is_file: bool = True

    def read(self, source: "SourceAccess") -> "Iterator[Document | Texts]":
        """Read the texts of a source."""
        module, _, function = self.reader.partition(":")
        read = cast("Reader", getattr(import_module(f"{__package__}.{module}"), function))
        return read(source)

    @property
    def has_records(self) -> bool:
        """Whether its texts are fields of records, so that options may name any field."""
        return FIELD in self.options


DOCUMENTS, FIELD = "--documents", "--field"
_ENCODING, _DELIMITER, _TEXT_UNIT = "--encoding", "--delimiter", "--text-unit"
TEXT_FORMAT = Format(
    "text", "plain text", "text:read", (".txt", ".text"), (_ENCODING, DOCUMENTS), text_units=TEXT_UNITS
)
_ROWS = (
    TEXT_FORMAT,
    # In a folder, a file of JSON usually describes the texts.
    Format("json", "JSON", "json_array:read", (".json",), (_ENCODING, FIELD), is_in_folders=False),
    Format("jsonl", "JSON lines", "jsonl:read", (".jsonl", ".ndjson"), (_ENCODING, FIELD)),
    Format("csv", "CSV", "csv_table:read", (".csv",), (_ENCODING, FIELD, _DELIMITER)),
    Format("tsv", "TSV", "csv_table:read_tsv", (".tsv",), (_ENCODING, FIELD)),
    Format("parquet", "Parquet", "parquet:read", (".parquet",), (FIELD,), is_streamed=False),
    Format("html", "HTML", "html:read", (".html", ".htm", ".xhtml"), (_ENCODING,), is_html=True),
    Format("warc", "WARC", "warc:read", (".warc",), fields=(ADDRESS,), is_html=True),
    Format("wet", "WET", "warc:read", (".wet",), fields=(ADDRESS,), is_html=True),
    Format(DATASET, "a dataset", "hub:read", options=(FIELD,), is_file=False),
)
FORMATS = {row.name: row for row in _ROWS}
# The formats that a user can name.
FILE_FORMATS = tuple(row.name for row in _ROWS if row.is_file)
# The modules of the readers, which are chosen at run time.
READER_MODULES = tuple(sorted({f"{__package__}.{row.reader.partition(':')[0]}" for row in _ROWS}))
# The format of a file by the end of its name.
FORMAT_BY_ENDING = {ending: row for row in _ROWS for ending in row.endings}
ENDINGS_IN_FOLDERS = tuple(ending for ending, row in FORMAT_BY_ENDING.items() if row.is_in_folders)


def format_named(name: str) -> Format:
    """Look up a format that a user named. Raises `ConfigError` for an unknown one."""
    if name not in FILE_FORMATS:
        raise ConfigError(f"format {name!r} is not one of {', '.join(FILE_FORMATS)}")
    return FORMATS[name]


def options_taken(source: "SourceAccess") -> Iterator[str]:
    """List the options that the user gave for how a source is read, and that its format takes."""
    form = FORMATS[source.file.format]
    for option in _given_options(source):
        is_taken = source.options.text_unit in form.text_units if option == _TEXT_UNIT else option in form.options
        if is_taken:
            yield option


def why_not_read(source: "SourceAccess", taken: Collection[str] = ()) -> str:
    """Explain why a source cannot be read with its options. Empty if it can.

    Options in `taken` may be ignored by this source, because another one takes them.
    """
    file, options = source.file, source.options
    form = FORMATS[file.format]
    if not form.has_records:
        for field in options.other_fields():
            if not form.fields:
                return f"{file.name}: has no records, so no field {field.name}; remove the file, or {field.option}"
            if field.name not in form.fields or field.option == "--lang-field":
                known = f"pages of a crawl have only the field {', '.join(form.fields)}"
                return f"{file.name}: {known}, not {field.name}; change {field.option}"
    own = {*taken, *options_taken(source)}
    for option in _given_options(source):
        if option not in own:
            return f"{file.title}: is {form.title}, which does not take {option}; remove the file, or {option}"
    return ""


def _given_options(source: "SourceAccess") -> Iterator[str]:
    """List the options that the user gave for how a source is read."""
    file, options = source.file, source.options
    if file.encoding not in ("", UTF_8):
        yield _ENCODING
    if file.delimiter:
        yield _DELIMITER
    if options.field != DEFAULT_FIELD:
        yield FIELD
    if options.text_unit != LINE:
        yield _TEXT_UNIT
