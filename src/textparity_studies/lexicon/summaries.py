"""Summarise crawls, and counts per text as rates, intervals and verdicts (Muller 2023, §3.3, §5.1, footnote 11).

The paper assumes that words are independent. `corrected` resamples documents if a corpus has them, else texts.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from textparity.corpora.reading import read_metadata, read_rows
from textparity.counting import CLASSES
from textparity.counting.totals import TotalsSummary, decide_family, summarise_totals
from textparity.estimating.bootstrap import Bootstrap, bootstrap_ratios
from textparity.estimating.gaps import EvidenceThreshold, GenderGap
from textparity.estimating.seeds import random_generator
from textparity.files import atomic_path, write_rows
from textparity_studies.crawls import COUNTS_FILE, DOCUMENT_COUNTS

COUNTS = ("words", *CLASSES, "feminine_and_masculine")


@dataclass(frozen=True)
class LexiconSummary:
    """The numbers of one language of a corpus, counted by one procedure."""

    corpus: str
    lang: str
    engine: str
    procedure: str
    summary: TotalsSummary

    def columns(self) -> dict[str, Any]:
        """Make the columns of a table."""
        names = {"corpus": self.corpus, "lang": self.lang, "engine": self.engine, "procedure": self.procedure}
        return names | self.summary.columns()


def summarise_lexicon(counts: list[Path], summary: Path, bootstrap: Bootstrap, minimum: EvidenceThreshold) -> None:
    """Summarise the counts of the languages of a corpus in a Parquet file, with one row per language and procedure.

    The columns are those of `LexiconSummary`. A family consists of the corpus's languages by one
    procedure.
    """
    rows: list[LexiconSummary] = []
    for path in counts:
        rows += summarise_language(path, bootstrap, minimum)
    for procedure in dict.fromkeys(row.procedure for row in rows):
        indexes = [index for index, row in enumerate(rows) if row.procedure == procedure]
        decided = decide_family([rows[index].summary for index in indexes], bootstrap.confidence_level)
        for index, decided_summary in zip(indexes, decided, strict=True):
            rows[index] = replace(rows[index], summary=decided_summary)
    frame = pd.DataFrame([row.columns() for row in rows])
    with atomic_path(summary) as part:
        frame.to_parquet(part, index=False, compression="zstd", write_page_checksum=True)


def read_summaries(paths: list[Path]) -> pd.DataFrame:
    """Read summaries into one frame."""
    return pd.concat([read_rows(path).to_pandas() for path in paths], ignore_index=True)


def summarise_language(counts: Path, bootstrap: Bootstrap, minimum: EvidenceThreshold) -> Iterator[LexiconSummary]:
    """Summarise one counts file, one row per procedure, resampling documents (texts, if each is its own document)."""
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
        counted_by = metadata["tokenizer"], metadata["stand_in"]
        language_summary = summarise_totals(total, intervals, gap, unit, procedure, minimum, *counted_by)
        yield LexiconSummary(**keys, procedure=procedure, summary=language_summary)


def summarise_crawl(parts: list[Path], texts: list[Path], documents_csv: Path, records_csv: Path) -> None:
    """Write the outcome of the documents of each language, and of every record of the WET files with their sum."""
    rows = [(path.stem, *map(read_metadata(path).get, DOCUMENT_COUNTS)) for path in texts]
    write_rows(documents_csv, ["lang", *DOCUMENT_COUNTS], rows)
    total: Counter[str] = Counter()
    for part in parts:
        total.update(json.loads((part / COUNTS_FILE).read_text(encoding="utf-8")))
    records = total.pop("records", 0)
    write_rows(records_csv, ["outcome", "records"], [*sorted(total.items()), ("all", records)])
