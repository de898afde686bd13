"""Compute masculine : feminine of a corpus with its interval, from words of gendered lists or language models' tags."""

from pathlib import Path
from typing import Any

import numpy as np

from textparity.corpora.rows import read_metadata, read_rows
from textparity.counting.procedures import PROCEDURES
from textparity.counting.statistics import Bootstrap, bootstrap_ratios, random_generator, share
from textparity_studies.measures.polarity import GENDERS
from textparity_studies.measures.tag_counts import COUNTS, FURTHER_COUNTS

RATIO = "person_masculine_per_feminine"


def summarise_polarity(counts: Path, corpus: str, bootstrap: Bootstrap) -> list[dict[str, Any]]:
    """Compute totals of English words and masculine : feminine with its interval, a row per procedure."""
    rows = []
    table = read_rows(counts)
    for procedure in PROCEDURES:
        per_text = {name: table[f"{procedure}_{name}"].to_numpy() for name in ("words", *GENDERS)}
        masculine, feminine = (per_text[gender] for gender in GENDERS)
        (ratio,) = bootstrap_ratios(
            np.stack([masculine]),
            np.stack([feminine]),
            bootstrap,
            random_generator(bootstrap.seed, corpus, "eng", "polarity", procedure),
        )
        rows.append(
            {"corpus": corpus, "procedure": procedure, "texts": len(masculine)}
            | {name: int(values.sum()) for name, values in per_text.items()}
            | {"masculine_per_feminine": share(masculine.sum(), feminine.sum())}
            | {"masculine_per_feminine_low": ratio.low, "masculine_per_feminine_high": ratio.high}
        )
    return rows


def summarise_tags(tags: Path, corpus: str, lang: str, bootstrap: Bootstrap) -> list[dict[str, Any]]:
    """Compute L_{p,g} and the ratio L_{P,M} : L_{P,F} with its interval, a row per procedure.

    Counts are means over runs; intervals are a bootstrap over sentences. `corrected` also has the ratio without epicene
    words, and the number of words excluded because the sentence does not have them. A corpus with missing answers has a
    `reason` and no numbers.
    """
    metadata = read_metadata(tags)
    key = {"corpus": corpus, "lang": lang, "tagger": metadata["tagger"], "runs": metadata["runs"]}
    rows = [key | {"procedure": procedure, "reason": metadata["reason"]} for procedure in PROCEDURES]
    for row in rows if not metadata["missing"] else []:
        # Both procedures use the same resamples, so that equal counts have equal intervals.
        generator = random_generator(bootstrap.seed, corpus, lang, metadata["tagger"])
        row |= _tag_ratios(tags, row["procedure"], metadata["runs"], bootstrap, generator)
    return rows


def _tag_ratios(
    tags: Path, procedure: str, runs: int, bootstrap: Bootstrap, generator: np.random.Generator
) -> dict[str, Any]:
    frame = read_rows(tags).drop_columns(["run", "status", "words"]).to_pandas()
    texts = frame.groupby("id", sort=False).sum()
    totals = {name: texts[f"{procedure}_{name}"].sum() / runs for name in COUNTS}
    ratios = {RATIO: [texts[f"{procedure}_person_{gender}"].to_numpy() for gender in GENDERS]}
    if procedure == "corrected":
        epicene = [texts[f"corrected_epicene_{gender}"].to_numpy() for gender in GENDERS]
        ratios[f"{RATIO}_without_epicene"] = [a - b for a, b in zip(ratios[RATIO], epicene, strict=True)]
        totals |= {name: texts[f"corrected_{name}"].sum() / runs for name in FURTHER_COUNTS}
    masculine, feminine = (np.stack(side) for side in zip(*ratios.values(), strict=True))
    intervals = bootstrap_ratios(masculine, feminine, bootstrap, generator)
    row = {"texts": len(texts)} | totals
    for name, (above, below), interval in zip(ratios, ratios.values(), intervals, strict=True):
        row[name] = share(above.sum(), below.sum())
        row |= {f"{name}_low": interval.low, f"{name}_high": interval.high}
    return row
