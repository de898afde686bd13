"""List the annotated sentences, so that they are tagged like any corpus."""

from pathlib import Path

from textparity.corpora.rows import TEXT_SCHEMA, write_batches
from textparity_studies.measures.tagged_sentences import read_gold


def list_gold_texts(gold: Path, texts: Path, name: str, lang: str) -> None:
    """Write the sentences of an annotated file as rows of `id, doc_id, lang, text` (Parquet)."""
    rows = [
        {"id": f"{name}/{number:06d}", "doc_id": f"{number:06d}", "lang": lang, "text": one.sentence}
        for number, one in enumerate(read_gold(gold), start=1)
    ]
    write_batches(texts, TEXT_SCHEMA, [rows])
