"""Summarise a corpus and its groups: the numbers and words of a report (Urchs 2025, §3, §4.1 and Appendix A)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from textparity.corpora.reading import read_rows
from textparity.counting import GENDERS
from textparity.errors import InputError
from textparity.estimating.bootstrap import Bootstrap, bootstrap_ratios
from textparity.estimating.seeds import random_generator
from textparity.tables import Table
from textparity_studies.measures.passages import ACTOR_GENDERS
from textparity_studies.newsroom.measuring import COUNTS, PARTS_OF_SPEECH

# The group name of the whole corpus, and of every article in a corpus without groups.
WHOLE = "all"
OVERALL = "overall"
COLUMNS = (*ACTOR_GENDERS, OVERALL)
# Sections, in the order of Appendix A.
TOTALS, PERCENT, PER_TEXT = "totals", "percent", "per text"
TEXT_COUNTS = ("total_texts", "texts_with_actors", "gender_neutral_texts", "generic_masculine_texts")
ACTOR_COUNTS = ("actors", *COUNTS)
SENTIMENT = "sentiment"
STATISTICS = ("mean", "median", "standard_deviation")
# The ends of a share's interval, in section `percent`.
LOW, HIGH = "percent_low", "percent_high"
# A share of fewer texts, or of fewer counted items, is unreliable and shown faint.
SMALL = 10
_KEYS = ["group", "section", "metric", "statistic"]
SUMMARY_HEADER = (*_KEYS, *COLUMNS)
# Map the paper's names to the articles' columns.
_FLAGS = {"gender_neutral_texts": "inclusive_language", "generic_masculine_texts": "generic_masculine"}
_PANDAS_NAMES = {"sum": "total", "mean": "mean", "median": "median", "std": "standard_deviation"}
_DIGITS = 6
# Columns of words near any actor, and near actors of each gender.
WORD_COLUMNS = ("actors", *GENDERS)
TOP_WORDS_HEADER = ("group", "part_of_speech", "rank", "column", "word", "value", "count")
_RANKS = 10
_COUNTED = ("background", *WORD_COLUMNS)
_WORD_KEYS = ["part_of_speech", "word"]


def summarise_articles(
    measures: list[Path], words: list[Path], procedure: str, minimum_count: int, bootstrap: Bootstrap
) -> Iterator[Table]:
    """Tabulate a report's numbers and most characteristic words, from all parts of a corpus by one procedure.

    `measures` have the columns of `measuring.ARTICLE_SCHEMA`, `words` those of `measuring.WORD_SCHEMA`. See `summarise`
    and `rank_words` for the columns. The order of articles and of parts does not matter.
    """
    yield Table("summary", summarise(measures, procedure, bootstrap))
    yield Table("top_words", rank_words(words, procedure, minimum_count))


def summarise(measures: list[Path], procedure: str, bootstrap: Bootstrap) -> pd.DataFrame:
    """Compute the rows of a summary (`SUMMARY_HEADER`): one per group (`all` first), section, metric and statistic.

    - `totals`: texts (`overall` only), counts by gender, and the mean sentiment, from -1 to 1;
    - `percent`: feminine and masculine in percent of both, as Appendix A prints it, with a percentile bootstrap
      interval over texts (`percent_low`, `percent_high`). The interval is empty for fewer than ten texts, and if some
      resample has neither gender;
    - `per text`: mean, median and standard deviation (n - 1) over texts; the two flags of texts count as 0 and 1.

    `published`: texts without a gendered actor are ignored. A text without actors of a gender has the sentiment 0 for
    it, and the total's overall sentiment is the mean of both genders'. `corrected`: all texts count.
    `texts_with_actors` requires a feminine or masculine actor, `overall` includes the undetermined, and sentiment is
    averaged over the texts that have it.

    Numbers are rounded to 6 decimals, and whole numbers are integers. Raises `InputError` if one of several groups is
    called `all`.
    """
    published = procedure == "published"
    genders = list(GENDERS if published else ACTOR_GENDERS)
    kept, groups, texts = _read_texts(measures, published)
    measured = [_measure(texts, groups)]
    by_gender = {gender: np.empty((len(ACTOR_COUNTS), len(texts)), np.int32) for gender in GENDERS}
    for place, metric in enumerate(ACTOR_COUNTS):
        columns = {gender: f"{gender}_{metric}" for gender in genders}
        counts = _read_columns(measures, columns, kept).astype(np.int64)
        for gender in GENDERS:
            by_gender[gender][place] = counts[gender]
        measured.append(_measure(counts.assign(overall=counts.sum(axis=1)), groups, metric))
    columns = {gender: f"{gender}_{SENTIMENT}" for gender in genders} | {OVERALL: "mean_sentiment"}
    sentiment = _read_columns(measures, columns, kept)
    if published:
        # The code's default for an absent gender is 0. A text that was not scored at all has no sentiment.
        scored = sentiment[OVERALL].notna()
        sentiment.loc[scored, genders] = sentiment.loc[scored, genders].fillna(0.0)
    measured.append(_measure(sentiment, groups, SENTIMENT))
    rows = pd.concat(measured).reindex(columns=[*_KEYS, *COLUMNS])
    parts = [_totals(rows, published), _percentages(rows), rows[rows["statistic"] != "total"]]
    for group, positions in _positions_of(groups):
        of_group = {gender: counts[:, positions] for gender, counts in by_gender.items()}
        generator = random_generator(bootstrap.seed, "newsroom", procedure, group)
        parts.append(_intervals(of_group, bootstrap, generator).assign(group=group))
    return _ordered(pd.concat(parts))


def read_summary(summary: Path) -> pd.DataFrame:
    """Read a summary as written, with numbers as floats and NaN for missing ones."""
    # A group may be called null or NA.
    texts = dict.fromkeys(_KEYS, str)
    return pd.read_csv(summary, dtype=texts, keep_default_na=False, na_values={name: [""] for name in COLUMNS})


def _read_columns(measures: list[Path], columns: dict[str, str], kept: np.ndarray | None) -> pd.DataFrame:
    """Read the columns of the texts that count, renamed to the keys of `columns`."""
    table = pa.concat_tables(read_rows(path, columns=list(columns.values())) for path in measures)
    return (table if kept is None else table.filter(kept)).to_pandas().set_axis(list(columns), axis="columns")


def _read_texts(measures: list[Path], published: bool) -> tuple[np.ndarray | None, pd.Series, pd.DataFrame]:
    """Read the texts: a mask of those that count (None: all), their groups, and their 0 or 1 for each of `TEXT_COUNTS`.

    The groups are sorted categories.
    """
    actors = [f"{gender}_actors" for gender in GENDERS]
    table = pa.concat_tables(read_rows(path, columns=["group", *actors, *_FLAGS.values()]) for path in measures)
    with_actors = pc.add(*(table[name] for name in actors)).to_numpy() > 0
    names = sorted(table["group"].unique().to_pylist())
    if WHOLE in names and len(names) > 1:
        raise InputError(
            f"{', '.join(map(str, measures))}: one of the groups is called {WHOLE}, which is the name of the whole "
            "corpus; give it another one in the corpus"
        )
    groups = pd.Series(pd.Categorical(table["group"].to_pandas(), categories=names), name="group")
    texts = pd.DataFrame({"total_texts": 1, "texts_with_actors": with_actors}, index=groups.index)
    for name, column in _FLAGS.items():
        texts[name] = table[column].to_numpy()
    texts = texts.astype(np.int64)
    if not published:
        return None, groups, texts
    # A group that has lost all its texts stays, with zero texts.
    return with_actors, groups[with_actors].reset_index(drop=True), texts[with_actors].reset_index(drop=True)


def _measure(values: pd.DataFrame, groups: pd.Series, metric: str | None = None) -> pd.DataFrame:
    """Compute total, mean, median and standard deviation, for the whole corpus and by group.

    `values` has a row per text, and a column per gender of `metric`; without `metric`, it has a column per metric.
    """
    functions = list(_PANDAS_NAMES)
    whole = values.agg(functions).T.stack().rename(WHOLE).to_frame().T
    parts = [whole]
    if list(groups.cat.categories) != [WHOLE]:
        by_group = values.groupby(groups.array, observed=False).agg(functions)
        parts.append(by_group.set_axis(by_group.index.astype(object)))
    both = pd.concat(parts).rename_axis(index="group", columns=["metric", "function"])
    if metric is None:
        rows = both.stack(["metric", "function"], future_stack=True).rename(OVERALL).reset_index()
    else:
        rows = both.stack("function", future_stack=True).rename_axis(columns=None).reset_index().assign(metric=metric)
    return rows.assign(section=PER_TEXT, statistic=rows["function"].map(_PANDAS_NAMES))


def _totals(rows: pd.DataFrame, published: bool) -> pd.DataFrame:
    counts = rows[(rows["statistic"] == "total") & (rows["metric"] != SENTIMENT)]
    sentiment = rows[(rows["statistic"] == "mean") & (rows["metric"] == SENTIMENT)]
    if published:
        sentiment = sentiment.assign(overall=sentiment[list(GENDERS)].mean(axis=1))
    return pd.concat([counts, sentiment]).assign(section=TOTALS)


def _percentages(rows: pd.DataFrame) -> pd.DataFrame:
    shares = rows[(rows["statistic"] == "total") & rows["metric"].isin(ACTOR_COUNTS)].copy()
    both = shares[list(GENDERS)].sum(axis=1)
    shares[list(GENDERS)] = 100 * shares[list(GENDERS)].div(both.where(both > 0), axis=0)
    return shares.assign(section=PERCENT, statistic="percent", undetermined=np.nan, overall=np.nan)


def _positions_of(groups: pd.Series) -> Iterator[tuple[str, np.ndarray | slice]]:
    """Iterate over the whole corpus and each group, with the positions of its texts."""
    yield WHOLE, slice(None)
    if list(groups.cat.categories) != [WHOLE]:
        of_group = groups.groupby(groups.array, observed=False).indices
        for group in groups.cat.categories:
            yield group, of_group.get(group, np.empty(0, np.int64))


def _intervals(counts: dict[str, np.ndarray], bootstrap: Bootstrap, generator: np.random.Generator) -> pd.DataFrame:
    """Compute the interval ends of both genders' shares; all metrics use the same resampled texts."""
    feminine, masculine = (counts[gender] for gender in GENDERS)
    # Texts are drawn by position. Sorted by their counts, they give the same intervals in any order.
    order = np.lexsort(np.concatenate([feminine, masculine])[::-1])
    feminine, masculine = feminine[:, order], masculine[:, order]
    intervals = bootstrap_ratios(feminine, feminine + masculine, bootstrap, generator)
    rows = []
    for metric, share in zip(ACTOR_COUNTS, intervals, strict=True):
        low, high = 100 * share.low, 100 * share.high
        rows += [(metric, LOW, low, 100 - high), (metric, HIGH, high, 100 - low)]
    return pd.DataFrame(rows, columns=["metric", "statistic", *GENDERS]).assign(section=PERCENT)


def _ordered(rows: pd.DataFrame) -> pd.DataFrame:
    # Per-text statistics of these would be trivial, because every text counts as one text.
    rows = rows[(rows["section"] != PER_TEXT) | ~rows["metric"].isin(TEXT_COUNTS[:2])]
    orders = {
        "section": (TOTALS, PERCENT, PER_TEXT),
        "metric": (*TEXT_COUNTS, *ACTOR_COUNTS, SENTIMENT),
        "statistic": ("total", "percent", LOW, HIGH, *STATISTICS),
    }
    places = {name: {value: place for place, value in enumerate(order)} for name, order in orders.items()}
    groups = sorted(set(rows["group"]) - {WHOLE})
    places["group"] = {value: place for place, value in enumerate([WHOLE, *groups])}
    rows = rows.sort_values(_KEYS, key=lambda column: column.map(places[column.name]))[list(SUMMARY_HEADER)]
    for name in COLUMNS:
        values = rows[name].astype(float).round(_DIGITS)
        # Whole numbers become integers: 1028 texts, not 1028.0.
        shown = [int(value) if value.is_integer() else value for value in values]
        rows[name] = pd.Series(shown, index=rows.index, dtype=object)
    return rows.reset_index(drop=True)


def rank_words(words: list[Path], procedure: str, minimum_count: int) -> pd.DataFrame:
    """Rank the ten first words (`TOP_WORDS_HEADER`) of each group, part of speech and column; the corpus comes first.

    `words` have the columns of `measuring.WORD_SCHEMA`.

    `published`: `value` is the count, as in the paper's reports, which call it PMI. `corrected`: `value` is the
    pointwise mutual information in bits, log2((c(w, g) / N(g)) / (c(w) / N)). The numerator is a word's share of the
    words in the sentences with an actor of gender g, or with any actor; the denominator is its share of all words of
    that part of speech. Only words with c(w, g) of at least `minimum_count` are ranked. Ties go to the larger count,
    then by code point. Memory holds the vocabulary of the corpus and of one group.
    """
    groups = _groups_of(words)
    total: pa.Table | None = None
    ranked = []
    for group, paths in groups.items():
        counts = _sum_counts(
            read_rows(path, [*_WORD_KEYS, *_COUNTED, "group"], pc.field("group") == group) for path in paths
        )
        if group != WHOLE:
            ranked += list(_rank_group(group, counts, procedure, minimum_count))
        total = counts if total is None else _sum_counts([total, counts])
    if total is not None:
        ranked = [*_rank_group(WHOLE, total, procedure, minimum_count), *ranked]
    return pd.DataFrame(ranked, columns=list(TOP_WORDS_HEADER))


def read_top_words(top_words: Path) -> pd.DataFrame:
    """Read ranked words as written."""
    # "null" is also a word, and a group may be called NA.
    texts = dict.fromkeys(["group", "part_of_speech", "column", "word"], str)
    return pd.read_csv(top_words, dtype=texts, keep_default_na=False)


def _groups_of(words: list[Path]) -> dict[str, list[Path]]:
    """List the files with words of each group, groups sorted."""
    found: dict[str, list[Path]] = {}
    for path in words:
        for group in read_rows(path, columns=["group"])["group"].unique().to_pylist():
            found.setdefault(group, []).append(path)
    return dict(sorted(found.items()))


def _sum_counts(tables: Iterator[pa.Table] | list[pa.Table]) -> pa.Table:
    summed = pa.concat_tables(tables).group_by(_WORD_KEYS).aggregate([(name, "sum") for name in _COUNTED])
    return summed.rename_columns({f"{name}_sum": name for name in _COUNTED})


def _rank_group(group: str, counts: pa.Table, procedure: str, minimum_count: int) -> Iterator[tuple[Any, ...]]:
    for part in PARTS_OF_SPEECH:
        of_part = counts.filter(pc.equal(counts["part_of_speech"], part))
        for column in WORD_COLUMNS:
            best = _best_words(of_part, column, procedure == "published", minimum_count)
            for rank, word in enumerate(best, start=1):
                yield group, part, rank, column, word["word"], word["value"], word["count"]


def _best_words(counts: pa.Table, column: str, published: bool, minimum_count: int) -> list[dict[str, Any]]:
    chosen = pc.greater_equal(counts[column], 1 if published else max(1, minimum_count))
    found = counts.select(["word", column, "background"]).rename_columns(["word", "count", "background"]).filter(chosen)
    values = found["count"]
    if not published and len(found):
        # The scale uses the whole table, before rare words are excluded. Only the quotient of two counts enters the
        # other logarithm, so that equal words tie whatever the scale.
        scale = np.log2(pc.sum(counts["background"]).as_py() / pc.sum(counts[column]).as_py())
        values = pa.array(np.log2(values.to_numpy() / found["background"].to_numpy()) + scale)
    found = found.append_column("value", values)
    order = [("value", "descending"), ("count", "descending"), ("word", "ascending")]
    return found.take(pc.select_k_unstable(found, _RANKS, order)).to_pylist()
