"""Flag asymmetry between the genders within articles (Urchs 2025, §4.2, formulas 1–3, §5.2), and balance a corpus.

A balanced corpus has ratios of feminine to masculine actors and mentions within a range (§4.2, §5.3). It is written in
the corpus' original format.
"""

import csv
import json
import logging
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, compress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from textparity.corpora.reading import ROW_GROUP_ROWS, iterate_batches, open_batches, read_metadata, read_rows
from textparity.counting import GENDERS
from textparity.errors import InputError
from textparity.estimating.bootstrap import Bootstrap
from textparity.files import atomic_folder, is_unicode, open_csv, write_text
from textparity.tables import Table
from textparity_studies.newsroom.articles import Article, ArticleFiles
from textparity_studies.newsroom.exclusion import (
    COUNTS,
    RATIOS,
    is_in_range,
    ratio,
    remove_fewest,
    remove_one_sided,
)
from textparity_studies.newsroom.settings import STAGES
from textparity_studies.newsroom.summary import summarise

log = logging.getLogger(__name__)

# The file in the folder of a corpus that could not be balanced.
NOT_BALANCED = "NOT_BALANCED"
NAMED_IDS = 5
# The steps that exclude articles, in order.
STEPS = ("flags", "balance")
# Each indicator with the two counts whose smoothed ratio it compares; sentiment is compared directly.
_COMPARED = {
    "subject_gap": ("subject_roles", "object_roles"),
    "quote_gap": ("direct_quotes", "indirect_quotes"),
    "naming_gap": ("named_mentions", "pronoun_mentions"),
}
_SENTIMENT = "sentiment_gap"
INDICATORS = (_SENTIMENT, *_COMPARED)
DECIMALS = 12
_BATCH_ROWS = 50_000


def read_measured(measures: list[Path], columns: list[str]) -> pa.Table:
    """Return `id`, `number` and `columns` of the articles of all parts, sorted by number.

    The order of parts and of rows within them does not matter. Raises `InputError` if an id or a number occurs twice.
    """
    table = pa.concat_tables(read_rows(path, columns=["id", "number", *columns]) for path in measures)
    table = table.take(pc.sort_indices(table["number"])).combine_chunks()
    for key in ("number", "id"):
        if pc.count_distinct(table[key]).as_py() < len(table):
            counts = table[key].value_counts()
            twice = counts.filter(pc.greater(pc.struct_field(counts, "counts"), 1))[0]["values"].as_py()
            raise InputError(
                f"{', '.join(map(str, measures))}: article {key} {twice} occurs more than once; each article needs one "
                "of its own: delete these files and run again, and if it stays, look for copies in the corpus"
            )
    return table


def whole_numbers(table: pa.Table, column: str) -> np.ndarray:
    """Return a column of counts as int64, one per article."""
    return table[column].to_numpy().astype(np.int64, copy=False)


def read_excluded(excluded: Path) -> pd.DataFrame:
    """Read the table of excluded articles, all as text, because an id may look like a number."""
    return pd.read_csv(excluded, dtype=str, keep_default_na=False)


def is_among(ids: pa.ChunkedArray, chosen: pd.Series) -> np.ndarray:
    """Compute a boolean per id: true if it is among the `chosen`."""
    return pc.is_in(ids, value_set=pa.array(chosen.to_numpy(dtype=object), ids.type)).to_numpy(zero_copy_only=False)


def split_evenly(files: Sequence[Path], number: int) -> list[list[Path]]:
    """Split `files` into `number` lists of equal length, in order."""
    size = len(files) // number if number else 0
    return [list(files[place * size : (place + 1) * size]) for place in range(number)]


def difference_column(indicator: str) -> str:
    """Name the column of the absolute difference that decides an indicator."""
    return indicator.replace("_gap", "_difference")


def flag_articles(
    measures: list[Path], flags: Path, procedure: str, thresholds: dict[str, float], minimum_flags: int
) -> None:
    """Write one row per article to `flags` (Parquet): the four differences, the four flags, and whether it is excluded.

    Columns: `id`, `number`, `group`; `{sentiment,subject,quote,naming}_difference` (null if not judged); `{…}_gap`
    (true if the difference exceeds its threshold); `flags` (the number of gaps); `excluded` (true for at least
    `minimum_flags` flags). `thresholds` are by indicator. A difference equal to its threshold is not flagged.

    `published`: an absent gender has the ratio 1 and sentiment 0, as in the paper's code, so most articles without
    women are flagged. Articles without actors of either gender are not judged. `corrected`: an indicator is judged only
    if both genders have something to compare (mentions, roles, quotes; for sentiment an actor). A text without women
    shows no asymmetry of framing; it shows one of presence, which balancing addresses.

    Raises `InputError` if an article occurs twice.
    """
    counts = ["actors", *(name for pair in _COMPARED.values() for name in pair)]
    names = [f"{gender}_{name}" for gender in GENDERS for name in (*counts, "sentiment")]
    table = read_measured(measures, ["group", *names])
    differences: dict[str, pa.Array] = {}
    flagged: dict[str, np.ndarray] = {}
    for indicator in INDICATORS:
        values, judged = _compare(table, indicator, procedure)
        differences[difference_column(indicator)] = pa.array(values, mask=~judged)
        flagged[indicator] = judged & (values > thresholds[indicator])
    totals = np.sum([values.astype(np.int64) for values in flagged.values()], axis=0)
    keys = {name: table[name] for name in ("id", "number", "group")}
    rows = pa.table(keys | differences | flagged | {"flags": totals, "excluded": totals >= minimum_flags})
    with open_batches(flags, rows.schema) as writer:
        for start in range(0, len(rows), ROW_GROUP_ROWS):
            writer.write_table(rows.slice(start, ROW_GROUP_ROWS))
        writer.metadata = {"procedure": procedure, "thresholds": thresholds, "minimum_flags": minimum_flags}
    numbers = ", ".join(f"{values.sum():,} {indicator}" for indicator, values in flagged.items())
    log.info("%s articles: %s; %s excluded", f"{len(rows):,}", numbers, f"{(totals >= minimum_flags).sum():,}")


def _compare(table: pa.Table, indicator: str, procedure: str) -> tuple[np.ndarray, np.ndarray]:
    """Compute the absolute difference between the genders, and whether it is judged, both of shape (articles,)."""
    values, present = [], []
    for gender in GENDERS:
        if indicator == _SENTIMENT:
            sentiment = table[f"{gender}_sentiment"]
            values.append(sentiment.fill_null(0).to_numpy())
            present.append(sentiment.is_valid().to_numpy())
        else:
            above, below = (whole_numbers(table, f"{gender}_{name}") for name in _COMPARED[indicator])
            values.append((above + 1) / (below + 1))
            present.append(above + below > 0)
    differences = np.abs(values[0] - values[1])
    if procedure == "published":
        # The code keeps no record of an article without actors of either gender.
        return differences, np.add(*(whole_numbers(table, f"{gender}_actors") for gender in GENDERS)) > 0
    # 7/3 - 11/6 is exactly one half, but slightly more in floating point, and would exceed a threshold of one half.
    return differences.round(DECIMALS), present[0] & present[1]


def balance_corpus(
    measures: list[Path],
    flags: Path,
    kept: Path,
    procedure: str,
    lower: float,
    upper: float,
    bootstrap: Bootstrap,
) -> Iterator[Table]:
    """Balance a corpus, given as all parts of its measures, by one procedure; write the measures left to `kept`.

    Yields the tables of `exclude_articles`, and the report's numbers for the remaining articles; words are not counted
    again.
    """
    excluded, ratios = exclude_articles(measures, flags, procedure, lower, upper, bootstrap.seed)
    filter_articles(measures, excluded["id"], kept)
    yield Table("excluded", excluded)
    yield Table("ratios", ratios)
    yield Table("balanced_summary", summarise([kept], procedure, bootstrap))


def exclude_articles(
    measures: list[Path], flags: Path, procedure: str, lower: float, upper: float, seed: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Leave out articles, after those that `flags` exclude, until both ratios are in [`lower`, `upper`].

    The ratios are feminine per masculine actors and mentions of the remaining articles; without masculine ones they are
    infinite. The first table lists the excluded articles by step (`flags`, `balance`), with their order and the reason.
    The second describes the corpus before, after flagging and after balancing (`articles_with_actors`: actors of either
    gender). Missing the range is not an error here: `in_range` is false, and `outcome` gives the reason (see
    `why_not_balanced`).

    `published` (the paper's code): among articles with actors of the overrepresented gender alone, those with the most
    mentions + 10 · actors go first, one by one. Ties go by article number; the code uses the order of its file system.
    If such articles run out, all of them are removed. `corrected`: integer programming removes the fewest articles of
    any kind, and among such choices the fewest mentions. `seed` and id decide among articles with equal counts. If no
    choice reaches the range, none is removed.

    Raises `InputError` if the flags belong to other articles.
    """
    table = read_measured(measures, ["group", *COUNTS])
    flagged = read_measured([flags], ["excluded", *INDICATORS])
    if flagged["id"] != table["id"]:
        raise InputError(
            f"{flags}: flags other articles than those of {', '.join(map(str, measures))}; delete it and run again, "
            "which makes it anew"
        )
    counts = np.stack([whole_numbers(table, name) for name in COUNTS], axis=1)
    by_flags = flagged["excluded"].to_numpy()
    left = np.flatnonzero(~by_flags)
    if procedure == "published":
        choice = remove_one_sided(counts[left], lower, upper)
    else:
        choice = remove_fewest(counts[left], table["id"].take(left), lower, upper, seed)
    to_balance = left[choice.removed]
    log.info(
        "%s: %s articles excluded by flags, %s to balance; %s",
        procedure, f"{by_flags.sum():,}", f"{len(to_balance):,}", choice.outcome,
    )  # fmt: skip
    removed = [np.flatnonzero(by_flags), to_balance]
    flags_of = np.stack([flagged[name].to_numpy() for name in INDICATORS], axis=1)
    reasons = [
        _describe_rows(flags_of[by_flags], _describe_flags), _describe_rows(counts[to_balance], _describe_counts)
    ]  # fmt: skip
    keys = table.select(["id", "group"]).to_pandas()
    excluded = pd.concat(
        [
            keys.iloc[positions].assign(step=step, order=np.arange(1, len(positions) + 1), reason=texts)
            for step, positions, texts in zip(STEPS, removed, reasons, strict=True)
        ],
        ignore_index=True,
    )
    remaining = [np.arange(len(counts)), left, np.setdiff1d(left, to_balance)]
    ratios = pd.DataFrame(
        _measure(stage, counts[positions], gone, lower, upper)
        for stage, positions, gone in zip(STAGES, remaining, [0, *map(len, removed)], strict=True)
    )
    return excluded, ratios.assign(outcome=["", "", choice.outcome])


def filter_articles(measures: list[Path], excluded: pd.Series, kept: Path) -> None:
    """Write the rows of `articles` whose id is not among the `excluded`; memory holds one batch."""
    gone = pa.array(excluded.to_numpy(dtype=object), pa.string())
    with open_batches(kept, pq.read_schema(measures[0]).remove_metadata()) as writer:
        for path in measures:
            for batch in iterate_batches(path, _BATCH_ROWS):
                writer.write_table(pa.table(batch.filter(pc.invert(pc.is_in(batch["id"], value_set=gone)))))
        writer.metadata = read_metadata(measures[0])


def _describe_rows(rows: np.ndarray, describe: Callable[[list[int]], str]) -> np.ndarray:
    """Describe each row; equal rows are described once."""
    kinds, kind_of = np.unique(rows, axis=0, return_inverse=True)
    return np.array([describe(kind) for kind in kinds.tolist()], dtype=object)[kind_of.ravel()]


def _describe_flags(flags: list[int]) -> str:
    return "; ".join(compress(INDICATORS, flags))


def _describe_counts(counts: list[int]) -> str:
    numbers = dict(zip(COUNTS, counts, strict=True))
    parts = (f"{gender} {numbers[f'{gender}_actors']} ({numbers[f'{gender}_mentions']})" for gender in GENDERS)
    return f"actors (mentions): {'; '.join(parts)}"


def _measure(stage: str, counts: np.ndarray, removed: int, lower: float, upper: float) -> dict[str, object]:
    totals = counts.sum(axis=0)
    row = {"step": stage, "articles": len(counts), "articles_with_actors": int(counts[:, :2].any(axis=1).sum())}
    row["excluded"] = removed
    for name, places in RATIOS.items():
        row |= {COUNTS[place]: int(totals[place]) for place in places}
        row[name] = float(ratio(*totals[list(places)]))
    return row | {"in_range": "true" if is_in_range(totals, lower, upper) else "false"}


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

    If `ratios` (from `balance_corpus`) report that the corpus is not balanced, the folder has no articles but the file
    `NOT_BALANCED`, which describes how far balancing got. The other parameters are those of `read_articles`. Files keep
    their names below the folder that they share. Articles keep their order and all their fields. The layout is the
    standard library's, lines end in LF, and Parquet keeps its schema and metadata. Records that were rejected as
    articles are omitted. Files that lose no article are also written, although the published code omits them
    (corpus_balancing, `create_balanced_corpus_parallel`). Files that cannot be read at all are not. The folder is
    written completely or not at all. Raises `InputError` for an id that is not in the corpus. Memory: as
    `ArticleFiles`, plus the excluded ids.
    """
    if reason := why_not_balanced(ratios) if ratios else "":
        log.warning("%s", reason)
        with atomic_folder(folder) as part:
            write_text(part / NOT_BALANCED, f"{reason}\n")
        return
    files = ArticleFiles(sources, form, document_ids)
    ids = _read_ids(excluded, corpus)
    missing = set(ids)

    def is_kept(article: Article) -> bool:
        if not article.reason:
            missing.discard(article.doc_id)
        return not article.reason and article.doc_id not in ids

    with atomic_folder(folder) as part:
        targets = {path: part / name for path, name in files.names.items()}
        for target in targets.values():
            target.parent.mkdir(parents=True, exist_ok=True)
        for source in sources:
            _WRITERS[files.form.format](files, source, targets, is_kept)
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
_IsKept = Callable[[Article], bool]


def _write_csv(files: ArticleFiles, source: Path, targets: _Targets, is_kept: _IsKept) -> None:
    with open_csv(targets[source]) as file:
        rows = (cells for article, cells in files.records(source) if article is None or is_kept(article))
        csv.writer(file, lineterminator="\r\n", **files.form.dialect).writerows(rows)


def _write_jsonl(files: ArticleFiles, source: Path, targets: _Targets, is_kept: _IsKept) -> None:
    with targets[source].open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(
            _dump(record) + "\n" for article, record in files.records(source) if article and is_kept(article)
        )


def _write_json(files: ArticleFiles, source: Path, targets: _Targets, is_kept: _IsKept) -> None:
    records = list(files.records(source))
    if any(record is None for _, record in records):
        # The file cannot be read at all.
        return
    kept = [record for article, record in records if article and is_kept(article)]
    is_list = any(key is None for _, (key, _) in records)
    month = [value for _, value in kept] if is_list else dict(kept)
    targets[source].write_text(_dump(month, indent=2) + "\n", encoding="utf-8", newline="\n")


def _dump(record: Any, indent: int | None = None) -> str:
    text = json.dumps(record, ensure_ascii=False, indent=indent)
    # A lone surrogate in a field that we do not read stays escaped.
    return text if is_unicode(text) else json.dumps(record, indent=indent)


def _write_lines(files: ArticleFiles, source: Path, targets: _Targets, is_kept: _IsKept) -> None:
    assert files.document_ids
    paths = targets[source], targets[files.document_ids]
    texts, ids = (path.open("w", encoding="utf-8", newline="\n") for path in paths)
    with texts, ids:
        for article, lines in files.records(source):
            if article and is_kept(article):
                texts.writelines(f"{line}\n" for line in lines)
                ids.writelines(f"{article.doc_id}\n" for _ in lines)


def _write_parquet(files: ArticleFiles, source: Path, targets: _Targets, is_kept: _IsKept) -> None:
    batches = files.batches(source, whole=True)
    first = next(batches, None)
    if first and first[0] is None:
        # No part of the file can be read.
        return
    with open_batches(targets[source], pq.read_schema(source)) as writer:
        for batch, articles in chain([first] if first else [], batches):
            if batch is not None:
                table = pa.Table.from_batches([batch])
                writer.write_table(table.filter([is_kept(article) for article in articles]))


_WRITERS = {
    "csv": _write_csv, "jsonl": _write_jsonl, "taz_json": _write_json, "lines": _write_lines, "parquet": _write_parquet,
}  # fmt: skip


def why_not_balanced(ratios: Path) -> str:
    """Explain why `balance_corpus` did not bring the corpus into the range. Empty if it did."""
    rows = pd.read_csv(ratios).set_index("step")
    before, flagged, end = (rows.loc[stage] for stage in STAGES)
    if end["in_range"]:
        return ""
    if flagged["feminine_actors"] and flagged["masculine_actors"]:
        fix = "widen newsroom.balance.lower and newsroom.balance.upper"
    else:
        fix = "no newsroom.balance.lower and newsroom.balance.upper fix that: it takes articles with actors of both"
    return (
        f"{ratios}: the corpus is not balanced: {end['outcome']}. Feminine per masculine actors went from "
        f"{before['actor_ratio']:.3f} to {end['actor_ratio']:.3f}, mentions from {before['mention_ratio']:.3f} to "
        f"{end['mention_ratio']:.3f}; {flagged['excluded']:,} articles were removed by flags and {end['excluded']:,} "
        f"to balance; {end['articles']:,} remain, with {end['feminine_actors']:,} feminine and "
        f"{end['masculine_actors']:,} masculine actors; {fix}"
    )
