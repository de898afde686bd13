"""Read the yearly totals of Urchs 2025: a CSV published before balancing, and one transcribed from later reports."""

from pathlib import Path

import numpy as np
import pandas as pd

from textparity.counting import GENDERS
from textparity.errors import InputError
from textparity_studies.newsroom.measuring import COUNTS
from textparity_studies.newsroom.summary import SUMMARY_HEADER, TOTALS

_TEXT_COUNTS = {
    "total_texts": "total_texts",
    "texts_with_actors": "texts_with_actors",
    "uses_gender_neutral_language_docs": "gender_neutral_texts",
    "generic_masculine_usage_docs": "generic_masculine_texts",
}
# Map the paper's names, without the pronouns that stand for the genders, to those of a summary.
_ACTOR_COUNTS = {
    "pronoun_distribution": "actors",
    "mentions_by_pronoun": "mentions",
    **{name: name for name in COUNTS if name != "mentions"},
}
_SENTIMENT = "sentiment"
_PRONOUNS = dict(zip(("she_her", "he_him"), GENDERS, strict=True))
_COLUMNS = (
    "year",
    *_TEXT_COUNTS,
    *(f"{name}_{pronoun}" for name in (*_ACTOR_COUNTS, _SENTIMENT) for pronoun in _PRONOUNS),
)


def read_yearly_figures(path: Path) -> pd.DataFrame:
    """Read published yearly totals as the `totals` of a summary (`SUMMARY_HEADER`), with years as groups.

    `overall` is the sum of both genders, and for sentiment their mean, as in the yearly reports. There is no row for
    all years. Raises `InputError` with the file and the column if one is missing or holds anything but numbers.
    """
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    if missing := [name for name in _COLUMNS if name not in table.columns]:
        raise InputError(
            f"{path}: there is no column {', '.join(missing)}; yearly figures need {', '.join(_COLUMNS)}, each with "
            "one row a year"
        )
    years = table["year"]
    if not years.str.fullmatch(r"\d{4}").all() or years.duplicated().any():
        raise InputError(f"{path}: column year: each row needs a year of four digits, and each year one row")
    numbers = {name: _numbers_of(table[name], path) for name in _COLUMNS[1:]}
    parts = [
        pd.DataFrame({"group": years, "metric": metric, "statistic": "total", "overall": numbers[name]})
        for name, metric in _TEXT_COUNTS.items()
    ]
    for name, metric in (_ACTOR_COUNTS | {_SENTIMENT: _SENTIMENT}).items():
        both = {gender: numbers[f"{name}_{pronoun}"] for pronoun, gender in _PRONOUNS.items()}
        overall, statistic = sum(both.values()), "total"
        if name == _SENTIMENT:
            overall, statistic = overall / 2, "mean"
        parts.append(
            pd.DataFrame({"group": years, "metric": metric, "statistic": statistic, "overall": overall} | both)
        )
    rows = pd.concat(parts).sort_values("group", kind="stable", ignore_index=True).assign(section=TOTALS)
    return rows.reindex(columns=list(SUMMARY_HEADER))


def read_years(path: Path) -> pd.DataFrame:
    """Read the same totals as a row per year with the columns `{gender}_{metric}`; `overall` counts as a gender."""
    rows = read_yearly_figures(path)
    by_metric = rows.assign(year=rows["group"].astype(int)).pivot(index="year", columns="metric")
    columns = {
        f"{who}_{metric}": by_metric[who][metric] for who in (*GENDERS, "overall") for metric in by_metric[who].columns
    }
    return pd.DataFrame(columns)


def _numbers_of(column: pd.Series, path: Path) -> pd.Series:
    numbers = pd.to_numeric(column, errors="coerce")
    if not np.isfinite(numbers).all():
        line = int(np.argmin(np.isfinite(numbers))) + 2
        raise InputError(f"{path}, line {line}: column {column.name}: {column.iloc[line - 2]!r} is no number")
    return numbers
