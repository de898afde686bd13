"""A report's numbers as they are shown: the tables of each group, of text alone, for LaTeX and for the page."""

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from textparity.report.tables import show_interval
from textparity.studies.newsroom.actor_rows import PARTS_OF_SPEECH
from textparity.studies.newsroom.summary import (
    ACTOR_COUNTS,
    COLUMNS,
    HIGH,
    LOW,
    OVERALL,
    PER_TEXT,
    PERCENT,
    SENTIMENT,
    SMALL,
    STATISTICS,
    TEXT_COUNTS,
    TOTALS,
)
from textparity.studies.newsroom.top_words import WORD_COLUMNS
from textparity.studies.newsroom.word_lists import GENDERS, UNDETERMINED

NOTHING = "–"
_LABELS = {
    "total_texts": "Texts",
    "texts_with_actors": "Texts with actors",
    "gender_neutral_texts": "Gender-inclusive language",
    "generic_masculine_texts": "Generic masculine",
    "feminine_coded_words": "Feminine-coded words",
    "masculine_coded_words": "Masculine-coded words",
}
# What a group is compared by at a glance: the feminine share of these.
COMPARED = (
    "actors",
    "mentions",
    "subject_roles",
    "object_roles",
    "direct_quotes",
    "indirect_quotes",
)


@dataclass(frozen=True)
class GroupReport:
    """One group's tables; all cells are text.

    `texts` has a row per kind of text (`metric`, `number`, `percent` of all texts); `totals` one per metric (`metric`,
    genders, `overall`, `feminine_percent`, its `interval`, `masculine_percent`); `per_text` one per metric (`metric`,
    then `{column}_{statistic}`). `words` has, by part of speech, a row per rank: `rank`, then each column of words and,
    as `{column}_value`, its value.
    `compared` has, by metric, the feminine share in percent, its interval, and whether it is of fewer than `SMALL`.
    """

    name: str
    texts: pd.DataFrame
    totals: pd.DataFrame
    per_text: pd.DataFrame
    words: dict[str, pd.DataFrame]
    compared: dict[str, tuple[str, str, bool]]


def shape_groups(summary: pd.DataFrame, top_words: pd.DataFrame) -> Iterator[GroupReport]:
    """Yield the report of each group of a summary, in its order."""
    shown = shown_columns(summary)
    words = dict(iter(top_words.assign(value=_shape_values(top_words)).groupby("group", sort=False)))
    for group, rows in summary.groupby("group", sort=False):
        numbers = rows.set_index(["section", "metric", "statistic"])[list(COLUMNS)]
        yield GroupReport(
            name=group,
            texts=_shape_texts(numbers),
            totals=_shape_totals(numbers, shown),
            per_text=_shape_per_text(numbers, shown),
            words=_shape_words(words[group]) if group in words else {},
            compared={metric: _compare(numbers, metric) for metric in COMPARED},
        )


def shown_columns(summary: pd.DataFrame) -> list[str]:
    """Return the genders of a summary and `overall`; undetermined only where the procedure has it."""
    has_undetermined = summary[UNDETERMINED].notna().any()
    return [name for name in COLUMNS if name != UNDETERMINED or has_undetermined]


def label_of(metric: str) -> str:
    """Return what a metric is called in a table."""
    return _LABELS.get(metric, metric.replace("_", " ").capitalize())


def show_number(number: float, decimals: int) -> str:
    """Return a number with thousands separators, a dash where there is none; zero has no sign."""
    return NOTHING if pd.isna(number) else f"{number:z,.{decimals}f}"


def _compare(numbers: pd.DataFrame, metric: str) -> tuple[str, str, bool]:
    counted = numbers.loc[(TOTALS, metric, "total"), list(GENDERS)].sum()
    share = show_number(numbers.loc[(PERCENT, metric, "percent"), "feminine"], 1)
    return share, _shape_interval(numbers, metric), bool(counted < SMALL)


def _shape_interval(numbers: pd.DataFrame, metric: str) -> str:
    """Return the interval of the feminine share; nothing where it is not defined."""
    low, high = (numbers.loc[(PERCENT, metric, end), "feminine"] for end in (LOW, HIGH))
    return "" if pd.isna(low) else show_interval(low, high, decimals=1)


def _shape_texts(numbers: pd.DataFrame) -> pd.DataFrame:
    counts = numbers.loc[TOTALS].loc[list(TEXT_COUNTS), OVERALL].droplevel("statistic")
    texts = counts["total_texts"]
    rows = [
        (label_of(metric), show_number(count, 0), show_number(100 * count / texts, 1) if texts else NOTHING)
        for metric, count in counts.items()
    ]
    return pd.DataFrame(rows, columns=["metric", "number", "percent"])


def _shape_totals(numbers: pd.DataFrame, shown: list[str]) -> pd.DataFrame:
    rows = []
    for metric in (*ACTOR_COUNTS, SENTIMENT):
        is_sentiment = metric == SENTIMENT
        totals = numbers.loc[(TOTALS, metric, "mean" if is_sentiment else "total")]
        row = {"metric": label_of(metric)}
        row |= {name: show_number(totals[name], 2 if is_sentiment else 0) for name in shown}
        row |= dict.fromkeys(("feminine_percent", "interval", "masculine_percent"), "")
        if not is_sentiment:
            shares = numbers.loc[(PERCENT, metric, "percent")]
            row |= {f"{gender}_percent": show_number(shares[gender], 1) for gender in GENDERS}
            row["interval"] = _shape_interval(numbers, metric)
        rows.append(row)
    return pd.DataFrame(rows)


def _shape_per_text(numbers: pd.DataFrame, shown: list[str]) -> pd.DataFrame:
    rows = []
    for metric in (*ACTOR_COUNTS, SENTIMENT, *TEXT_COUNTS[2:]):
        row = {"metric": label_of(metric)}
        for column in shown:
            for statistic in STATISTICS:
                # A text has no gender of its own.
                of_text = metric in TEXT_COUNTS and column != OVERALL
                value = numbers.loc[(PER_TEXT, metric, statistic), column]
                row[f"{column}_{statistic}"] = "" if of_text else show_number(value, 2)
        rows.append(row)
    return pd.DataFrame(rows)


def are_counts(top_words: pd.DataFrame) -> bool:
    """Return whether the values of ranked words are their counts."""
    return bool(top_words["value"].eq(top_words["count"]).all())


def _shape_values(top_words: pd.DataFrame) -> list[str]:
    """Return the count of each word, after its value if that is something else."""
    counts = [show_number(count, 0) for count in top_words["count"]]
    if are_counts(top_words):
        return counts
    return [f"{show_number(value, 2)}; {count}" for value, count in zip(top_words["value"], counts, strict=True)]


def _shape_words(words: pd.DataFrame) -> dict[str, pd.DataFrame]:
    shaped = {}
    for part in PARTS_OF_SPEECH:
        of_part = words[words["part_of_speech"] == part]
        if len(of_part):
            table = of_part.pivot(index="rank", columns="column", values=["word", "value"])
            names = [name if kind == "word" else f"{name}_value" for kind, name in table.columns]
            table = table.set_axis(names, axis="columns")
            table = table.reindex(columns=[f"{name}{end}" for name in WORD_COLUMNS for end in ("", "_value")])
            # A column without words is one of numbers.
            shaped[part] = table.astype(object).fillna("").reset_index()
    return shaped
