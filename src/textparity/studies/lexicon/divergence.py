"""Parallel texts whose gender counts differ between two languages (Muller 2023, §5.2 and Table 2, by hand there)."""

from pathlib import Path
from typing import Any

import pandas as pd

from textparity.corpora.rows import read_rows
from textparity.errors import InputError
from textparity.measures.lexicon import CLASSES
from textparity.report.tables import write_csv

_COUNTS = [f"corrected_{name}" for name in CLASSES]


def list_divergences(
    counts: Path,
    pivot_counts: Path,
    texts: Path,
    pivot_texts: Path,
    divergences: Path,
    lang: str,
    pivot: str,
    rows: int | None = None,
) -> None:
    """Write the texts whose corrected counts differ from the pivot language's, most different first (CSV).

    `gender_difference` sums the differences of feminine and masculine and ranks the list; `difference` adds
    unspecified and breaks ties. Matched forms stand in text order. At most `rows` rows (all, if none is given).
    """
    ours = _read(counts, texts, lang)
    theirs = _read(pivot_counts, pivot_texts, pivot)
    if not ours.index.equals(theirs.index):
        raise InputError(
            f"{texts} and {pivot_texts} are not parallel: {len(ours)} and {len(theirs)} texts with differing ids; "
            "empty `parallel_to` in resources/registry/corpora.tsv, or repair the files"
        )
    table = ours.join(theirs)
    by_class = {name: (table[f"{name}_{lang}"] - table[f"{name}_{pivot}"]).abs() for name in CLASSES}
    table.insert(0, "gender_difference", by_class["feminine"] + by_class["masculine"])
    table.insert(1, "difference", table["gender_difference"] + by_class["unspecified"])
    table = table[table["difference"] > 0].reset_index()
    table = table.sort_values(["gender_difference", "difference", "id"], ascending=[False, False, True])
    write_csv(table.head(rows) if rows else table, divergences)


def _read(counts: Path, texts: Path, lang: str) -> pd.DataFrame:
    columns = ["id", *_COUNTS, "corrected_matches"]
    table = read_rows(counts, columns=columns).to_pandas()
    table["matched_forms"] = table.pop("corrected_matches").map(_spell)
    table = table.rename(columns=dict(zip(_COUNTS, CLASSES, strict=True)))
    table["text"] = read_rows(texts, columns=["text"])["text"].to_pylist()
    return table.set_index("id").add_suffix(f"_{lang}")


def _spell(matches: list[dict[str, Any]]) -> str:
    return "; ".join(f"{match['form']} ({match['classes']})" for match in matches)
