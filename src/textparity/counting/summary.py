"""Summarise counts per text as rates, intervals and verdicts per language (Muller 2023, §3.3, §5.1, footnote 11).

The paper assumes that words are independent. `corrected` resamples documents if a corpus has them, else texts.
"""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from textparity.corpora.rows import read_metadata, read_rows
from textparity.counting.statistics import (
    Bootstrap,
    EvidenceThreshold,
    GenderGap,
    Interval,
    adjust_by_holm,
    bootstrap_ratios,
    percentage,
    published_verdict,
    random_generator,
    standard_error_of_difference,
    verdict,
)
from textparity.counting.terms import CLASSES
from textparity.files import atomic_path

if TYPE_CHECKING:
    import pandas as pd

COUNTS = ("words", *CLASSES, "feminine_and_masculine")


def summarise_lexicon(counts: list[Path], summary: Path, bootstrap: Bootstrap, minimum: EvidenceThreshold) -> None:
    """Summarise the counts of the languages of one corpus, with one row per language and procedure in `summary`
    (Parquet).

    Rates and their intervals are percentages of words. `gap` is |feminine − masculine| in percentage points.
    `standard_error` is a fraction in `published`, as the paper's tables print it beside a gap in percent. In
    `corrected` and `revised`, it is in percentage points. Every verdict compares both in one unit. For the other
    columns see `summarise_totals` and `decide_family`. A family consists of the corpus's languages by one procedure.
    """
    import pandas as pd

    rows = [row for path in counts for row in summarise_language(path, bootstrap, minimum)]
    for procedure in dict.fromkeys(row["procedure"] for row in rows):
        decide_family([row for row in rows if row["procedure"] == procedure], bootstrap.confidence_level)
    with atomic_path(summary) as part:
        pd.DataFrame(rows).to_parquet(part, index=False, compression="zstd", write_page_checksum=True)


def read_summaries(paths: list[Path]) -> "pd.DataFrame":
    """Read summaries into one frame."""
    import pandas as pd

    return pd.concat([read_rows(path).to_pandas() for path in paths], ignore_index=True)


def summarise_language(counts: Path, bootstrap: Bootstrap, minimum: EvidenceThreshold) -> Iterator[dict[str, Any]]:
    """Summarise one counts file, one row per procedure, resampling documents (texts, if each is its own document)."""
    import pandas as pd

    metadata = read_metadata(counts)
    keys = {name: metadata[name] for name in ("corpus", "lang", "engine")}
    # The paper's engine keeps its first name in the seed, so that its intervals stay as they were recorded.
    names = [name if name != "paper" else "published" for name in keys.values()]
    documents = pd.factorize(read_rows(counts, columns=["doc_id"])["doc_id"].to_numpy())[0]
    for procedure in metadata["procedures"]:
        table = read_rows(counts, columns=[f"{procedure}_{name}" for name in COUNTS])
        per_text = {name: table[f"{procedure}_{name}"].to_numpy() for name in COUNTS}
        blank = per_text["words"] == 0
        total = {
            "texts": len(blank),
            "blank_texts": int(blank.sum()),
            "matched_texts": int(np.logical_or.reduce([per_text[name] > 0 for name in CLASSES]).sum()),
        } | {name: int(values.sum()) for name, values in per_text.items()}
        # These are whole numbers, so sums are exact.
        per_unit = {name: np.bincount(documents, values).astype(np.int64) for name, values in per_text.items()}
        words, feminine, masculine, both = (
            per_unit[name] for name in ("words", "feminine", "masculine", "feminine_and_masculine")
        )
        intervals = bootstrap_ratios(
            np.stack([*(per_unit[name] for name in CLASSES), masculine])[:, words > 0],
            np.stack([words, words, words, feminine])[:, words > 0],
            bootstrap,
            random_generator(bootstrap.seed, *names, procedure),
        )
        unit = "text" if len(words) == len(blank) else "document"
        gap = GenderGap.of(words, feminine, masculine, both)
        yield (
            keys
            | {"procedure": procedure}
            | summarise_totals(total, intervals, gap, unit, procedure, minimum)
            | {"tokenizer": metadata["tokenizer"], "stand_in": metadata["stand_in"]}
        )


def summarise_totals(
    total: dict[str, int],
    intervals: list[Interval],
    gap: GenderGap,
    unit: str,
    procedure: str,
    minimum: EvidenceThreshold,
) -> dict[str, Any]:
    """Compute the totals with rates, intervals and the inputs of verdicts.

    `total` has texts, blank_texts, matched_texts, words and the counts. `intervals` are those of feminine, masculine
    and unspecified as fractions of words, and of masculine per feminine. `units` is the number of resampled units
    (`unit` names them), `matched_units` the number of those with a word of exactly one gender. Below the `minimum`,
    there is no ratio and no p-value. `standard_error_of_words` assumes that words are independent, as the paper does,
    in percentage points. The `verdict` of `published` follows the rule in the paper's footnote 11.
    """
    rates = {name: percentage(total[name], total["words"]) for name in CLASSES}
    of_words = standard_error_of_difference(
        total["feminine"], total["masculine"], total["feminine_and_masculine"], total["words"]
    )
    row: dict[str, Any] = dict(total)
    for name, interval in zip(CLASSES, intervals, strict=False):
        low, high = _ends(interval)
        row |= {f"{name}_percent": rates[name], f"{name}_low": 100 * low, f"{name}_high": 100 * high}
    enough = minimum.is_met(gap)
    low, high = _ends(intervals[-1]) if enough else (math.nan, math.nan)
    row |= {
        "gap": abs(rates["feminine"] - rates["masculine"]),
        "standard_error": of_words if procedure == "published" else 100 * gap.standard_error,
        "coverage_percent": percentage(total["matched_texts"], total["texts"] - total["blank_texts"]),
        "resampling_unit": unit,
        "units": gap.units,
        "matched_units": gap.matched_units,
        "masculine_per_feminine": total["masculine"] / total["feminine"] if enough and total["feminine"] else math.nan,
        "masculine_per_feminine_low": low,
        "masculine_per_feminine_high": high,
    }
    if procedure == "published":
        return row | {"verdict": published_verdict(rates["masculine"] - rates["feminine"], 100 * of_words)}
    return row | {"standard_error_of_words": 100 * of_words, "p_value": gap.p_value if enough else math.nan}


def decide_family(rows: list[dict[str, Any]], confidence_level: float) -> None:
    """Add verdicts to the rows of one table by one procedure. Rows of the published procedure already have theirs.

    `p_value_holm` is adjusted for the number of rows. `verdict` is based on it, and `verdict_unadjusted` on each row's
    own p-value.
    """
    family = [row for row in rows if "p_value" in row]
    adjusted = adjust_by_holm([row["p_value"] for row in family])
    for row, p_value in zip(family, adjusted, strict=True):
        difference = row["masculine"] - row["feminine"]
        row["p_value_holm"] = p_value
        row["verdict"] = verdict(difference, p_value, confidence_level)
        row["verdict_unadjusted"] = verdict(difference, row["p_value"], confidence_level)


def _ends(interval: Interval) -> tuple[float, float]:
    """Convert an interval to its ends. NaN if it has no width, which only means that all units are identical."""
    return (interval.low, interval.high) if interval.low < interval.high else (math.nan, math.nan)
