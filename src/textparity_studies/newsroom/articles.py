"""Convert a corpus of newspaper articles of any supported format to rows of one schema."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pyarrow as pa

from textparity.corpora.rows import ROW_GROUP_BYTES, TEXT_SCHEMA, open_batches
from textparity.errors import InputError
from textparity.files import open_rows, writable
from textparity_studies.newsroom.article_files import BATCH_ROWS, ArticleFiles

log = logging.getLogger(__name__)

ARTICLE_SCHEMA = pa.schema([*TEXT_SCHEMA, ("group", pa.string()), ("number", pa.int64()), ("file", pa.string())])
BATCH_CHARACTERS = 8 << 20


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
                        row = [writable(cell) for cell in (file, article.doc_id or article.place, article.reason)]
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
