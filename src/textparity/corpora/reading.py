"""Read corpora: text files in their original form, converted to rows of `id, doc_id, lang, text`."""

import json
import logging
from collections.abc import Generator, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from textparity.errors import FetchError, InputError
from textparity.files import atomic_path, decode_line, split_lines
from textparity.sources.archives import open_member

METADATA_KEY = b"textparity"
# Each row group takes memory in the file's footer as long as the file is open, so a few large ones keep memory
# constant.
ROW_GROUP_ROWS = 50_000
ROW_GROUP_BYTES = 32 << 20

TEXT_SCHEMA = pa.schema([("id", pa.string()), ("doc_id", pa.string()), ("lang", pa.string()), ("text", pa.string())])


class BatchWriter:
    """A Parquet file that is being written. Rows wait until they fill a row group."""

    def __init__(self, file: pq.ParquetWriter, row_group_bytes: int) -> None:
        self.metadata: dict[str, Any] | None = None
        self._file = file
        self._row_group_bytes = row_group_bytes
        self._waiting: list[pa.Table] = []

    def write(self, batch: list[dict[str, Any]]) -> None:
        """Add rows."""
        self.write_table(pa.Table.from_pylist(batch, schema=self._file.schema))

    def write_table(self, table: pa.Table) -> None:
        """Add rows in the form of a table."""
        self._waiting.append(table)
        rows = sum(waiting.num_rows for waiting in self._waiting)
        size = sum(waiting.nbytes for waiting in self._waiting)
        if rows >= ROW_GROUP_ROWS or size >= self._row_group_bytes:
            self._flush()

    def finish(self) -> None:
        """Write the waiting rows, and the metadata if there are any."""
        self._flush()
        if self.metadata:
            self._file.add_key_value_metadata({METADATA_KEY: json.dumps(self.metadata, sort_keys=True)})

    def _flush(self) -> None:
        if any(self._waiting):
            self._file.write_table(pa.concat_tables(self._waiting))
        self._waiting.clear()


@contextmanager
def open_batches(path: Path, schema: pa.Schema, row_group_bytes: int = ROW_GROUP_BYTES) -> Iterator[BatchWriter]:
    """Open `path` for rows that come in batches. It is written completely or not at all.

    Memory holds one row group. If `metadata` is set before the block ends, it becomes the file's.
    """
    with atomic_path(path) as part, fill_batches(part, schema, row_group_bytes) as writer:
        yield writer


@contextmanager
def fill_batches(
    part: Path | IO[bytes], schema: pa.Schema, row_group_bytes: int = ROW_GROUP_BYTES
) -> Iterator[BatchWriter]:
    """Open a temporary path of `textparity.files.atomic_path`, or a temporary file, as `open_batches` opens a file."""
    with (
        _opened(part, "wb") as raw,
        pq.ParquetWriter(raw, schema, compression="zstd", write_page_checksum=True) as file,
    ):
        writer = BatchWriter(file, row_group_bytes)
        yield writer
        writer.finish()


def write_batches(path: Path, schema: pa.Schema, batches: Iterable[list[dict[str, Any]]]) -> None:
    """Write lists of rows to `path`. If a generator of them returns a dict, this becomes the file's metadata."""
    with open_batches(path, schema) as writer:
        batches = iter(batches)
        while True:
            try:
                batch = next(batches)
            except StopIteration as end:
                writer.metadata = end.value
                break
            writer.write(batch)


def read_batches(path: Path, size: int, columns: list[str] | None = None) -> Iterator[dict[str, list[Any]]]:
    """Read batches of at most `size` rows as columns of Python values."""
    for batch in iterate_batches(path, size, columns):
        yield batch.to_pydict()


def iterate_batches(path: Path | IO[bytes], size: int, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
    """Read batches of at most `size` rows as Arrow record batches."""
    with _open_parquet(path) as file:
        yield from file.iter_batches(batch_size=size, columns=columns)


def read_rows(path: Path, columns: list[str] | None = None, where: pc.Expression | None = None) -> pa.Table:
    """Read all rows, or those for which `where` holds, with all or some columns."""
    with _open_parquet(path) as file:
        # Not in threads, and not with `pq.read_table`: a thread of Arrow that releases the file while Python ends
        # aborts the process, about once in 200 times.
        if where is None:
            return file.read(columns, use_threads=False)
        # Without row groups, the table still needs its columns.
        tables = [file.read_row_groups([], columns, use_threads=False).filter(where)]
        for index in range(file.num_row_groups):
            group = file.read_row_groups([index], columns, use_threads=False)
            tables.append(group.filter(where))
        return pa.concat_tables(tables)


def _read_footer(path: Path) -> pq.FileMetaData:
    with _damage_named(path), path.open("rb") as raw:
        return pq.read_metadata(raw)


def read_metadata(path: Path) -> dict[str, Any]:
    """Read the metadata that `write_batches` put into `path`. Empty if there are none."""
    with _damage_named(path):
        metadata = _read_footer(path).metadata or {}
        return json.loads(metadata.get(METADATA_KEY, b"{}"))


def read_schema(path: Path) -> pa.Schema:
    """Read the names and types of the columns of `path`."""
    with _damage_named(path), path.open("rb") as raw:
        return pq.read_schema(raw)


def count_rows(path: Path) -> int:
    """Read the number of rows from the footer."""
    return _read_footer(path).num_rows


def is_damage(error: Exception) -> bool:
    """Check whether reading Parquet failed because of the file's content."""
    # Errors of the system, such as a missing file or permission, have a number or a class of their own.
    return not isinstance(error, OSError) or (type(error) is OSError and error.errno is None)


def _opened(path: Path | IO[bytes], mode: str) -> AbstractContextManager[IO[bytes]]:
    """Open a file by its name, because Arrow takes names that are not valid UTF-8, or have a colon, for addresses."""
    return path.open(mode) if isinstance(path, Path) else nullcontext(path)


@contextmanager
def _open_parquet(path: Path | IO[bytes]) -> Iterator[pq.ParquetFile]:
    # Pre-buffering would hold the whole file in memory in the end.
    options = {"page_checksum_verification": True, "pre_buffer": False}
    with _damage_named(path), _opened(path, "rb") as raw, pq.ParquetFile(raw, **options) as file:
        yield file


@contextmanager
def _damage_named(path: Path | IO[bytes]) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, ValueError, OSError) as error:
        if not is_damage(error):
            raise
        reason = str(error).partition("\n")[0].rstrip(". ")
        raise InputError(
            f"{path}: cannot be read as Parquet ({reason}); it is truncated or damaged: delete it and run again"
        ) from error


log = logging.getLogger(__name__)

BATCH_ROWS = 1000
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_corpus(
    source: Path,
    texts: Path,
    corpus: str,
    lang: str,
    member: str = "",
    pinned_sha256: str = "",
    document_ids: Path | None = None,
    documents: str = "",
) -> None:
    """Read `source` (or `member` of an archive) into the Parquet file `texts`, with one text per line.

    `id` consists of the corpus and the line's number, the same in every language of a parallel corpus. Line ends (LF or
    CRLF) are not part of the text; nothing else is changed. `document_ids` has a document's id for each line, and
    `documents` is the cell of the corpora table (`Corpus`) that locates it there. Raises `InputError` for invalid
    UTF-8, an empty file or document ids that do not match the lines, `FetchError` if the bytes read do not have the
    hash `pinned_sha256`.
    """
    if not source.exists():
        raise InputError(f"{source}: no such file; see the path column of resources/registry/corpora.tsv")
    name = f"{source}, member {member}" if member else str(source)
    doc_ids = None
    if document_ids:
        doc_ids = _DocumentIds(document_ids, read_document_ids(document_ids, documents, bool(member)), name)

    def batches() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        counts = {"lines": 0, "blank": 0, "crlf": 0}
        digest = sha256()
        with open_member(source, member) if member else source.open("rb") as stream:
            numbered = enumerate(stream, start=1)
            while lines := list(islice(numbered, BATCH_ROWS)):
                rows = []
                for number, raw in lines:
                    digest.update(raw)
                    text = decode_line(raw, number, name)
                    counts["lines"] += 1
                    counts["crlf"] += raw.endswith(b"\r\n")
                    counts["blank"] += not text.strip()
                    doc_id = doc_ids.of_line(number) if doc_ids else f"{number:06d}"
                    rows.append({"id": f"{corpus}/{number:06d}", "doc_id": doc_id, "lang": lang, "text": text})
                yield rows
        if counts["lines"] == 0:
            raise InputError(f"{name}: the file is empty; write one text per line, or remove its row")
        if doc_ids:
            doc_ids.require_lines(counts["lines"])
        if pinned_sha256 and digest.hexdigest() != pinned_sha256:
            raise FetchError(
                f"{name}: has sha256 {digest.hexdigest()}, not {pinned_sha256} as in "
                f"resources/registry/source_files.tsv; it was damaged after its download: delete {source} and run "
                "again, which downloads it again"
            )
        log.info("%s: %s", name, ", ".join(f"{count:,} {what}" for what, count in counts.items()))
        return counts

    write_batches(texts, TEXT_SCHEMA, batches())


@dataclass(frozen=True)
class _DocumentIds:
    """The document id of each line of the corpus `name`, from the file `path`."""

    path: Path
    ids: list[str]
    name: str

    def of_line(self, number: int) -> str:
        """Look up the id of a line (from 1). Raises `InputError` if there are more lines than ids."""
        if number > len(self.ids):
            raise InputError(f"{self.path}: has {len(self.ids)} document ids, but {self.name} has more lines")
        return self.ids[number - 1]

    def require_lines(self, lines: int) -> None:
        """Raise `InputError` if there are more ids than lines."""
        if len(self.ids) != lines:
            raise InputError(
                f"{self.path}: has {len(self.ids)} document ids, but {self.name} has {lines} lines; "
                "there must be one id per line"
            )


def read_document_ids(path: Path, documents: str, is_archive: bool) -> list[str]:
    """Read the document id of each line: a line of a text file, or a cell of a tab-separated table."""
    inside, _, column = documents.partition("#")
    member = inside if is_archive else ""
    name = f"{path}, member {member}" if member else str(path)
    with open_member(path, member) if member else path.open("rb") as stream:
        try:
            lines = split_lines(stream.read().decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise InputError(f"{name}: byte {error.start + 1} is not valid UTF-8; re-encode the file") from None
    return _read_column(lines, column, name) if column else lines


def _read_column(lines: list[str], column: str, name: str) -> list[str]:
    """Read the cells of a column from the lines of the table `name`. Raises `InputError` if one is empty."""
    header = lines[0].split("\t") if lines else [""]
    if column not in header:
        raise InputError(f"{name}: has no column {column}; it has {', '.join(header)}: correct document_ids")
    index = header.index(column)
    ids = []
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split("\t")
        doc_id = cells[index].strip() if index < len(cells) else ""
        if not doc_id:
            raise InputError(f"{name}, line {number}: the cell of {column} is empty; it must name the line's document")
        ids.append(doc_id)
    return ids
