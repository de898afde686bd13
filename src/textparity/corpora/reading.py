"""Read corpora: text files in their original form, converted to rows of `id, doc_id, lang, text`."""

import logging
from collections.abc import Generator
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from textparity.corpora.rows import TEXT_SCHEMA, write_batches
from textparity.errors import FetchError, InputError
from textparity.files import split_lines
from textparity.sources.archives import open_member

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

    `id` consists of the corpus and the line's number, the same in every language of a parallel corpus. Line ends are LF
    or CRLF and are not part of the text; nothing else is changed. `document_ids` has a document's id for each line, and
    `documents` is the cell of the corpora table (`Corpus`) that locates it there. The metadata of `texts` counts lines,
    blank lines and CRLF ends. Raises `InputError` for invalid UTF-8, an empty file or document ids that do not match
    the lines. Raises `FetchError` if the bytes read, of the member or of the whole file, do not have the hash
    `pinned_sha256`.
    """
    if not source.exists():
        raise InputError(f"{source}: no such file; see the path column of resources/registry/corpora.tsv")
    doc_ids = _read_ids(document_ids, documents, bool(member)) if document_ids else None
    name = f"{source}, member {member}" if member else str(source)

    def batches() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        seen = {"lines": 0, "blank": 0, "crlf": 0}
        digest = sha256()
        with open_member(source, member) if member else source.open("rb") as stream:
            numbered = enumerate(stream, start=1)
            while lines := list(islice(numbered, BATCH_ROWS)):
                rows = []
                for number, raw in lines:
                    digest.update(raw)
                    text = decode_line(raw, number, name)
                    seen["lines"] += 1
                    seen["crlf"] += raw.endswith(b"\r\n")
                    seen["blank"] += not text.strip()
                    if doc_ids is not None and number > len(doc_ids):
                        raise InputError(f"{document_ids}: has {len(doc_ids)} document ids, but {name} has more lines")
                    doc_id = doc_ids[number - 1] if doc_ids is not None else f"{number:06d}"
                    rows.append({"id": f"{corpus}/{number:06d}", "doc_id": doc_id, "lang": lang, "text": text})
                yield rows
        if seen["lines"] == 0:
            raise InputError(f"{name}: the file is empty; give it one text a line, or remove its row")
        if doc_ids is not None and len(doc_ids) != seen["lines"]:
            raise InputError(
                f"{document_ids}: has {len(doc_ids)} document ids, but {name} has {seen['lines']} lines; "
                "they must go line by line"
            )
        if pinned_sha256 and digest.hexdigest() != pinned_sha256:
            raise FetchError(
                f"{name}: has sha256 {digest.hexdigest()}, not {pinned_sha256} as in "
                f"resources/registry/source_files.tsv; it was "
                f"damaged after its download: delete {source} and run again, which fetches it anew"
            )
        log.info("%s: %s", name, ", ".join(f"{count:,} {what}" for what, count in seen.items()))
        return seen

    write_batches(texts, TEXT_SCHEMA, batches())


def _read_ids(path: Path, documents: str, is_archive: bool) -> list[str]:
    """Read the document id of each line: a line of a text file, or a cell of a tab-separated table."""
    inside, _, column = documents.partition("#")
    member = inside if is_archive else ""
    name = f"{path}, member {member}" if member else str(path)
    with open_member(path, member) if member else path.open("rb") as stream:
        try:
            lines = split_lines(stream.read().decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise InputError(f"{name}: byte {error.start + 1} is not valid UTF-8; re-encode the file") from None
    if not column:
        return lines
    header, *rows = (line.split("\t") for line in lines or [""])
    if column not in header:
        raise InputError(f"{name}: has no column {column}; it has {', '.join(header)}: correct document_ids")
    place = header.index(column)
    for number, cells in enumerate(rows, start=2):
        if len(cells) <= place or not cells[place].strip():
            raise InputError(f"{name}, line {number}: the cell of {column} is empty; it must name the line's document")
    return [cells[place].strip() for cells in rows]


def decode_line(raw: bytes, number: int, name: str) -> str:
    """Decode line `number` (from 1) of the file `name`. Only its LF or CRLF end is removed."""
    line = raw.removesuffix(b"\r\n") if raw.endswith(b"\r\n") else raw.removesuffix(b"\n")
    try:
        # A byte-order mark belongs to the file, not to its first text.
        return line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name}, line {number}: byte {error.start + 1} of the line is not valid UTF-8 ({error.reason}); "
            "find the file's encoding and convert it, for instance with iconv -f WINDOWS-1252 -t UTF-8"
        ) from None
