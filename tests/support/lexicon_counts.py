"""Invented counts of a lexicon in texts, by both procedures the same."""

import numpy as np
import pyarrow as pa

from textparity.corpora.reading import write_batches
from textparity.counting import PROCEDURES
from textparity.estimating.bootstrap import Bootstrap
from textparity.estimating.gaps import EvidenceThreshold
from textparity_studies.lexicon.counts import count_schema
from textparity_studies.lexicon.summaries import summarise_lexicon

SCHEMA = count_schema(PROCEDURES)
BLANK = {field.name: [] if pa.types.is_list(field.type) else 0 for field in SCHEMA}


def write_rows_of_counts(path, rows, corpus="made", lang="eng"):
    """Write rows of counts, each a text that is a document; what a row leaves out is 0, or no match."""

    def batches():
        yield [BLANK | {"id": f"{corpus}/{number:06d}", "doc_id": str(number)} | row for number, row in enumerate(rows)]
        keys = {"corpus": corpus, "lang": lang, "engine": "icu", "procedures": PROCEDURES}
        return keys | {"tokenizer": "ICU", "stand_in": False}

    write_batches(path, SCHEMA, batches())
    return path


def summarise(folder, languages, **minimum):
    """Summarise words, feminine, masculine and document of the texts of each language; return the summary's path."""
    paths = [
        write_rows_of_counts(folder / f"{lang}.counts.parquet", map(_row, *columns), lang=lang)
        for lang, columns in languages.items()
    ]
    settings = EvidenceThreshold(**{"matches": 20, "units": 10} | minimum)
    summarise_lexicon(paths, folder / "summary.parquet", Bootstrap(1, 300, 0.95), settings)
    return folder / "summary.parquet"


def _row(words, feminine, masculine, document):
    return {"doc_id": str(document)} | {
        f"{procedure}_{name}": int(value)
        for procedure in ("published", "corrected")
        for name, value in (("words", words), ("feminine", feminine), ("masculine", masculine))
    }


def of_documents(seed, share_of_women, documents=40, texts=15):
    """Return words, feminine, masculine and document of texts; each document speaks of women or of men."""
    rng = np.random.default_rng(seed)
    of_text = np.repeat(np.arange(documents), texts)
    about_women = (np.arange(documents) < share_of_women * documents)[of_text]
    named = rng.poisson(0.3, len(of_text))
    return rng.integers(8, 40, len(of_text)), named * about_women, named * ~about_women, of_text
