"""Sample documents of Common Crawl: each WET file is read once for all languages, into one sample per language.

The order of documents depends only on the seed, the crawl and their record ids. For each language, those with the
smallest hashes are kept, whatever the number of files and jobs. If several documents have the same text, the first in
this order is kept.
"""

import gzip
import json
import logging
import zlib
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from hashlib import sha1
from heapq import heappop, heappush
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from textparity.compression import DAMAGE, find_compression, open_compressed
from textparity.corpora.content_language import LanguageChooser
from textparity.corpora.reading import TEXT_SCHEMA, read_batches, read_rows, write_batches
from textparity.errors import FetchError, InputError
from textparity.estimating.seeds import Ranks
from textparity.files import read_tsv, write_rows, write_text

log = logging.getLogger(__name__)

# The columns of a part. The text is null if enough other documents of the file precede it in the order.
PART_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("rank", pa.uint64()),
        ("text_hash", pa.uint64()),
        ("language_source", pa.string()),
        ("text", pa.string()),
    ]
)
# The texts of each language are collected up to this many bytes before they are written.
WAITING_BYTES = 1_000_000
COUNTS_FILE = "counts.json"
# The numbers of documents in a language, of those chosen by the identifier, of duplicates, and of those kept.
DOCUMENT_COUNTS = ("documents", "by_identifier", "duplicates", "kept")
# Translates the base-32 digits of digests to those that Python reads. Parsing a digest takes a tenth of the time of
# formatting one for comparison.
_BASE_32 = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "0123456789ABCDEFGHIJKLMNOPQRSTUV", "0189_")


def choose_wet_files(paths: Path, chosen: Path, crawl: str, files: int, seed: int) -> None:
    """Choose the first `files` WET files of the list `paths` (gzip), by their hash, and write a table of them.

    A larger number adds files to the same choice. Raises `InputError` if the list has fewer.
    """
    try:
        with gzip.open(paths, "rt", encoding="utf-8") as lines:
            listed = [line.strip() for line in lines if line.strip()]
    except (gzip.BadGzipFile, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise InputError(
            f"{paths}: is not a list of WET files ({error}); delete it and run again to download it again"
        ) from error
    if len(listed) < files:
        raise InputError(f"{paths}: lists {len(listed)} WET files, fewer than the {files} of wet_files ({crawl})")
    rank_of = Ranks(seed, crawl)
    ordered = sorted(listed, key=lambda path: (rank_of(path), path))
    write_rows(chosen, ["number", "path"], enumerate(ordered[:files]), tab_separated=True)


def fetch_wet_file(chosen: Path, file: Path, number: int, base_url: str, mirror: str | None) -> None:
    """Download one WET file of the table `chosen`. Reading it later checks the digests of its records.

    Without a `base_url`, paths are those of files on this machine.
    """
    path = next(row["path"] for row in read_tsv(chosen, ["number", "path"]) if row["number"] == str(number))
    if base_url:
        from textparity.sources.fetch import fetch_file

        fetch_file(f"{base_url}/{path}", file, mirror=mirror)
    elif not Path(path).is_file():
        raise InputError(f"{chosen}: no such file {path}; paths of a local crawl start at the working directory")
    else:
        file.symlink_to(Path(path).resolve())


def split_wet_file(
    wet: Path,
    content_languages: Path,
    part: Path,
    crawl: str,
    codes: dict[str, str],
    scripts: dict[str, str],
    documents: int,
    seed: int,
) -> None:
    """Split the documents of one WET file by language: one Parquet file per language in `part` (`PART_SCHEMA`).

    At most `documents` texts per language are kept. All documents are listed, so that duplicates can be counted. The
    folder's `counts.json` has the number of records by outcome. Raises `FetchError` for a damaged file.
    """
    chooser = LanguageChooser(codes, scripts, content_languages)
    counts: Counter[str] = Counter()
    part.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        writers: dict[str, _Writer] = {}
        ranks = Ranks(seed, crawl)
        for record in _read_records(wet, counts):
            text = _decode(record.raw, counts)
            if text is None:
                continue
            choice = chooser.choose(record.header, text)
            if not choice.lang:
                counts[choice.reason] += 1
                continue
            counts[f"{choice.lang} by {choice.source}"] += 1
            if choice.lang not in writers:
                writers[choice.lang] = stack.enter_context(_Writer(part / f"{choice.lang}.parquet", documents))
            text_hash = int.from_bytes(record.digest[:8], "big")
            writers[choice.lang].add(record.record_id, ranks(record.record_id), text_hash, choice.source, record.raw)
    write_text(part / COUNTS_FILE, json.dumps(dict(sorted(counts.items())), indent=1) + "\n")
    log.info("%s: %s", wet, ", ".join(f"{number:,} {what}" for what, number in sorted(counts.items())))


class _Record(NamedTuple):
    """A document with its SHA-1. `header` is the crawl's language header."""

    record_id: str
    header: str
    raw: bytes
    digest: bytes


def _is_digest(said: str, digest: bytes) -> bool:
    try:
        number = int(said.upper().translate(_BASE_32), 32) if len(said) == 32 else int(said, 16)
    except ValueError:
        return False
    return number == int.from_bytes(digest, "big")


def _read_records(wet: Path, counts: Counter[str]) -> Iterator[_Record]:
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    fix = "delete the file and run again to download it again"
    seen = 0
    try:
        with wet.open("rb") as file:
            # FastWARC would take a record for the last one if the header of the next one is damaged.
            compression = find_compression("", file.peek(1))
            stream = open_compressed(file, compression, str(wet)) if compression else file
            for record in ArchiveIterator(stream, parse_http=False):
                seen += 1
                if record.record_type != WarcRecordType.conversion:
                    continue
                headers = record.headers
                record_id = (headers.get("WARC-Record-ID") or "").strip("<>").removeprefix("urn:uuid:")
                said = headers.get("WARC-Block-Digest") or ""
                is_sha1 = said.lower().startswith("sha1:")
                right = not said or is_sha1 or record.verify_block_digest()
                raw = record.reader.read()
                digest = sha1(raw, usedforsecurity=False).digest()
                if not right or (is_sha1 and not _is_digest(said[5:].strip(), digest)):
                    raise FetchError(f"{wet}: record {record_id} does not match its digest; {fix}")
                if len(raw) != record.content_length:
                    raise FetchError(f"{wet}: record {record_id} is cut off; {fix}")
                counts["records"] += 1
                yield _Record(record_id, headers.get("WARC-Identified-Content-Language") or "", raw, digest)
    except (*DAMAGE, ValueError, RuntimeError) as error:
        raise FetchError(f"{wet}: damaged ({error}); {fix}") from error
    if not seen:
        raise FetchError(f"{wet}: has no WARC records; {fix}")


def _decode(raw: bytes, counts: Counter[str]) -> str | None:
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        counts["not UTF-8"] += 1
        return None
    if text.isspace() or not text:
        counts["blank"] += 1
        return None
    return text


class _Writer:
    """Write one language of one part. Rows wait until they fill a row group."""

    def __init__(self, path: Path, documents: int) -> None:
        # These files are read once and then discarded, so speed matters more than size.
        self._writer = pq.ParquetWriter(
            path, PART_SCHEMA, compression="none", use_dictionary=False, write_page_checksum=True
        )
        self._documents = documents
        # The smallest rank of each text that is kept, and a heap of these ranks, largest first (negated; some are
        # outdated).
        self._ranks: dict[int, int] = {}
        self._largest: list[tuple[int, int]] = []
        self._rows: list[tuple[Any, ...]] = []
        self._bytes = 0

    def __enter__(self) -> "_Writer":
        return self

    def __exit__(self, *_: object) -> None:
        self._flush()
        self._writer.close()

    def add(self, record_id: str, rank: int, text_hash: int, source: str, raw: bytes) -> None:
        kept = self._is_among_the_first(rank, text_hash)
        self._rows.append((record_id, rank, text_hash, source, raw if kept else None))
        self._bytes += len(raw) if kept else 0
        if self._bytes >= WAITING_BYTES:
            self._flush()

    def _is_among_the_first(self, rank: int, text_hash: int) -> bool:
        # Only distinct texts count, so that a copy does not displace another text.
        if self._ranks.get(text_hash, rank + 1) <= rank:
            return False
        self._ranks[text_hash] = rank
        heappush(self._largest, (-rank, text_hash))
        while len(self._ranks) > self._documents:
            largest, other = heappop(self._largest)
            if self._ranks.get(other) == -largest:
                del self._ranks[other]
        return text_hash in self._ranks

    def _flush(self) -> None:
        if self._rows:
            *columns, raw = zip(*self._rows, strict=True)
            # The bytes are already known to be valid UTF-8.
            texts = pa.array(raw, pa.binary()).cast(pa.string(), safe=False)
            self._writer.write_table(pa.Table.from_arrays([*columns, texts], schema=PART_SCHEMA))
        self._rows.clear()
        self._bytes = 0


def collect_documents(parts: list[Path], texts: Path, lang: str, documents: int) -> None:
    """Write the sample of one language from the parts of all WET files, and count the documents in its metadata.

    It has the `documents` distinct texts with the smallest ranks, in the order of the parts. Memory: about 30 bytes per
    document read.
    """
    files = [part / f"{lang}.parquet" for part in parts if (part / f"{lang}.parquet").is_file()]
    ranks, hashes, identified = _read_ranks(files)
    kept, distinct = _choose(ranks, hashes, documents)
    numbers = (len(ranks), identified, len(ranks) - distinct, int(kept.sum()))
    counts = dict(zip(DOCUMENT_COUNTS, numbers, strict=True))

    def batches() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        start = 0
        for file in files:
            for batch in read_batches(file, 1000, ["id", "text"]):
                flags = kept[start : start + len(batch["id"])]
                start += len(flags)
                yield [
                    {"id": id_, "doc_id": id_, "lang": lang, "text": text}
                    for id_, text, is_kept in zip(batch["id"], batch["text"], flags, strict=True)
                    if is_kept
                ]
        return counts

    write_batches(texts, TEXT_SCHEMA, batches())
    log.info("%s: %s", lang, ", ".join(f"{number:,} {what}" for what, number in counts.items()))


def _read_ranks(files: list[Path]) -> tuple[np.ndarray, np.ndarray, int]:
    columns = ["rank", "text_hash", "language_source"]
    tables = [read_rows(file, columns) for file in files]
    if not tables:
        return np.empty(0, np.uint64), np.empty(0, np.uint64), 0
    table = pa.concat_tables(tables)
    identified = sum(source == "identifier" for source in table["language_source"].to_pylist())
    return table["rank"].to_numpy(), table["text_hash"].to_numpy(), identified


def _choose(ranks: np.ndarray, hashes: np.ndarray, documents: int) -> tuple[np.ndarray, int]:
    order = np.lexsort((ranks, hashes))
    sorted_hashes = hashes[order]
    is_first = np.ones(len(order), bool)
    is_first[1:] = sorted_hashes[1:] != sorted_hashes[:-1]
    firsts = order[is_first]
    kept = np.zeros(len(ranks), bool)
    kept[firsts[np.argsort(ranks[firsts], kind="stable")[:documents]]] = True
    return kept, len(firsts)
