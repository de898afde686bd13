"""Writing a corpus of articles again without some of them, in the format it came in (Urchs 2025, Section 4.2)."""

import csv
import logging
import shutil
from contextlib import ExitStack
from hashlib import blake2b
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from textparity.corpora.rows import open_batches
from textparity.errors import InputError
from textparity.files import atomic_folder
from textparity.studies.newsroom.article_fields import Article
from textparity.studies.newsroom.article_files import TWICE, ArticleFiles
from textparity.studies.newsroom.balance import check_balance

log = logging.getLogger(__name__)

NAMED_IDS = 5


def write_balanced_corpus(
    sources: list[Path],
    folder: Path,
    excluded: Path,
    corpus: str,
    form: dict[str, str],
    document_ids: Path | None = None,
) -> None:
    """Write the files of a corpus into `folder`, without the articles that the CSV file `excluded` lists by `id`.

    The other parameters are those of `read_articles`. Files keep their names below the folder that they have in
    common, and what is left in them keeps its bytes, in Parquet its schema and metadata. Files that lose no article
    are written, too (the published code leaves them out: corpus_balancing, `create_balanced_corpus_parallel`).
    Records that could not be taken stay as they are, but a further record with the id of an excluded article goes.
    The folder is written whole or not at all. Raises `InputError` for an id that is not in the corpus, and if the
    folder, read again, does not have the articles of the corpus less the excluded ones. Memory: as `ArticleFiles`, and
    the excluded ids.
    """
    files = ArticleFiles(sources, form, document_ids)
    chosen = _Exclusion(_read_ids(excluded, corpus))
    with atomic_folder(folder) as part:
        for source in sources:
            if files.form.format == "parquet":
                _write_parquet(files, source, part / files.names[source], chosen)
            else:
                _write_pieces(files, source, part, chosen)
        if chosen.missing:
            raise InputError(
                f"{excluded}: {', '.join(sorted(chosen.missing)[:NAMED_IDS])} "
                f"({len(chosen.missing):,} of {len(chosen.ids):,} ids) are not articles of {corpus} that can be taken; "
                "make the list anew from the articles that were read"
            )
        written = [part / files.names[source] for source in sources]
        again = ArticleFiles(written, form, document_ids and part / files.names[document_ids])
        # Two sets of hashes of all ids are one too many.
        del files
        found = _Exclusion(set())
        for source in written:
            for article in again.articles(source):
                found.keeps(article)
        left = chosen.read - len(chosen.ids)
        if (found.read, found.texts.digest()) != (left, chosen.texts.digest()):
            raise InputError(
                f"{folder}: the {found.read:,} articles that can be read from what was written are not the {left:,} "
                f"that should be left of {chosen.read:,}; repair the records of {corpus} that were rejected, or take "
                "them out"
            )
    log.info(
        "%s: %s articles less %s are %s, in %s files; %s further records with excluded ids left out",
        corpus, *(f"{number:,}" for number in (chosen.read, len(chosen.ids), left, len(sources), chosen.further)),
    )  # fmt: skip


def write_checked_corpus(
    sources: list[Path],
    folder: Path,
    excluded: Path,
    ratios: Path,
    corpus: str,
    form: dict[str, str],
    document_ids: Path | None = None,
) -> None:
    """Write the balanced corpus if it is one; else raise `BalanceError`, which says how far balancing got."""
    check_balance(ratios)
    write_balanced_corpus(sources, folder, excluded, corpus, form, document_ids)


class _Exclusion:
    """Which articles go: counts those read, and other records with their ids; `texts` is a hash of what is left."""

    def __init__(self, ids: set[str]) -> None:
        self.ids = ids
        self.missing = set(ids)
        self.read = 0
        self.further = 0
        self.texts = blake2b()

    def keeps(self, article: Article) -> bool:
        self.read += not article.reason
        if article.doc_id not in self.ids or article.reason not in ("", TWICE):
            if not article.reason:
                self.texts.update(f"{article.group}\0{article.text}\0".encode())
            return True
        self.missing.discard(article.doc_id)
        self.further += article.reason == TWICE
        return False


def _read_ids(excluded: Path, corpus: str) -> set[str]:
    """Return the ids without the corpus' name."""
    prefix = f"{corpus}/"
    ids = set()
    with excluded.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        if "id" not in (rows.fieldnames or []):
            raise InputError(f"{excluded}: has no column id; its header must name one")
        for row in rows:
            name = row["id"] or ""
            if not name.startswith(prefix):
                raise InputError(
                    f"{excluded}, line {rows.line_num}: {name!r} is no id of {corpus}, as {prefix}1 would be"
                )
            ids.add(name.removeprefix(prefix))
    return ids


def _write_pieces(files: ArticleFiles, source: Path, folder: Path, chosen: _Exclusion) -> None:
    """Copy a file, and the file of document ids beside it, but for the articles that go."""
    names = [files.names[path] for path in (source, files.document_ids) if path]
    with ExitStack() as stack:
        targets = []
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            targets.append(stack.enter_context((folder / name).open("wb")))
        has_article = False
        for piece in files.pieces(source):
            if piece.article and not chosen.keeps(piece.article):
                continue
            for target, raw in zip(targets, piece.raws, strict=False):
                target.write(piece.glue + raw if has_article else raw)
            has_article = has_article or piece.article is not None


def _write_parquet(files: ArticleFiles, source: Path, target: Path, chosen: _Exclusion) -> None:
    batches = files.batches(source, whole=True)
    first = next(batches, None)
    if first and first[0] is None:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        return
    with pq.ParquetFile(source) as file:
        schema, groups = file.schema_arrow, file.metadata.num_row_groups
        compression = file.metadata.row_group(0).column(0).compression.lower() if groups else "zstd"
    with open_batches(target, schema, "none" if compression == "uncompressed" else compression) as writer:
        for batch, articles in chain([first] if first else [], batches):
            if batch is None:
                raise InputError(f"{source}: damaged {articles[0].place}, so it cannot be written again; get it anew")
            writer.write_table(pa.Table.from_batches([batch]).filter([chosen.keeps(article) for article in articles]))
