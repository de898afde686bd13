"""Write a corpus of articles again without some of them, in its original format (Urchs 2025, Section 4.2)."""

import csv
import json
import logging
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from textparity.corpora.rows import open_batches
from textparity.errors import BalanceError, InputError
from textparity.files import atomic_folder, is_unicode, open_csv
from textparity_studies.newsroom.article_files import Article, ArticleFiles
from textparity_studies.newsroom.nlp_models import STAGES

log = logging.getLogger(__name__)

NAMED_IDS = 5


def write_balanced_corpus(
    sources: list[Path],
    folder: Path,
    excluded: Path,
    corpus: str,
    form: dict[str, str],
    document_ids: Path | None = None,
    ratios: Path | None = None,
) -> None:
    """Write the files of a corpus into `folder`, without the articles that the CSV file `excluded` lists by `id`.

    Raises `BalanceError` if `ratios` (from `exclude_articles`) report that the corpus is not balanced; the error
    describes how far balancing got. The other parameters are those of `read_articles`. Files keep their names below the
    folder that they share. Articles keep their order and all their fields. The layout is the standard library's, lines
    end in LF, and Parquet keeps its schema and metadata. Records that were rejected as articles are omitted. Files that
    lose no article are also written, although the published code omits them (corpus_balancing,
    `create_balanced_corpus_parallel`). Files that cannot be read at all are not. The folder is written completely or
    not at all. Raises `InputError` for an id that is not in the corpus. Memory: as `ArticleFiles`, plus the excluded
    ids.
    """
    if ratios:
        check_balance(ratios)
    files = ArticleFiles(sources, form, document_ids)
    ids = _read_ids(excluded, corpus)
    missing = set(ids)

    def stays(article: Article) -> bool:
        if not article.reason:
            missing.discard(article.doc_id)
        return not article.reason and article.doc_id not in ids

    with atomic_folder(folder) as part:
        targets = {path: part / name for path, name in files.names.items()}
        for target in targets.values():
            target.parent.mkdir(parents=True, exist_ok=True)
        for source in sources:
            _WRITERS[files.form.format](files, source, targets, stays)
        if missing:
            raise InputError(
                f"{excluded}: {', '.join(sorted(missing)[:NAMED_IDS])} ({len(missing):,} of {len(ids):,} ids) are not "
                f"articles of {corpus} that can be taken; make the list anew from the articles that were read"
            )
    log.info("%s: written without %s articles, in %s files", corpus, f"{len(ids):,}", f"{len(sources):,}")


def _read_ids(excluded: Path, corpus: str) -> set[str]:
    """Read the ids, without the corpus' name."""
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


_Targets = dict[Path, Path]
_Stays = Callable[[Article], bool]


def _write_csv(files: ArticleFiles, source: Path, targets: _Targets, stays: _Stays) -> None:
    with open_csv(targets[source]) as file:
        rows = (cells for article, cells in files.records(source) if article is None or stays(article))
        csv.writer(file, lineterminator="\r\n", **files.form.dialect).writerows(rows)


def _write_jsonl(files: ArticleFiles, source: Path, targets: _Targets, stays: _Stays) -> None:
    with targets[source].open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(_dump(record) + "\n" for article, record in files.records(source) if article and stays(article))


def _write_json(files: ArticleFiles, source: Path, targets: _Targets, stays: _Stays) -> None:
    records = list(files.records(source))
    if any(record is None for _, record in records):
        # The file cannot be read at all.
        return
    kept = [record for article, record in records if article and stays(article)]
    is_list = any(key is None for _, (key, _) in records)
    month = [value for _, value in kept] if is_list else dict(kept)
    targets[source].write_text(_dump(month, indent=2) + "\n", encoding="utf-8", newline="\n")


def _dump(record: Any, indent: int | None = None) -> str:
    text = json.dumps(record, ensure_ascii=False, indent=indent)
    # A lone surrogate in a field that we do not read stays escaped.
    return text if is_unicode(text) else json.dumps(record, indent=indent)


def _write_lines(files: ArticleFiles, source: Path, targets: _Targets, stays: _Stays) -> None:
    assert files.document_ids
    paths = targets[source], targets[files.document_ids]
    texts, ids = (path.open("w", encoding="utf-8", newline="\n") for path in paths)
    with texts, ids:
        for article, lines in files.records(source):
            if article and stays(article):
                texts.writelines(f"{line}\n" for line in lines)
                ids.writelines(f"{article.doc_id}\n" for _ in lines)


def _write_parquet(files: ArticleFiles, source: Path, targets: _Targets, stays: _Stays) -> None:
    batches = files.batches(source, whole=True)
    first = next(batches, None)
    if first and first[0] is None:
        # No part of the file can be read.
        return
    with open_batches(targets[source], pq.read_schema(source)) as writer:
        for batch, articles in chain([first] if first else [], batches):
            if batch is not None:
                table = pa.Table.from_batches([batch])
                writer.write_table(table.filter([stays(article) for article in articles]))


_WRITERS = {
    "csv": _write_csv, "jsonl": _write_jsonl, "taz_json": _write_json, "lines": _write_lines, "parquet": _write_parquet,
}  # fmt: skip


def check_balance(ratios: Path) -> None:
    """Raise `BalanceError` with the outcome if `balance_corpus` did not bring the corpus into the range."""
    rows = pd.read_csv(ratios).set_index("step")
    before, flagged, end = (rows.loc[stage] for stage in STAGES)
    if end["in_range"]:
        return
    if flagged["feminine_actors"] and flagged["masculine_actors"]:
        fix = "widen newsroom.balance.lower and newsroom.balance.upper"
    else:
        fix = "no newsroom.balance.lower and newsroom.balance.upper fix that: it takes articles with actors of both"
    raise BalanceError(
        f"{ratios}: the corpus is not balanced: {end['outcome']}. Feminine per masculine actors went from "
        f"{before['actor_ratio']:.3f} to {end['actor_ratio']:.3f}, mentions from {before['mention_ratio']:.3f} to "
        f"{end['mention_ratio']:.3f}; {flagged['excluded']:,} articles were removed by flags and {end['excluded']:,} "
        f"to balance; {end['articles']:,} remain, with {end['feminine_actors']:,} feminine and "
        f"{end['masculine_actors']:,} masculine actors; {fix}"
    )
