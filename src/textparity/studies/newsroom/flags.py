"""Flags of asymmetry between the genders within an article (Urchs 2025, §4.2, formulas 1–3, and §5.2)."""

import logging
from pathlib import Path

import numpy as np
import pyarrow as pa

from textparity.corpora.rows import ROW_GROUP_ROWS, open_batches
from textparity.studies.newsroom.article_rows import read_measured, whole_numbers
from textparity.studies.newsroom.word_lists import GENDERS

log = logging.getLogger(__name__)

# Each indicator, and the two counts whose smoothed ratio it compares; sentiment is compared as it is.
RATIOS = {
    "subject_gap": ("subject_roles", "object_roles"),
    "quote_gap": ("direct_quotes", "indirect_quotes"),
    "naming_gap": ("named_mentions", "pronoun_mentions"),
}
SENTIMENT = "sentiment_gap"
INDICATORS = (SENTIMENT, *RATIOS)
DECIMALS = 12


def difference_column(indicator: str) -> str:
    """Return the column that has the absolute difference an indicator is judged by."""
    return indicator.replace("_gap", "_difference")


def flag_articles(
    articles: list[Path], flags: Path, procedure: str, thresholds: dict[str, float], minimum_flags: int
) -> None:
    """Write one row per article to `flags` (Parquet): the four differences, the four flags, and whether it is excluded.

    Columns: `id`, `number`, `group`; `{sentiment,subject,quote,naming}_difference` (null where not judged);
    `{…}_gap` (whether the difference exceeds its threshold); `flags` (how many do); `excluded` (at least
    `minimum_flags` do). `thresholds` are by indicator; a difference that equals its threshold is not flagged.

    `published`: a gender that is absent has the ratio 1 and sentiment 0, as in the paper's code, so most articles
    without women are flagged; articles without actors of either gender are not judged. `corrected`: an indicator is
    judged where both genders have something to compare (mentions, roles, quotes; for sentiment an actor), for a text
    without women has no asymmetry of framing but of presence, and that is what balancing is about.

    Raises `InputError` for articles that occur twice.
    """
    counts = ["actors", *(name for pair in RATIOS.values() for name in pair)]
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
    """Return the absolute difference between the genders and whether it is judged, both of shape (articles,)."""
    values, present = [], []
    for gender in GENDERS:
        if indicator == SENTIMENT:
            sentiment = table[f"{gender}_sentiment"]
            values.append(sentiment.fill_null(0).to_numpy())
            present.append(sentiment.is_valid().to_numpy())
        else:
            above, below = (whole_numbers(table, f"{gender}_{name}") for name in RATIOS[indicator])
            values.append((above + 1) / (below + 1))
            present.append(above + below > 0)
    differences = np.abs(values[0] - values[1])
    if procedure == "published":
        # The code keeps no record of an article without actors of either gender.
        return differences, np.add(*(whole_numbers(table, f"{gender}_actors") for gender in GENDERS)) > 0
    # 7/3 - 11/6 is a half; as floating-point numbers it is more, which would exceed a threshold of a half.
    return differences.round(DECIMALS), present[0] & present[1]
