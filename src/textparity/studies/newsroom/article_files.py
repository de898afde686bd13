"""The files of a corpus of articles, as pieces: the bytes of every article, and all bytes between them.

Reading takes the articles; writing the corpus again without some of them copies the bytes of the others. Memory holds
one article; in `taz_json` one file, in `parquet` one batch.
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from itertools import count, groupby, zip_longest
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from textparity.corpora.reading import BYTE_ORDER_MARK
from textparity.corpora.rows import is_damage
from textparity.errors import InputError
from textparity.studies.newsroom.article_fields import Article, ArticleForm, find_field
from textparity.studies.newsroom.cutting import cut_csv, cut_json

BATCH_ROWS = 1000
TWICE = "its id stands twice; the first article is taken"


class Piece(NamedTuple):
    """Bytes of a file (and of the file of document ids, if there is one): an article, or what is between articles.

    `glue` goes before the bytes if an article of the same file was written before.
    """

    raws: tuple[bytes, ...]
    article: Article | None = None
    glue: bytes = b""


class ArticleFiles:
    """The files of one corpus, each to be read once and in order: numbers and ids go from one to the next.

    `form` has the columns of `ArticleForm`. `names` are the files' names below the folder that they have in common.
    Memory: an 8-byte hash of each id (about 100 bytes with what Python adds).
    """

    def __init__(self, sources: Sequence[Path], form: dict[str, str], document_ids: Path | None = None) -> None:
        self.form = ArticleForm(**form)
        self.document_ids = document_ids
        paths = [*sources, document_ids] if document_ids else list(sources)
        _check_paths(sources, paths, self.form.format)
        root = os.path.commonpath([path.absolute().parent for path in paths])
        self.names = {path: path.absolute().relative_to(root).as_posix() for path in paths}
        self._numbers = count(1)
        self._taken: set[bytes] = set()

    def articles(self, source: Path) -> Iterator[Article]:
        """Yield every record of a file, also those that cannot be taken."""
        if self.form.format == "parquet":
            for _, articles in self.batches(source, whole=False):
                yield from articles
        else:
            for piece in self.pieces(source):
                if piece.article:
                    yield piece.article

    def pieces(self, source: Path) -> Iterator[Piece]:
        """Yield all bytes of a file; raises `InputError` if it has not the columns that the form names."""
        if self.form.format == "taz_json":
            yield from self._json_pieces(source)
            return
        readers: dict[str, Callable[[Path, BinaryIO], Iterator[Piece]]] = {
            "csv": self._csv_pieces, "jsonl": self._jsonl_pieces, "lines": self._line_pieces,
        }  # fmt: skip
        with source.open("rb") as stream:
            if stream.read(len(BYTE_ORDER_MARK)) == BYTE_ORDER_MARK:
                # It belongs to the file, not to its first article.
                yield Piece((BYTE_ORDER_MARK, b""))
            else:
                stream.seek(0)
            yield from readers[self.form.format](source, stream)

    def batches(self, source: Path, whole: bool) -> Iterator[tuple[pa.RecordBatch | None, list[Article]]]:
        """Yield the rows of a Parquet file (all columns if `whole`) with their articles; None where it is damaged."""
        done = 0
        try:
            with pq.ParquetFile(source, page_checksum_verification=True) as file:
                columns = self._columns_of(source, file.schema_arrow.names)
                for batch in file.iter_batches(BATCH_ROWS, columns=None if whole else columns):
                    records = enumerate(batch.select(columns).to_pylist(), start=done + 1)
                    yield batch, [self._make_article(source, f"record {number}", record) for number, record in records]
                    done += batch.num_rows
        except (pa.ArrowInvalid, OSError) as error:
            if not is_damage(error):
                raise
            reason = str(error).partition("\n")[0].rstrip(". ")
            yield None, [Article(f"after record {done}" if done else "", reason=f"the file is damaged ({reason})")]

    def _columns_of(self, source: Path, names: list[str]) -> list[str]:
        """Return the top columns of the fields."""
        tops = {field: field if field in names else field.partition(".")[0] for field in self.form.fields}
        for field, top in tops.items():
            if top not in names:
                raise _no_column(source, field, names)
        return list(dict.fromkeys(tops.values()))

    def _make_article(self, source: Path, place: str, record: dict[str, Any], key: str | None = None) -> Article:
        """Return the article of a record; `key` is its id where that is no field."""
        form, number = self.form, next(self._numbers)
        text = find_field(record, form.text)
        if text is None and form.format == "taz_json":
            # In a list of articles, the text may be a string where an object of articles has it one level deeper.
            above = find_field(record, form.text.partition(".")[0])
            text = above if isinstance(above, str) else None
        group = find_field(record, form.group_field) if form.group_field else None
        if key is None and not form.id:
            article = form.make_article(place, self.names[source], f"{number:06d}", text, group)
            # Its line says more than a number that nobody has seen.
            return article._replace(doc_id="") if article.reason else self._once(article)
        doc_id = key if key is not None else find_field(record, form.id)
        return self._once(form.make_article(place, self.names[source], doc_id, text, group))

    def _once(self, article: Article) -> Article:
        """Return the article, with a reason not to take it if its id was taken before."""
        if article.reason:
            return article
        digest = blake2b(article.doc_id.encode(), digest_size=8).digest()
        if digest in self._taken:
            return article._replace(reason=TWICE)
        self._taken.add(digest)
        return article

    def _malformed(self, place: str, reason: str, doc_id: str = "") -> Article:
        next(self._numbers)
        return Article(place, doc_id, reason=reason)

    def _json_pieces(self, source: Path) -> Iterator[Piece]:
        raw = source.read_bytes()
        try:
            head, elements, tail = cut_json(raw.decode())
        except (ValueError, RecursionError) as error:
            yield Piece((raw,), Article("", reason=f"the file cannot be read as JSON ({error})"))
            return
        yield Piece((head.encode(),))
        for number, (glue, text, key, value) in enumerate(elements, start=1):
            place = f"record {number}"
            if isinstance(value, dict):
                article = self._make_article(source, place, value, key)
            else:
                article = self._malformed(place, "it is no JSON object", key or "")
            yield Piece((text.encode(),), article, glue.encode())
        yield Piece((tail.encode(),))

    def _jsonl_pieces(self, source: Path, stream: BinaryIO) -> Iterator[Piece]:
        for number, raw in enumerate(stream, start=1):
            if not raw.strip():
                yield Piece((raw,))
                continue
            place = f"line {number}"
            try:
                record = json.loads(raw.decode())
            except UnicodeDecodeError as error:
                article = self._malformed(place, _not_utf8(error))
            except (ValueError, RecursionError) as error:
                article = self._malformed(place, f"it cannot be read as JSON ({error})")
            else:
                if isinstance(record, dict):
                    article = self._make_article(source, place, record)
                else:
                    article = self._malformed(place, "it is no JSON object")
            yield Piece((raw,), article)

    def _csv_pieces(self, source: Path, stream: BinaryIO) -> Iterator[Piece]:
        names: list[str] = []
        for start, lines, cells in cut_csv(stream, self.form.delimiter, self.form.quote):
            raw = b"".join(lines)
            if not cells:
                yield Piece((raw,))
                continue
            if not names and self.form.has_header:
                names = self._csv_names(source, cells)
                yield Piece((raw,))
                continue
            if not names and isinstance(cells, list):
                names = self._csv_names(source, [str(number) for number in range(1, len(cells) + 1)])
            place = f"line {start}" if len(lines) == 1 else f"lines {start}-{start + len(lines) - 1}"
            yield Piece((raw,), self._csv_article(source, place, raw, cells, names))

    def _csv_names(self, source: Path, cells: list[str] | str) -> list[str]:
        names = [cells] if isinstance(cells, str) else cells
        for field in self.form.fields:
            if names.count(field) != 1:
                raise _no_column(source, field, names)
        return names

    def _csv_article(self, source: Path, place: str, raw: bytes, cells: list[str] | str, names: list[str]) -> Article:
        if isinstance(cells, str):
            return self._malformed(place, f"it cannot be read as CSV ({cells})")
        try:
            raw.decode()
        except UnicodeDecodeError as error:
            return self._malformed(place, _not_utf8(error))
        if len(cells) != len(names):
            first = "header" if self.form.has_header else "first row"
            return self._malformed(place, f"it has {len(cells)} cells, the {first} has {len(names)}")
        return self._make_article(source, place, dict(zip(names, cells, strict=True)))

    def _line_pieces(self, source: Path, stream: BinaryIO) -> Iterator[Piece]:
        assert self.document_ids
        with self.document_ids.open("rb") as ids:
            documents = groupby(self._pair_lines(source, stream, ids), key=lambda line: line[0])
            for doc_id, lines in documents:
                numbers, raws, raw_ids = zip(*(line[1:] for line in lines), strict=True)
                place = f"lines {numbers[0]}-{numbers[-1]}"
                try:
                    text = " ".join(_without_end(raw).decode() for raw in raws)
                except UnicodeDecodeError as error:
                    article = self._malformed(place, _not_utf8(error), doc_id)
                else:
                    article = self._once(self.form.make_article(place, self.names[source], doc_id, text, None))
                yield Piece((b"".join(raws), b"".join(raw_ids)), article)

    def _pair_lines(self, source: Path, texts: BinaryIO, ids: BinaryIO) -> Iterator[tuple[str, int, bytes, bytes]]:
        """Yield document id, line number and the bytes of both files."""
        for number, (text, raw_id) in enumerate(zip_longest(texts, ids), start=1):
            if text is None or raw_id is None:
                longer, shorter = (self.document_ids, source) if text is None else (source, self.document_ids)
                raise InputError(
                    f"{shorter}: ends after {number - 1} lines, but {longer} goes on; they must go line by line"
                )
            doc_id = _without_end(raw_id.removeprefix(BYTE_ORDER_MARK) if number == 1 else raw_id)
            yield doc_id.decode("utf-8", "surrogateescape"), number, text, raw_id


def _check_paths(sources: Sequence[Path], paths: list[Path], form: str) -> None:
    table = "resources/registry/article_corpora.tsv"
    if not sources:
        raise InputError(f"a corpus of articles has no files; see its path in {table}")
    for path in paths:
        if not path.is_file():
            raise InputError(f"{path}: no such file; see the path column of {table}")
    is_lines = form == "lines"
    if (len(paths) > len(sources)) != is_lines or (is_lines and len(sources) > 1):
        raise InputError(
            f"{sources[0]}: the format lines, and no other, has one file of texts and one of document ids; see {table}"
        )


def _no_column(source: Path, field: str, names: list[str]) -> InputError:
    return InputError(
        f"{source}: the column {field!r} must be there, and once, but it has {', '.join(names) or 'none'}; see id, "
        "text, group, delimiter and quote of its row in resources/registry/article_corpora.tsv"
    )


def _not_utf8(error: UnicodeDecodeError) -> str:
    return f"it is not valid UTF-8 (byte {error.start + 1}: {error.reason})"


def _without_end(raw: bytes) -> bytes:
    return raw.removesuffix(b"\r\n") if raw.endswith(b"\r\n") else raw.removesuffix(b"\n")
