"""From counts per text to rates, intervals and verdicts per language (Muller 2023, §3.3, §5.1, footnote 11)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from textparity.files import atomic_path
from textparity.lexicon import CLASSES
from textparity.procedures import PROCEDURES
from textparity.rows import read_metadata, read_rows
from textparity.statistics import (
    Interval,
    bootstrap_ratios,
    percentage,
    random_generator,
    standard_error_of_difference,
    verdict,
)


def summarise_lexicon(
    counts: list[Path],
    summary: Path,
    corpus: str,
    engine: str,
    langs: list[str],
    seed: int,
    resamples: int,
    confidence_level: float,
) -> None:
    """Summarise the counts of each language of `corpus`; one row a language and procedure in `summary` (Parquet).

    Rates and their intervals are percentages of words; `gap` is |feminine − masculine| in percentage points.
    `standard_error` is in the unit of the procedure: a fraction in `published` (the paper's slip), percentage
    points in `corrected`.
    """
    rows = [
        row
        for lang, path in zip(langs, counts, strict=True)
        for row in summarise_language(path, corpus, engine, lang, seed, resamples, confidence_level)
    ]
    with atomic_path(summary) as part:
        pd.DataFrame(rows).to_parquet(part, index=False, compression="zstd")


def summarise_language(
    path: Path, corpus: str, engine: str, lang: str, seed: int, resamples: int, confidence_level: float
) -> Iterator[dict[str, Any]]:
    """Yield the summary of one counts file, a row a procedure."""
    metadata = read_metadata(path)
    for procedure in PROCEDURES:
        names = ["words", *CLASSES, "feminine_and_masculine"]
        table = read_rows(path, columns=[f"{procedure}_{name}" for name in names])
        per_text = {name: table[f"{procedure}_{name}"].to_numpy() for name in names}
        generator = random_generator(seed, corpus, lang, engine, procedure)
        yield (
            {"corpus": corpus, "lang": lang, "engine": engine, "procedure": procedure}
            | summarise_counts(per_text, procedure, resamples, confidence_level, generator)
            | {"tokenizer": metadata.get("tokenizer", ""), "stand_in": metadata.get("stand_in", False)}
        )


def summarise_counts(
    per_text: dict[str, np.ndarray],
    procedure: str,
    resamples: int,
    confidence_level: float,
    generator: np.random.Generator,
) -> dict[str, Any]:
    """Return totals, rates, intervals and verdicts of counts per text (arrays of one length, blank texts included)."""
    counted = per_text["words"] > 0
    matched = np.logical_or.reduce([per_text[name] > 0 for name in CLASSES])
    words, feminine, masculine = per_text["words"], per_text["feminine"], per_text["masculine"]
    intervals = bootstrap_ratios(
        np.stack([*(per_text[name] for name in CLASSES), masculine])[:, counted],
        np.stack([words, words, words, feminine])[:, counted],
        resamples,
        confidence_level,
        generator,
    )
    total = {
        "texts": len(counted),
        "blank_texts": int((~counted).sum()),
        "matched_texts": int(matched.sum()),
    } | {name: int(values.sum()) for name, values in per_text.items()}
    return summarise_totals(total, intervals, procedure)


def summarise_totals(total: dict[str, int], intervals: list[Interval], procedure: str) -> dict[str, Any]:
    """Return totals with rates, intervals and verdicts.

    `total` has texts, blank_texts, matched_texts, words and the counts; `intervals` are those of feminine, masculine
    and unspecified as fractions of words, and of masculine per feminine.
    """
    rates = {name: percentage(total[name], total["words"]) for name in CLASSES}
    error = standard_error_of_difference(
        total["feminine"], total["masculine"], total["feminine_and_masculine"], total["words"]
    )
    *of_words, ratio = intervals
    row: dict[str, Any] = dict(total)
    for name, interval in zip(CLASSES, of_words, strict=True):
        row |= {
            f"{name}_percent": rates[name],
            f"{name}_low": 100 * interval.low,
            f"{name}_high": 100 * interval.high,
        }
    one_unit = verdict(rates["feminine"], rates["masculine"], 100 * error)
    mixed_units = verdict(rates["feminine"], rates["masculine"], error)
    return row | {
        "gap": abs(rates["feminine"] - rates["masculine"]),
        "standard_error": error if procedure == "published" else 100 * error,
        "coverage_percent": percentage(total["matched_texts"], total["texts"] - total["blank_texts"]),
        "masculine_per_feminine": total["masculine"] / total["feminine"] if total["feminine"] else float("nan"),
        "masculine_per_feminine_low": ratio.low,
        "masculine_per_feminine_high": ratio.high,
        "verdict": mixed_units if procedure == "published" else one_unit,
        "verdict_in_one_unit": one_unit,
    }
