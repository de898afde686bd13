"""Measure by how much the masculine rate exceeds the feminine one on average over languages.

The languages of a corpus translate the same documents. A document about women lowers the gap in all of them, so the
interval resamples documents, in all languages at once, and not languages.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from textparity.corpora.rows import read_metadata, read_rows
from textparity.counting.procedures import PROCEDURES
from textparity.counting.statistics import MINIMUM_UNITS, UNDEFINED, Bootstrap, Interval, random_generator
from textparity.errors import InputError
from textparity.tables import write_csv


def tabulate_average_leads(counts: list[Path], corpus_names: dict[str, str], table: Path, bootstrap: Bootstrap) -> None:
    """Write `lead`, the mean over languages of masculine less feminine in percent of words, by corpus and procedure.

    `unit` is the unit of resampling: documents, or texts if each is its own document. Raises `InputError` with the file
    of a language that lacks the documents of the others.
    """
    rows = []
    by_corpus: dict[str, list[Path]] = {}
    for path in counts:
        by_corpus.setdefault(read_metadata(path)["corpus"], []).append(path)
    for corpus, paths in by_corpus.items():
        for procedure in PROCEDURES:
            words, leads = _by_document(paths, procedure)
            generator = random_generator(bootstrap.seed, "average lead", corpus, procedure)
            interval = resample_jointly(words, leads, bootstrap, generator)
            rows.append({
                "corpus": corpus_names[corpus], "procedure": procedure, "languages": len(words),
                "unit": "document" if len(words[0]) < read_rows(paths[0], columns=["id"]).num_rows else "text",
                "units": len(words[0]), "lead": _mean_lead(words.sum(axis=1), leads.sum(axis=1)),
                "lead_low": interval.low, "lead_high": interval.high,
            })  # fmt: skip
    write_csv(pd.DataFrame(rows), table)


def resample_jointly(
    words: np.ndarray, leads: np.ndarray, bootstrap: Bootstrap, generator: np.random.Generator
) -> Interval:
    """Compute the interval of the mean lead from words and leads of shape (languages, documents)."""
    documents = words.shape[1]
    if documents < MINIMUM_UNITS:
        return UNDEFINED
    drawn = generator.multinomial(documents, np.full(documents, 1 / documents), size=bootstrap.resamples)
    tail = (1 - bootstrap.confidence_level) / 2
    low, high = np.quantile(_mean_lead(drawn @ words.T, drawn @ leads.T), [tail, 1 - tail])
    return Interval(float(low), float(high))


def _mean_lead(words: np.ndarray, leads: np.ndarray) -> np.ndarray:
    """Compute the mean over languages, the last axis, in percent."""
    mean: np.ndarray = 100 * np.mean(leads / words, axis=-1)
    return mean


def _by_document(paths: list[Path], procedure: str) -> tuple[np.ndarray, np.ndarray]:
    """Sum words, and masculine minus feminine ones, by document: a row per language."""
    columns = [f"{procedure}_{name}" for name in ("words", "masculine", "feminine")]
    words, leads = [], []
    first: pd.Index | None = None
    for path in paths:
        sums = read_rows(path, columns=["doc_id", *columns]).to_pandas().groupby("doc_id").sum()
        first = sums.index if first is None else first
        if not sums.index.equals(first):
            raise InputError(f"{path}: has other documents than {paths[0]}; languages are resampled together")
        words.append(sums[columns[0]])
        leads.append(sums[columns[1]] - sums[columns[2]])
    return np.array(words), np.array(leads)
