"""Flag asymmetry between the genders within articles (Urchs 2025, §4.2, formulas 1–3, §5.2), and balance a corpus.

A balanced corpus has ratios of feminine to masculine actors and mentions within a range (§4.2, §5.3).

"""

import logging
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from textparity.corpora.rows import ROW_GROUP_ROWS, iterate_batches, open_batches, read_metadata
from textparity.counting.procedures import PROCEDURES
from textparity.counting.statistics import Bootstrap
from textparity.errors import InputError
from textparity.persons.actors.word_lists import GENDERS
from textparity.tables import write_csv
from textparity_studies.newsroom.article_rows import (
    EXCLUDED_HEADER,
    STEPS,
    read_excluded,
    read_measured,
    split_evenly,
    whole_numbers,
)
from textparity_studies.newsroom.asymmetry_flags import (
    COUNTS,
    RATIOS,
    is_in_range,
    ratio,
    remove_fewest,
    remove_one_sided,
)
from textparity_studies.newsroom.nlp_models import STAGES
from textparity_studies.newsroom.summary import summarise

log = logging.getLogger(__name__)

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


def difference_column(indicator: str) -> str:
    """Name the column of the absolute difference that decides an indicator."""
    return indicator.replace("_gap", "_difference")


def flag_articles(
    articles: list[Path], flags: Path, procedure: str, thresholds: dict[str, float], minimum_flags: int
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
    table = read_measured(articles, ["group", *names])
    differences: dict[str, pa.Array] = {}
    flagged: dict[str, np.ndarray] = {}
    for indicator in INDICATORS:
        values, judged = _compare(table, indicator, procedure)
        differences[difference_column(indicator)] = pa.array(values, mask=~judged)
        flagged[indicator] = judged & (values > thresholds[indicator])
    totals = np.sum([values.astype(np.int64) for values in flagged.values()], axis=0)
    keys = {name: table[name] for name in ("id", "number", "group")}
    rows = pa.table(keys | differences | flagged | {"flags": totals, "excluded": totals >= minimum_flags})
    settings = {"procedure": procedure, "thresholds": thresholds, "minimum_flags": minimum_flags}
    with open_batches(flags, rows.schema) as writer:
        for start in range(0, len(rows), ROW_GROUP_ROWS):
            writer.write_table(rows.slice(start, ROW_GROUP_ROWS))
        writer.metadata = settings
    said = ", ".join(f"{values.sum():,} {indicator}" for indicator, values in flagged.items())
    log.info("%s articles: %s; %s excluded", f"{len(rows):,}", said, f"{(totals >= minimum_flags).sum():,}")


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
    articles: list[Path],
    flags: list[Path],
    excluded: list[Path],
    ratios: list[Path],
    kept: list[Path],
    summaries: list[Path],
    balanced_by: list[str],
    thresholds: dict[str, float],
    minimum_flags: int,
    lower: float,
    upper: float,
    bootstrap: Bootstrap,
) -> None:
    """Flag the articles of a corpus by each of `PROCEDURES`, and balance the corpus by those in `balanced_by`.

    `articles` (all parts) and `flags` are ordered by `PROCEDURES`, the other lists by `balanced_by`. `kept` are the
    measures of the remaining articles. `summaries` are the report's numbers for these; words are not counted
    separately.
    """
    parts_of = dict(zip(PROCEDURES, split_evenly(articles, len(PROCEDURES)), strict=True))
    flags_of = dict(zip(PROCEDURES, flags, strict=True))
    for procedure in PROCEDURES:
        flag_articles(parts_of[procedure], flags_of[procedure], procedure, thresholds, minimum_flags)
    for procedure, gone, reached, left, summary in zip(balanced_by, excluded, ratios, kept, summaries, strict=True):
        parts = parts_of[procedure]
        exclude_articles(parts, flags_of[procedure], gone, reached, procedure, lower, upper, bootstrap.seed)
        filter_articles(parts, gone, left)
        write_csv(summarise([left], procedure, bootstrap), summary)


def exclude_articles(
    articles: list[Path],
    flags: Path,
    excluded: Path,
    ratios: Path,
    procedure: str,
    lower: float,
    upper: float,
    seed: int,
) -> None:
    """Leave out articles, after those that `flags` exclude, until both ratios are in [`lower`, `upper`].

    The ratios are feminine per masculine actors and mentions of the remaining articles; without masculine ones they are
    infinite. Writes two CSV files. `excluded` lists the excluded articles by step (`flags`, `balance`), with their
    order and the reason. `ratios` describes the corpus before, after flagging and after balancing
    (`articles_with_actors`: actors of either gender). Missing the range is not an error here: `in_range` is false, and
    `outcome` gives the reason (see `balanced_corpus.check_balance`).

    `published` (the paper's code): among articles with actors of the overrepresented gender alone, those with the most
    mentions + 10 · actors go first, one by one. Ties go by article number; the code uses the order of its file system.
    If such articles run out, all of them are removed. `corrected`: integer programming removes the fewest articles of
    any kind, and among such choices the fewest mentions. `seed` and id decide among articles with equal counts. If no
    choice reaches the range, none is removed.

    Raises `InputError` if the flags belong to other articles.
    """
    table = read_measured(articles, ["group", *COUNTS])
    flagged = read_measured([flags], ["excluded", *INDICATORS])
    if flagged["id"] != table["id"]:
        raise InputError(
            f"{flags}: flags other articles than those of {', '.join(map(str, articles))}; delete it and run again, "
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
    reasons = [_flag_reasons(flagged.take(removed[0])), _count_reasons(counts[to_balance])]
    _write_excluded(excluded, table, removed, reasons)
    stays = [np.arange(len(counts)), left, np.setdiff1d(left, to_balance)]
    rows = [
        _measure(stage, counts[positions], gone, lower, upper) | {"outcome": ""}
        for stage, positions, gone in zip(STAGES, stays, [0, *map(len, removed)], strict=True)
    ]
    rows[-1]["outcome"] = choice.outcome
    write_csv(pd.DataFrame(rows), ratios)


def filter_articles(articles: list[Path], excluded: Path, kept: Path) -> None:
    """Write the rows of `articles` whose id is not in the CSV file `excluded`; memory holds one batch."""
    gone = pa.array(read_excluded(excluded)["id"].to_numpy(dtype=object), pa.string())
    with open_batches(kept, pq.read_schema(articles[0]).remove_metadata()) as writer:
        for path in articles:
            for batch in iterate_batches(path, _BATCH_ROWS):
                writer.write_table(pa.table(batch.filter(pc.invert(pc.is_in(batch["id"], value_set=gone)))))
        writer.metadata = read_metadata(articles[0])


def _flag_reasons(flagged: pa.Table) -> np.ndarray:
    patterns = sum(flagged[name].to_numpy().astype(np.int64) << place for place, name in enumerate(INDICATORS))
    texts = [
        "; ".join(name for place, name in enumerate(INDICATORS) if pattern >> place & 1)
        for pattern in range(1 << len(INDICATORS))
    ]
    return np.array(texts, dtype=object)[patterns]


def _count_reasons(counts: np.ndarray) -> np.ndarray:
    kinds, kind_of = np.unique(counts, axis=0, return_inverse=True)
    texts = []
    for kind in kinds.tolist():
        numbers = dict(zip(COUNTS, kind, strict=True))
        parts = (f"{gender} {numbers[f'{gender}_actors']} ({numbers[f'{gender}_mentions']})" for gender in GENDERS)
        texts.append(f"actors (mentions): {'; '.join(parts)}")
    return np.array(texts, dtype=object)[kind_of.ravel()]


def _write_excluded(path: Path, table: pa.Table, removed: list[np.ndarray], reasons: list[np.ndarray]) -> None:
    parts = []
    for step, positions, texts in zip(STEPS, removed, reasons, strict=True):
        rows = table.select(["id", "group"]).take(positions).to_pandas()
        parts.append(rows.assign(step=step, order=np.arange(1, len(rows) + 1), reason=texts))
    write_csv(pd.concat(parts, ignore_index=True)[list(EXCLUDED_HEADER)], path)


def _measure(stage: str, counts: np.ndarray, removed: int, lower: float, upper: float) -> dict[str, object]:
    totals = counts.sum(axis=0)
    row = {"step": stage, "articles": len(counts), "articles_with_actors": int(counts[:, :2].any(axis=1).sum())}
    row["excluded"] = removed
    for name, places in RATIOS.items():
        row |= {COUNTS[place]: int(totals[place]) for place in places}
        row[name] = float(ratio(*totals[list(places)]))
    return row | {"in_range": "true" if is_in_range(totals, lower, upper) else "false"}
