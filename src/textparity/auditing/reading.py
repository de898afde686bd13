"""Read the texts of a source one by one: lines, fields of records, web pages or datasets, compressed or not.

Datasets of the Hugging Face hub, or folders that contain one, are streamed by the optional package `datasets`.
"""

import csv
import io
import json
import re
import sys
from codecs import BOM_UTF32_LE
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain, dropwhile, islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from textparity.auditing import formats
from textparity.auditing.groups import GroupField, find_value, group_of, read_group_fields
from textparity.auditing.inputs import ADDRESS, DATASET, FIELDS_END, STANDARD_INPUT, InputFile, Label, Texts
from textparity.auditing.languages import read_given
from textparity.auditing.settings import AuditSettings, split_names
from textparity.auditing.web_text import decode_page, read_warc, strip_html
from textparity.compression import DAMAGE, find_compression, open_compressed
from textparity.corpora.reading import decode_line, is_damage
from textparity.errors import FetchError, InputError, MissingResourceError, how_to_install
from textparity.files import is_unicode, writable
from textparity.memory import limited_memory, system_allocator
from textparity.sources.model_files import find_mirror

BATCH_ROWS = 1000
# A line without end, such as a compressed file of zeros, must not fill the memory.
LONGEST_LINE = 64 << 20
# Maximum length of a CSV cell, in characters. Its reader holds several copies of a cell, at four bytes per character.
LONGEST_CELL = 16 << 20
# Size of a batch of Parquet, in bytes.
BATCH_SIZE = 32 << 20
# What decoding a batch may take, in bytes. It is usually near the size of a batch. With the rest of the process, this
# stays below 1 GiB.
DECODING_MEMORY = 768 << 20
# A portion is complete, and is counted, when it has so many texts or characters.
PORTION_TEXTS, PORTION_SIZE = 20_000, 1 << 20
DEFAULT_FIELD = "text"
# Parquet is read in pieces of this size.
_READ_BYTES = 1 << 18
_PARQUET = b"PAR1"
_FIRST_LINES = 5
_OBJECTS_NEEDED = (
    "each line must be one object (add --format json for a JSON array; jq -c . FILE > FILE.jsonl puts each object on a "
    "line of its own)"
)
_BY_COLUMNS = 'write it by records, in pandas with to_json(FILE, orient="records", lines=True)'
# A message names so many fields of a record.
_FIELDS_NAMED = 20
_FOR_EACH = "give a file with the name of a document for each line"
_BROKEN = (*DAMAGE, pa.ArrowInvalid)

Place = int

Text = tuple[Place, str | None, *tuple[Label, ...]]
"""A line or record (from 1) with its text, None where it has none, and its label where records are to have one."""
_Block = tuple[int, list[str], list[bytes]]
"""The number of the first line, and the lines as texts or as raw bytes."""
Line = tuple[Place, str, InputError | None]
"""A line with its text, and its error if it is not valid."""
_Record = tuple[Place, str, Any]
"""A record with its number and a name for messages. An `InputError` stands for an invalid record."""


class Fields(NamedTuple):
    """The fields or columns of a record for its text, groups, language and id (empty if not asked for).

    `a.b` is the field b within a. If the field of the text is a list of texts, each element is one text. Several
    fields, with commas between, form one text. `lexicons` is the user's folder of them, for languages of his own.
    """

    text: str = DEFAULT_FIELD
    groups: tuple[GroupField, ...] = ()
    language: str = ""
    id: str = ""
    lexicons: Path | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """The fields that form the text."""
        return split_names(self.text)

    def named(self) -> Iterator[tuple[str, str]]:
        """List each field that is read, with the option that names it."""
        yield from ((name, "--column") for name in self.texts if name)
        yield from ((group.name, "--group-by") for group in self.groups)
        yield from ((n, option) for n, option in ((self.language, "--lang-field"), (self.id, "--id-field")) if n)

    def label(self, record: Any, where: str, parts: tuple[tuple[str, int], ...] = ()) -> tuple[Label, ...]:
        """Make the label of a record, if it has one. Raises `InputError` if a group or an id is not a single value."""
        if not (self.groups or self.language or self.id or parts):
            return ()
        group = group_of(record, self.groups, where) if self.groups else ""
        language, name = None, ""
        if self.language:
            value, rest = find_value(record, self.language, where)
            language = read_given(None if rest and not isinstance(value, list) else value, self.language, self.lexicons)
        if self.id:
            value, rest = find_value(record, self.id, where)
            if rest or isinstance(value, dict | list | bytes) or value is None or value != value:
                raise InputError(f"{where}: field {self.id} has no single value; name another field with --id-field")
            name = writable(str(value))
        return (Label(group, language, name, parts),)


def fields_of(settings: AuditSettings, text: str) -> Fields:
    """List the fields that an audit with these settings reads."""
    return Fields(text, read_group_fields(settings), settings.lang_field, settings.id_field, settings.lexicon_folder)


def _raise(error: InputError) -> None:
    raise error


@dataclass(frozen=True)
class Callbacks:
    """Functions that a reader calls in addition to yielding texts.

    `on_invalid` gets the error of each invalid record, and may raise it. `on_progress` gets the number of bytes read,
    and `on_skip` the reason why a web page has no text. `on_record` gets the place of each record, even if it is
    invalid or has no text; lines of text files are not records.
    """

    on_invalid: Callable[[InputError], None] = _raise
    on_progress: Callable[[int], None] = lambda size: None
    on_skip: Callable[[str], None] = lambda reason: None
    on_record: Callable[[Place], None] = lambda place: None


DEFAULT_CALLBACKS = Callbacks()


class RecordError(InputError):
    """A CSV record is not valid. One quotation mark too many joins all `lines` up to the next one."""

    def __init__(self, message: str, first: int, last: int) -> None:
        self.lines = last - first + 1
        spans = f" (the record has {self.lines:,} lines, {first} to {last}; is a quote not closed?)"
        super().__init__(message + spans * (self.lines > 1))


def _texts_of(records: Iterable[_Record], fields: Fields, callbacks: Callbacks) -> Iterator[Text]:
    """Yield the texts of each valid record, None for a null."""
    for number, where, record in records:
        callbacks.on_record(number)
        try:
            if isinstance(record, InputError):
                raise record
            texts, parts = _read_texts(record, fields.texts, where)
            label = fields.label(record, where, parts)
        except InputError as error:
            callbacks.on_invalid(error)
        else:
            for text in texts:
                yield number, text, *label


def _read_texts(record: Any, fields: Sequence[str], where: str) -> tuple[list[str | None], tuple[tuple[str, int], ...]]:
    """Read the texts of a field, or join those of several to one (None without any), with their names and lengths."""
    if len(fields) == 1:
        return _read(record, fields[0], where), ()
    found: dict[str, str] = {}
    for field in fields:
        texts = _read(record, field, where)
        if len(texts) > 1:
            raise InputError(f"{where}: field {field} is a list, so it cannot be joined to others; name it alone")
        found.update((field, text) for text in texts if text is not None)
    return [FIELDS_END.join(found.values()) if found else None], tuple(
        (name, len(text)) for name, text in found.items()
    )


def _read(record: Any, field: str, where: str) -> list[str | None]:
    texts = list(_values(record, field, where))
    for text in texts:
        if isinstance(text, dict) and _has_row_numbers(text):
            raise InputError(
                f"{where}: field {field} has a row number for each text, so the table is by columns; {_BY_COLUMNS}"
            )
        if text is not None and not isinstance(text, str):
            raise InputError(
                f"{where}: field {field} is {type(text).__name__}, not text; name another field with --field"
            )
        if text is not None and not is_unicode(text):
            raise InputError(
                f"{where}: field {field} contains a lone surrogate, which is not a character; fix the text"
            )
    return texts


def _values(record: Any, field: str, where: str) -> Iterator[Any]:
    if isinstance(record, list):
        for element in record:
            yield from _values(element, field, where)
    elif not field or record is None:
        yield record
    elif isinstance(record, dict):
        # A name may contain dots.
        name, rest = (field, "") if field in record else field.partition(".")[::2]
        if name not in record:
            raise InputError(f"{where}: has no field {name}; {_describe_fields(record)}")
        formats.check_once(record, name, where)
        yield from _values(record[name], rest, where)
    else:
        raise InputError(f"{where}: {type(record).__name__} has no field {field}; change --field")


def _has_row_numbers(record: dict[str, Any]) -> bool:
    """Check whether the first keys of an object are 0, 1, …, as pandas numbers the rows of a table."""
    return bool(record) and all(key == str(number) for number, key in enumerate(islice(record, _FIELDS_NAMED)))


def _describe_fields(record: dict[str, Any]) -> str:
    """List the fields of a record, with the fix if it is a whole table."""
    if _has_row_numbers(record) or {"columns", "data"} <= record.keys():
        return f"it is a whole table; {_BY_COLUMNS}"
    named = ", ".join(map(str, islice(record, _FIELDS_NAMED)))
    more = len(record) - _FIELDS_NAMED
    rest = f" and {more:,} more" if more > 0 else ""
    return f"its fields are {named}{rest}: name one with --field"


def read_parquet(source: InputFile, fields: Fields, callbacks: Callbacks) -> Iterator[Text]:
    """Read the record number (from 1), text and label of each record of a Parquet file."""
    path = Path(source.name)
    try:
        with _open_parquet(path, page_checksum_verification=True) as file:
            yield from _texts_of(_parquet_records(path, file, fields, callbacks), fields, callbacks)
    except (pa.ArrowException, UnicodeDecodeError, OSError) as error:
        if not is_damage(error):
            raise InputError(f"{path}: cannot be read ({error})") from error
        raise InputError(
            f"{path}: cannot be read as Parquet ({_reason(error)}); it is damaged or incomplete: get it again"
        ) from error


@contextmanager
def _open_parquet(path: Path, **options: Any) -> Iterator[pq.ParquetFile]:
    # The file is opened here because Arrow takes names that are not valid UTF-8 for addresses. Pre-buffering would
    # hold the whole file in memory in the end, and no buffer a whole column of a row group.
    with path.open("rb") as raw:
        with system_allocator():
            file = pq.ParquetFile(raw, pre_buffer=False, buffer_size=_READ_BYTES, **options)
        with file:
            yield file


def _parquet_records(path: Path, file: pq.ParquetFile, fields: Fields, callbacks: Callbacks) -> Iterator[_Record]:
    names = file.schema_arrow.names
    columns = []
    for field, option in fields.named():
        top = field if field in names else field.partition(".")[0]
        if top not in names:
            raise InputError(f"{path}: has no column {top}; it has {', '.join(names)}: name one with {option}")
        if twice := _repeated_name(file.schema_arrow, top):
            raise InputError(f"{path}: has {twice} more than once; rename the others, and write it again")
        columns.append(top)
    share = path.stat().st_size / max(1, file.metadata.num_rows)
    number = 0
    batches = _batches(path, file, list(dict.fromkeys(columns)))
    while records := _next_records(path, batches, number + 1):
        for record in records:
            number += 1
            where = f"{path}, record {number}"
            yield number, where, InputError(f"{where}: {record}") if isinstance(record, InputError) else record
        callbacks.on_progress(round(share * len(records)))


def _next_records(path: Path, batches: Iterator[pa.RecordBatch], first: int) -> list[Any]:
    """Decode the next batch that has records. Empty at the end of the file. `first` is the number of its first record.

    Raises `InputError` if it takes more memory than `DECODING_MEMORY`. A few bytes of Parquet can stand for gigabytes,
    and its footer does not tell.
    """
    try:
        with limited_memory(DECODING_MEMORY):
            for batch in batches:
                if batch.num_rows:
                    return _records_of(batch)
    except MemoryError:
        raise InputError(
            f"{path}, record {first}: takes more than {DECODING_MEMORY >> 20:,} MiB of memory to decode, with the "
            "records after it; write the file again in smaller row groups and without DELTA_BYTE_ARRAY, or leave it "
            "out if you do not trust it"
        ) from None
    return []


def _batches(path: Path, file: pq.ParquetFile, columns: list[str]) -> Iterator[pa.RecordBatch]:
    """Read the records in batches of about `BATCH_SIZE` bytes and at most `BATCH_ROWS` records."""
    within = tuple(f"{column}." for column in columns)
    for group in range(file.num_row_groups):
        about = file.metadata.row_group(group)
        chunks = [about.column(number) for number in range(about.num_columns)]
        chunks = [chunk for chunk in chunks if f"{chunk.path_in_schema}.".startswith(within)]
        size = sum(chunk.total_uncompressed_size for chunk in chunks) // max(1, about.num_rows)
        if coded := [chunk.path_in_schema for chunk in chunks if chunk.has_dictionary_page]:
            size = max(size, _longest_value(path, group, columns, coded))
        rows = max(1, min(BATCH_ROWS, BATCH_SIZE // max(1, size)))
        # A thread would need memory of its own, and one column gains nothing from threads.
        yield from file.iter_batches(rows, row_groups=[group], columns=columns, use_threads=False)


def _longest_value(path: Path, group: int, columns: list[str], coded: list[str]) -> int:
    """Compute the length in bytes of a dictionary's longest text. A text that all records share is stored once."""
    with _open_parquet(path, read_dictionary=coded) as file:
        first = next(file.iter_batches(1, [group], columns, use_threads=False), None)
    arrays = first.columns if first else []
    longest = 0
    for array in arrays:
        if pa.types.is_struct(array.type):
            arrays += array.flatten()
        elif pa.types.is_dictionary(array.type):
            longest = max(longest, pc.max(pc.binary_length(array.dictionary)).as_py() or 0)
    return longest


def _repeated_name(schema: pa.Schema, column: str) -> str:
    """Name a column that occurs twice in a file, or a field that occurs twice within `column`. Empty if none does."""
    if schema.names.count(column) > 1:
        return f"the column {column}"
    repeated = next(_repeated_fields(schema.field(column).type), "")
    return repeated and f"the field {repeated} of the column {column}"


def _repeated_fields(kind: pa.DataType) -> Iterator[str]:
    fields = [kind.field(number) for number in range(kind.num_fields)]
    if pa.types.is_struct(kind):
        names = [field.name for field in fields]
        yield from (name for name in names if names.count(name) > 1)
    for field in fields:
        yield from _repeated_fields(field.type)


def _records_of(batch: pa.RecordBatch) -> list[Any]:
    """Convert a batch to records. One without a Python value (invalid UTF-8, date out of range) becomes an error."""
    try:
        return batch.to_pylist()
    except (ValueError, OverflowError) as error:
        if batch.num_rows == 1:
            return [InputError(_explain(batch, error))]
        return [record for row in range(batch.num_rows) for record in _records_of(batch.slice(row, 1))]


def _explain(record: pa.RecordBatch, error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"is not valid UTF-8 ({error.reason}); write the column as UTF-8"
    for name, column in zip(record.schema.names, record.columns, strict=True):
        try:
            column.to_pylist()
        except (ValueError, OverflowError):
            kind, value = column.type, ""
            if pa.types.is_temporal(kind):
                value = f", {column.view(pa.int32() if kind.bit_width == 32 else pa.int64())[0]}"
            return f"the column {name} ({kind}) has a value out of range{value}; fix it, or write null"
    return str(error)


def check_hub(names: Iterable[str]) -> None:
    """Raise `MissingResourceError` if `datasets` is not installed, or if a mirror forbids downloading a dataset."""
    if find_spec("datasets") is None:
        raise MissingResourceError(
            f"--dataset needs the package datasets, which is not installed; install the extra: {how_to_install('hub')}"
        )
    if mirror := find_mirror():
        for name in names:
            if not Path(name).is_dir():
                raise MissingResourceError(
                    f"dataset {name}: is not a folder on this machine, and with a mirror ({mirror}) nothing is "
                    "downloaded from the hub; download it beforehand and name its folder, or unset TEXTPARITY_MIRROR"
                )


def _dataset_records(source: InputFile) -> Iterator[_Record]:
    """Stream the records of a dataset's split. Raises `FetchError` if the dataset is not available."""
    check_hub([source.name])
    from datasets import load_dataset

    try:
        dataset = load_dataset(source.name, source.subset, split=source.split, streaming=True)
    except Exception as error:
        raise FetchError(
            f"dataset {source.title}: {_first_line(error)}; check its name, --subset and --split, and the network"
        ) from error
    number = 0
    try:
        for number, record in enumerate(dataset, start=1):
            yield number, f"dataset {source.title}, record {number}", record
    except Exception as error:
        # `datasets` raises many kinds of exceptions: from the network, the hub and the file format.
        raise FetchError(f"dataset {source.title}: stopped after {number} records ({_first_line(error)})") from error


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__


def read_texts(
    source: InputFile, fields: Fields, callbacks: Callbacks = DEFAULT_CALLBACKS, unit: str = formats.LINE
) -> Iterator[Texts]:
    """Read the texts of a source, in portions. `unit` is the text unit of text files.

    Raises `InputError` if a file cannot be read, and `FetchError` if a dataset is not available.
    """
    if source.problem:
        raise InputError(source.problem)
    if source.format == DATASET:
        yield from portions(_texts_of(_dataset_records(source), fields, callbacks))
    elif source.format == "parquet":
        with _explain_damage(source), Path(source.name).open("rb") as file:
            head = file.read(formats.SIGNATURE_BYTES)
            if not head.startswith(_PARQUET):
                formats.check_is_text(head, source.name)
        yield from portions(read_parquet(source, fields, callbacks))
    else:
        with _explain_damage(source), _open(source) as (stream, tell):
            done = 0
            if source.format in ("wet", "warc"):
                found = portions(_pages(source, stream, fields, callbacks))
            elif source.format == "html":
                raw = stream.read(formats.LONGEST_TEXT + 1)
                if len(raw) > formats.LONGEST_TEXT:
                    raise InputError(
                        f"{source.name}: is longer than {formats.LONGEST_TEXT >> 20} MB, too long for a web page"
                    )
                found = portions([(1, strip_html(decode_page(raw, None, source.name), source.name))])
            elif source.format == "text":
                found = _text_file(source, _blocks(source, stream), callbacks, unit)
            else:
                lines = _lines(source, _blocks(source, stream))
                if source.format == "json":
                    records = _json_records(source, lines, callbacks)
                elif source.format == "jsonl":
                    records = _jsonl_records(source, lines)
                else:
                    records = _csv_records(source, lines, fields)
                found = portions(_texts_of(records, fields, callbacks))
            for portion in found:
                yield portion
                now = tell()
                callbacks.on_progress(now - done)
                done = now
            callbacks.on_progress(tell() - done)


def _pages(source: InputFile, stream: BinaryIO, fields: Fields, callbacks: Callbacks) -> Iterator[Text]:
    """Yield the text of each page of a WARC file. Its only field is its address."""
    pages = read_warc(stream, source.name, callbacks.on_invalid, callbacks.on_skip, callbacks.on_record)
    for number, text, address in pages:
        try:
            label = fields.label({ADDRESS: address}, f"{source.name}, record {number}")
        except InputError as error:
            callbacks.on_invalid(error)
        else:
            yield number, text, *label


def warn_about_records(lines: Iterable[str]) -> str:
    """Warn if the first lines of a text look like records. Returns an empty string if they do not."""
    first = [line for line in lines if line.strip()][:_FIRST_LINES]
    format = "json" if first and re.match(r"\s*\[\s*(\{|$)", first[0]) else ""
    with suppress(ValueError, RecursionError):
        if first and all(isinstance(json.loads(line), dict) for line in first):
            format = "jsonl"
    what = "its first lines look like JSON, so its syntax and field names are counted, too"
    return f"{what}; add --format {format}, and --field NAME" if format else ""


def portions(texts: Iterable[Text]) -> Iterator[Texts]:
    """Collect single texts into portions."""
    places: list[Place] = []
    portion: list[str | None] = []
    labels: list[Label] = []
    characters = 0
    for place, text, *label in texts:
        places.append(place)
        portion.append(text)
        labels += label
        characters += len(text or "")
        if len(portion) >= PORTION_TEXTS or characters >= PORTION_SIZE:
            yield Texts(places, portion, labels)
            places, portion, labels, characters = [], [], [], 0
    if portion:
        yield Texts(places, portion, labels)


def _text_file(source: InputFile, blocks: Iterator[_Block], callbacks: Callbacks, unit: str) -> Iterator[Texts]:
    if source.documents:
        documents = formats.read_documents(Path(source.documents))
        valid = _valid(_with_documents(source, _lines(source, blocks), documents), callbacks)
        yield from portions(_numbered(formats.join_documents(valid, documents, source.name), callbacks))
    elif unit != formats.LINE:
        joined = formats.join_lines(_valid(_lines(source, blocks), callbacks), unit, source.name)
        # Paragraphs follow each other in one document.
        found = portions(_numbered(joined, callbacks))
        yield from (portion._replace(are_parts=unit == formats.PARAGRAPH) for portion in found)
    else:
        for first, lines, raw in blocks:
            if not raw:
                yield Texts(range(first, first + len(lines)), lines, are_parts=True)
            elif kept := list(_valid(_lines(source, [(first, lines, raw)]), callbacks)):
                raw.clear()
                places, texts = zip(*kept, strict=True)
                del kept
                yield Texts(places, texts, are_parts=True)


def _numbered(texts: Iterable[tuple[Place, str]], callbacks: Callbacks) -> Iterator[Text]:
    for place, text in texts:
        callbacks.on_record(place)
        yield place, text


def _reason(error: Exception) -> str:
    return str(error).partition("\n")[0].rstrip(". ")


@contextmanager
def _explain_damage(source: InputFile) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{source.name}: no such file") from None
    except _BROKEN as error:
        raise InputError(
            f"{source.name}: cannot be read ({_reason(error)}); if it is compressed, it is damaged or incomplete: get "
            "it again"
        ) from error


@contextmanager
def _open(source: InputFile) -> Iterator[tuple[BinaryIO, Callable[[], int]]]:
    """Open a source, together with a function that returns the number of bytes read so far."""
    with ExitStack() as stack:
        is_file = source.name != STANDARD_INPUT
        raw = (
            stack.enter_context(Path(source.name).open("rb")) if is_file else cast(io.BufferedReader, sys.stdin.buffer)
        )
        compression = find_compression(Path(source.name).suffix.lower(), raw.peek(1))
        stream = stack.enter_context(open_compressed(raw, compression, source.name)) if compression else raw
        formats.check_is_text(stream.peek(formats.SIGNATURE_BYTES), source.name)
        # Each WARC record has an encoding of its own.
        if source.encoding not in ("", "utf-8") and source.format not in ("warc", "wet"):
            recoded = cast(io.RawIOBase, formats.Recoded(stream, source.encoding, source.name))
            stream = io.BufferedReader(recoded, 1 << 18)
        # A pipe has no position.
        yield stream, raw.tell if is_file and raw.seekable() else lambda: 0


def _blocks(source: InputFile, stream: BinaryIO) -> Iterator[_Block]:
    """Read many lines of a file at a time: as texts, or as raw bytes with their ends if one needs a closer look."""
    number, waiting, is_old_mac = 1, bytearray(), False
    while block := stream.read(PORTION_SIZE):
        if is_old_mac:
            block = block.replace(b"\r", b"\n")
        end = block.rfind(b"\n") + 1
        if end:
            lines, rest = bytes(waiting) + block[:end], block[end:]
            following = number + lines.count(b"\n")
            # Nothing of a long line is held while it is counted.
            waiting.clear()
            found = [_decoded(number, lines)]
            del lines
            yield found.pop()
            number = following
            waiting += rest
        else:
            waiting += block
        if len(waiting) >= LONGEST_LINE:
            if number > 1 or b"\r" not in waiting:
                raise _too_long(source, number)
            is_old_mac = True
            end = waiting.rfind(b"\r") + 1
            old = list(io.BytesIO(waiting[:end].replace(b"\r", b"\n")))
            yield number, [], old
            number += len(old)
            del waiting[:end]
    if waiting:
        # If a file contains no LF, its lines end in CR, as on old Macs.
        rest = bytes(waiting).replace(b"\r", b"\n") if number == 1 else bytes(waiting)
        yield number, [], list(io.BytesIO(rest))


def _decoded(number: int, block: bytes) -> _Block:
    if number > 1 and b"\0" not in block and len(block) < LONGEST_LINE:
        with suppress(UnicodeDecodeError):
            lines = block.decode().split("\n")
            # Remove the empty text after the last line end.
            lines.pop()
            return number, [line.removesuffix("\r") for line in lines] if b"\r" in block else lines, []
    return number, [], list(io.BytesIO(block))


def _too_long(source: InputFile, number: int) -> InputError:
    return InputError(
        f"{source.name}, line {number}: is longer than {LONGEST_LINE >> 20} MB; this is not a text with line ends"
    )


def _lines(source: InputFile, blocks: Iterable[_Block]) -> Iterator[Line]:
    for first, lines, raw in blocks:
        yield from ((number, line, None) for number, line in enumerate(lines, start=first))
        for number, line in enumerate(raw, start=first):
            yield _look_at(source, number, line)


def _look_at(source: InputFile, number: int, raw: bytes) -> Line:
    if len(raw) >= LONGEST_LINE:
        raise _too_long(source, number)
    if number == 1 and raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        wide = "utf-32" if raw.startswith(BOM_UTF32_LE) else "utf-16"
        raise InputError(f"{source.name}: is {wide.upper()}; add --encoding {wide}")
    try:
        if b"\0" in raw:
            fix = formats.guess_wide(raw) or "utf-16-le, or utf-16-be"
            raise InputError(
                f"{source.name}, line {number}: has a NUL byte, so it is not text in UTF-8; if it is UTF-16, add "
                f"--encoding {fix}; if it is a tar archive, unpack it; if a program made it, export its text"
            )
        return number, decode_line(raw, number, source.name), None
    except InputError as error:
        return number, raw.decode("utf-8", "replace").rstrip("\r\n"), error


def _with_documents(source: InputFile, lines: Iterator[Line], documents: Sequence[str]) -> Iterator[Line]:
    """Pass lines on. Raises `InputError` if their number differs from the number of document names."""
    last = 0
    for line in lines:
        last = line[0]
        if last > len(documents):
            raise InputError(f"{source.name}: has more lines than {source.documents} ({len(documents):,}); {_FOR_EACH}")
        yield line
    if last < len(documents):
        raise InputError(f"{source.name}: has {last:,} lines, {source.documents} {len(documents):,}; {_FOR_EACH}")


def _valid(lines: Iterator[Line], callbacks: Callbacks) -> Iterator[tuple[Place, str]]:
    for number, text, error in lines:
        if error:
            callbacks.on_invalid(error)
        else:
            yield number, text


def _json_records(source: InputFile, lines: Iterator[Line], callbacks: Callbacks) -> Iterator[_Record]:
    """Read the records of a JSON array, or of JSON lines."""
    lines = dropwhile(lambda line: not line[2] and not line[1].strip(), lines)
    first = next(lines, None)
    if first is None:
        return
    lines = chain([first], lines)
    if not first[1].lstrip().startswith("["):
        yield from _jsonl_records(source, lines)
        return
    valid = (line for _, line in _valid(lines, callbacks))
    for number, record in enumerate(formats.read_array(valid, source.name), start=1):
        where = f"{source.name}, record {number}"
        yield number, where, _check_object(record, where)


def _jsonl_records(source: InputFile, lines: Iterator[Line]) -> Iterator[_Record]:
    first_lines = list(islice(lines, _FIRST_LINES))
    _check_one_per_line(source, [text for _, text, _ in first_lines if text.strip()])
    for number, line, damage in chain(first_lines, lines):
        where = f"{source.name}, line {number}"
        if damage:
            yield number, where, damage
        elif line.strip():
            try:
                record = formats.DECODER.decode(line)
            except (ValueError, RecursionError) as error:
                record = InputError(f"{where}: cannot be read as JSON ({error}); {_OBJECTS_NEEDED}")
            yield number, where, _check_object(record, where, f"; {_OBJECTS_NEEDED}")


def _is_object(line: str) -> bool:
    """Check whether a line is a whole object of JSON."""
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _check_one_per_line(source: InputFile, first_lines: Sequence[str]) -> None:
    """Raise `InputError` if an object begins in the first line and goes on in the second one."""
    if len(first_lines) < 2 or not first_lines[0].lstrip().startswith("{"):
        return
    first, second = first_lines[0].rstrip(), first_lines[1].lstrip()
    try:
        json.loads(first)
    except json.JSONDecodeError as error:
        # A record that is cut off looks alike, but another record follows it.
        goes_on = first.endswith(("{", "[")) or not second.startswith("{")
        closes = len(first_lines) > 2 and first_lines[2].lstrip().startswith(("]", "}"))
        if error.pos >= len(first) and goes_on and (closes or not _is_object(second)):
            raise InputError(
                f"{source.name}: has JSON objects of several lines, not one on each line; convert it: jq -c . FILE > "
                "FILE.jsonl; or jq -c '.KEY[]' FILE > FILE.jsonl if the records are the list KEY of one object"
            ) from None
    except (ValueError, RecursionError):
        # The record gets its own error.
        return


def _check_object(record: Any, where: str, fix: str = "") -> Any:
    """Replace a record that is not an object by an error."""
    if isinstance(record, dict | InputError):
        return record
    if isinstance(record, str):
        fix = "; make objects of the texts, for instance with jq -c '.. | strings | {text: .}' FILE > FILE.jsonl"
    elif isinstance(record, list) and not fix:
        fix = f"; make objects of the lists: {_BY_COLUMNS}"
    return InputError(f"{where}: is {type(record).__name__}, not a JSON object{fix}")


def _csv_records(source: InputFile, lines: Iterator[Line], fields: Fields) -> Iterator[_Record]:
    last = 0
    damage: InputError | None = None

    def with_ends() -> Iterator[str]:
        nonlocal last, damage
        for number, line, error in lines:
            last = number
            damage = damage or error
            yield f"{line}\n"

    # TSV has no quoting (IANA, text/tab-separated-values), and many texts begin with a quotation mark.
    if source.format == "tsv":
        reader = csv.reader(with_ends(), strict=True, delimiter="\t", quoting=csv.QUOTE_NONE)
    else:
        reader = csv.reader(with_ends(), strict=True, delimiter=source.delimiter or ",")
    header: list[str] = []
    columns: dict[str, int] = {}
    while True:
        first, damage = last + 1, None
        where = f"{source.name}, line {first}"
        try:
            # A record may be long. The module's field limit is global, so it is restored.
            usual_limit = csv.field_size_limit(LONGEST_CELL)
            try:
                cells = next(reader)
            finally:
                csv.field_size_limit(usual_limit)
            if damage:
                raise damage
            if header and cells and len(cells) != len(header):
                raise InputError(f"{where}: has {len(cells)} cells, but the header {len(header)}")
        except StopIteration:
            return
        except csv.Error as error:
            if "field limit" in str(error):
                # Otherwise the rest of the quoted cell would be read as records.
                raise InputError(
                    f"{where}: has a cell of more than {LONGEST_CELL >> 20} million characters; split it"
                ) from None
            yield first, where, RecordError(f"{where}: cannot be read as CSV ({error}); fix the quotes", first, last)
        except InputError as error:
            if not header:
                raise
            yield first, where, RecordError(str(error), first, last)
        else:
            if not header:
                header = cells
                columns = {field: _column(source, header, field, option) for field, option in fields.named()}
            elif cells:
                yield first, where, {field: cells[column] for field, column in columns.items()}


def _column(source: InputFile, header: list[str], field: str, option: str) -> int:
    if header.count(field) != 1:
        times = "twice" if field in header else "not"
        raise InputError(
            f"{source.name}: column {field} is {times} in its header, which has {', '.join(header)}: name one with "
            f"{option}"
            + ("" if source.delimiter or len(header) > 1 else ", or the character between cells with --delimiter")
        )
    return header.index(field)
