"""Convert a corpus of newspaper articles of any supported format to rows of one schema."""

import csv
import json
import logging
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date
from hashlib import blake2b
from itertools import count, groupby, zip_longest
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import pyarrow as pa
import pyarrow.parquet as pq

from textparity.corpora.reading import ROW_GROUP_BYTES, TEXT_SCHEMA, is_damage, open_batches
from textparity.errors import InputError
from textparity.files import escaped, is_unicode, open_rows, split_group

log = logging.getLogger(__name__)

ARTICLE_SCHEMA = pa.schema([*TEXT_SCHEMA, ("group", pa.string()), ("number", pa.int64()), ("file", pa.string())])
# The group of every article of a corpus without groups.
ALL = "all"
# An ISO 8601 date, which may lack the day, or the month and the day.
_DATE = re.compile(r"(\d{4}(?:-\d{2}){0,2})(?:(?<=-\d{2}-\d{2})[T ].*)?", re.ASCII | re.DOTALL)
_DATE_OF_FILE = re.compile(r"(?<!\d)\d{4}-\d{2}(?!\d)", re.ASCII)
BATCH_ROWS = 1000
BATCH_CHARACTERS = 8 << 20
DUPLICATE = "its id is a duplicate; the first article is taken"
NOT_UTF8 = "it is not valid UTF-8"
# Longer than any article. If a quote is never closed, memory holds no more than this.
CELL_CHARACTERS = 1 << 24


class Article(NamedTuple):
    """Hold one record of a file; `reason` explains why the record is rejected, and is empty for a valid one.

    `place` is its line or record in the file. It identifies an article that has no id.
    """

    place: str
    doc_id: str = ""
    text: str = ""
    group: str = ""
    reason: str = ""


@dataclass(frozen=True)
class ArticleForm:
    """Describe how to read a corpus: the columns of a row of the article corpora that concern its format."""

    format: str
    id: str
    text: str
    group: str
    delimiter: str
    quote: str

    @property
    def group_field(self) -> str:
        """The field that holds the group, or nothing if no field does."""
        field, part = split_group(self.group)
        return "" if part == "prefix" or (field == "file" and part) else field

    @property
    def has_header(self) -> bool:
        """True if a CSV file begins with the names of its columns."""
        return not self.text.isdecimal()

    @property
    def dialect(self) -> dict[str, Any]:
        r"""The dialect of a CSV file: `delimiter` may be `\t`, `quote` may be `none`; the defaults are `,` and `"`."""
        quoting = {"quoting": csv.QUOTE_NONE} if self.quote == "none" else {}
        quote = None if quoting else self.quote or '"'
        return {"delimiter": "\t" if self.delimiter == r"\t" else self.delimiter or ",", "quotechar": quote} | quoting

    @property
    def fields(self) -> list[str]:
        """The fields that are read."""
        return [name for name in (self.id, self.text, self.group_field) if name]

    def make_article(self, place: str, file_name: str, doc_id: Any, text: Any, group: Any) -> Article:
        """Return the article of a record; missing values are None."""
        name = _as_label(doc_id)
        if not name.strip():
            return Article(place, reason="it has no id")
        if text is None:
            return Article(place, name, reason="it has no text")
        if not isinstance(text, str):
            return Article(place, name, reason=f"its text is no string but {type(text).__name__}")
        if not text.strip():
            return Article(place, name, reason="its text is blank")
        label, reason = self._group_of(name, file_name, _as_label(group))
        if not reason and not all(map(is_unicode, (name, text, label))):
            # JSON may contain them as escapes, but UTF-8 may not.
            reason = "it has a surrogate that is no character"
        return Article(place, name, text, label, reason) if not reason else Article(place, name, reason=reason)

    def _group_of(self, doc_id: str, file_name: str, value: str) -> tuple[str, str]:
        """Find the group, or the reason why there is none."""
        if not self.group:
            return ALL, ""
        field, part = split_group(self.group)
        if part == "prefix":
            prefix, dot, _ = doc_id.partition(".")
            return (prefix, "") if prefix and dot else ("", "its id has no prefix that ends in a dot")
        if field == "file" and part:
            found = _DATE_OF_FILE.search(file_name.rpartition("/")[2])
            value = found.group() if found else ""
        if not value.strip():
            return "", f"it has no group ({self.group})"
        if not part:
            return value, ""
        day, length = _iso_date(value), {"year": 4, "month": 7}[part]
        if len(day) < length:
            return "", f"its group ({self.group}) is {value[:40]!r}, which is no ISO date"
        return day[:length], ""


def find_field(record: Any, field: str) -> Any:
    """Find the field `a.b` of nested objects, or one whose name contains dots; None if there is none."""
    if isinstance(record, dict) and field in record:
        return record[field]
    for name in field.split("."):
        record = record.get(name) if isinstance(record, dict) else None
    return record


def _as_label(value: Any) -> str:
    """Convert strings, whole numbers and dates to a string; anything else cannot be a label and becomes empty."""
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _iso_date(value: str) -> str:
    """Extract the date (or year, or year and month) at the start of `value`; an empty string if there is none."""
    found = _DATE.fullmatch(value)
    day = found.group(1) if found else ""
    try:
        date.fromisoformat(day + "-01-01"[len(day) - 4 :])
    except ValueError:
        return ""
    return day


class ArticleFiles:
    """Read the files of one corpus, each once and in order; numbering and duplicate ids carry over between files.

    `form` has the columns of `ArticleForm`. `names` are the files' names below the folder that they share.
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
        """Iterate over every record of a file, including rejected ones."""
        if self.form.format == "parquet":
            for _, articles in self.batches(source, whole=False):
                yield from articles
        else:
            yield from (article for article, _ in self.records(source) if article)

    def records(self, source: Path) -> Iterator[tuple[Article | None, Any]]:
        """Iterate over the articles of a file that is not Parquet, each with its record; a CSV header comes with None.

        A record is the cells of a CSV row, the object of a JSON Lines row, the key (None in a list) and value of a JSON
        entry, or the lines of a document. Raises `InputError` if a file lacks the columns that the form names.
        """
        readers: dict[str, Callable[[Path], Iterator[tuple[Article | None, Any]]]] = {
            "csv": self._csv_records, "jsonl": self._jsonl_records, "taz_json": self._json_records,
            "lines": self._line_records,
        }  # fmt: skip
        return readers[self.form.format](source)

    def batches(self, source: Path, whole: bool) -> Iterator[tuple[pa.RecordBatch | None, list[Article]]]:
        """Iterate over the batches of a Parquet file (all columns if `whole`) with their articles; None if damaged."""
        done = 0
        try:
            # With pre-buffering, the whole file would end up in memory.
            with pq.ParquetFile(source, page_checksum_verification=True, pre_buffer=False) as file:
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
        """List the top-level columns that contain the fields."""
        tops = {field: field if field in names else field.partition(".")[0] for field in self.form.fields}
        for field, top in tops.items():
            if top not in names:
                raise _no_column(source, field, names)
        return list(dict.fromkeys(tops.values()))

    def _make_article(self, source: Path, place: str, record: dict[str, Any], key: str | None = None) -> Article:
        """Return the article of a record; `key` is its id if no field holds the id."""
        form, number = self.form, next(self._numbers)
        text = find_field(record, form.text)
        if text is None and form.format == "taz_json":
            # In a list of articles, an entry may hold the text directly; an object of articles nests it a level deeper.
            above = find_field(record, form.text.partition(".")[0])
            text = above if isinstance(above, str) else None
        group = find_field(record, form.group_field) if form.group_field else None
        if key is None and not form.id:
            article = form.make_article(place, self.names[source], f"{number:06d}", text, group)
            # The line number helps a user more than a generated number that they have never seen.
            return article._replace(doc_id="") if article.reason else self._once(article)
        doc_id = key if key is not None else find_field(record, form.id)
        return self._once(form.make_article(place, self.names[source], doc_id, text, group))

    def _once(self, article: Article) -> Article:
        """Return the article; a duplicate id becomes the reason to reject it."""
        if article.reason:
            return article
        digest = blake2b(article.doc_id.encode(), digest_size=8).digest()
        if digest in self._taken:
            return article._replace(reason=DUPLICATE)
        self._taken.add(digest)
        return article

    def _malformed(self, place: str, reason: str, doc_id: str = "") -> Article:
        next(self._numbers)
        return Article(place, doc_id, reason=reason)

    def _json_records(self, source: Path) -> Iterator[tuple[Article, Any]]:
        try:
            month = json.loads(source.read_bytes().decode("utf-8-sig"), object_pairs_hook=_Object)
            if not isinstance(month, dict | list):
                raise ValueError("it is neither an object nor a list")
        except (ValueError, RecursionError) as error:
            yield Article("", reason=f"the file cannot be read as JSON ({error})"), None
            return
        pairs = month.pairs if isinstance(month, _Object) else [(None, value) for value in month]
        for number, (key, value) in enumerate(pairs, start=1):
            if isinstance(value, dict):
                article = self._make_article(source, f"record {number}", value, key)
            else:
                article = self._malformed(f"record {number}", "it is no JSON object", key or "")
            yield article, (key, value)

    def _jsonl_records(self, source: Path) -> Iterator[tuple[Article, Any]]:
        with source.open("rb") as stream:
            for number, raw in enumerate(stream, start=1):
                if not raw.strip():
                    continue
                place, record = f"line {number}", None
                try:
                    record = json.loads(raw.decode("utf-8-sig" if number == 1 else "utf-8"))
                except UnicodeDecodeError as error:
                    article = self._malformed(place, f"{NOT_UTF8} (byte {error.start + 1}: {error.reason})")
                except (ValueError, RecursionError) as error:
                    article = self._malformed(place, f"it cannot be read as JSON ({error})")
                else:
                    if isinstance(record, dict):
                        article = self._make_article(source, place, record)
                    else:
                        article = self._malformed(place, "it is no JSON object")
                yield article, record

    def _csv_records(self, source: Path) -> Iterator[tuple[Article | None, Any]]:
        names: list[str] = []
        usual_limit = csv.field_size_limit(CELL_CHARACTERS)
        try:
            with _open_lines(source) as stream:
                reader = csv.reader(stream, strict=True, **self.form.dialect)
                while True:
                    start, fault = reader.line_num + 1, ""
                    try:
                        cells = next(reader)
                    except StopIteration:
                        return
                    except csv.Error as error:
                        cells, fault = [], f"it cannot be read as CSV ({error})"
                    place = f"line {start}" if reader.line_num == start else f"lines {start}-{reader.line_num}"
                    if not names and self.form.has_header and (cells or fault):
                        names = self._csv_names(source, cells or [fault])
                        # A name that is not UTF-8 can be skipped, but not written.
                        yield None, names if all(map(is_unicode, names)) else list(map(escaped, names))
                    elif cells or fault:
                        if not names and cells:
                            names = self._csv_names(source, [str(number) for number in range(1, len(cells) + 1)])
                        yield self._csv_article(source, place, cells, names, fault), cells
        finally:
            csv.field_size_limit(usual_limit)

    def _csv_names(self, source: Path, names: list[str]) -> list[str]:
        for field in self.form.fields:
            if names.count(field) != 1:
                raise _no_column(source, field, names)
        return names

    def _csv_article(self, source: Path, place: str, cells: list[str], names: list[str], fault: str) -> Article:
        if not fault and not all(map(is_unicode, cells)):
            fault = NOT_UTF8
        if not fault and len(cells) != len(names):
            first = "header" if self.form.has_header else "first row"
            fault = f"it has {len(cells)} cells, the {first} has {len(names)}"
        if fault:
            return self._malformed(place, fault)
        return self._make_article(source, place, dict(zip(names, cells, strict=True)))

    def _line_records(self, source: Path) -> Iterator[tuple[Article, Any]]:
        assert self.document_ids
        with _open_lines(source) as texts, _open_lines(self.document_ids) as ids:
            for doc_id, paired in groupby(self._pair_lines(source, texts, ids), key=lambda line: line[0]):
                _, numbers, lines = zip(*paired, strict=True)
                place = f"lines {numbers[0]}-{numbers[-1]}"
                if all(map(is_unicode, lines)):
                    article = self.form.make_article(place, self.names[source], doc_id, " ".join(lines), None)
                    yield self._once(article), lines
                else:
                    yield self._malformed(place, NOT_UTF8, doc_id), lines

    def _pair_lines(self, source: Path, texts: TextIO, ids: TextIO) -> Iterator[tuple[str, int, str]]:
        """Iterate over the document id, line number and text of each line."""
        for number, (text, doc_id) in enumerate(zip_longest(texts, ids), start=1):
            if text is None or doc_id is None:
                longer, shorter = (self.document_ids, source) if text is None else (source, self.document_ids)
                raise InputError(
                    f"{shorter}: ends after {number - 1} lines, but {longer} goes on; they must go line by line"
                )
            yield _without_end(doc_id), number, _without_end(text)


class _Object(dict[str, Any]):
    """Hold a JSON object, and remember a key that occurs more than once."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs


def _open_lines(path: Path) -> TextIO:
    """Open a file whose lines end in LF or CRLF; bytes that are not UTF-8 become surrogates."""
    return path.open(encoding="utf-8-sig", errors="surrogateescape", newline="\n")


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


def _without_end(line: str) -> str:
    return line.removesuffix("\n").removesuffix("\r") if line.endswith("\n") else line


def read_articles(
    sources: list[Path],
    articles: list[Path],
    rejected: Path,
    corpus: str,
    lang: str,
    form: dict[str, str],
    document_ids: Path | None = None,
) -> None:
    """Read the articles of `sources`, in this order, into the Parquet files `articles` (`ARTICLE_SCHEMA`).

    `number` counts the accepted articles from 0. The article `number` goes to the file at position `number` modulo the
    count of files. Texts are not changed. `form` has the columns of `ArticleCorpus` that describe the format. `file` is
    a source's name below the folder that all sources share. The CSV file `rejected` lists what could not be accepted:
    file, article (its id, else its line or record; empty for a whole file), and reason. The metadata of each Parquet
    file count the articles, the rejected records and the files of the whole corpus. Memory: one batch, and a hash of
    each id. Raises `InputError` if nothing is accepted or a named column is missing.
    """
    files = ArticleFiles(sources, form, document_ids)
    counts = {"articles": 0, "rejected": 0, "files": len(sources)}
    first_reason = ""
    with ExitStack() as stack:
        listing = stack.enter_context(open_rows(rejected, ["file", "article", "reason"]))
        share = ROW_GROUP_BYTES // len(articles)
        parts = [stack.enter_context(open_batches(path, ARTICLE_SCHEMA, row_group_bytes=share)) for path in articles]

        def rows() -> Iterator[dict[str, Any]]:
            nonlocal first_reason
            for source in sources:
                file = files.names[source]
                for article in files.articles(source):
                    if article.reason:
                        row = [escaped(cell) for cell in (file, article.doc_id or article.place, article.reason)]
                        listing.writerow(row)
                        first_reason = first_reason or ": ".join(filter(None, row))
                        counts["rejected"] += 1
                        continue
                    yield {
                        "id": f"{corpus}/{article.doc_id}", "doc_id": article.doc_id, "lang": lang,
                        "text": article.text, "group": article.group, "number": counts["articles"], "file": file,
                    }  # fmt: skip
                    counts["articles"] += 1

        for batch in _in_batches(rows()):
            for place, part in enumerate(parts):
                part.write([row for row in batch if row["number"] % len(parts) == place])
        if not counts["articles"]:
            why = f"the first of {counts['rejected']:,} faults: {first_reason}" if first_reason else "there is none"
            raise InputError(
                f"{corpus}: no article can be taken from {sources[0]} (files: {len(sources):,}; {why}); correct its "
                "row in resources/registry/article_corpora.tsv, or the files"
            )
        for part in parts:
            part.metadata = counts
    log.info("%s: %s", corpus, ", ".join(f"{number:,} {what}" for what, number in counts.items()))
    if first_reason:
        log.warning("%s: see %s for what is not taken; first, %s", corpus, rejected, first_reason)


def _in_batches(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += len(row["text"])
        if len(batch) == BATCH_ROWS or size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    yield batch
