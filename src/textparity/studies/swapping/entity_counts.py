"""How entities are distributed over types, subcorpora and corpora (Nahurna 2025, Tables 4 and 7)."""

from pathlib import Path

import pandas as pd

from textparity.corpora.rows import read_rows
from textparity.report.tables import write_csv, write_latex
from textparity.studies.swapping.corpus_names import AUGMENTED, ORIGINAL, SWAPPED

TOTAL = "total"
# In the order of `count_entities`' inputs; augmented is both together.


def count_entities(documents: list[Path], entities: list[Path], table_csv: Path, table_latex: Path) -> None:
    """Count entities by corpus, subcorpus and type, with totals of each.

    `documents` and `entities` are those of the original corpus and of its swapped sentences. The LaTeX table has the
    corpora beside each other.
    """
    parts = []
    for corpus, document_path, entity_path in zip((ORIGINAL, SWAPPED), documents, entities, strict=True):
        subcorpora = read_rows(document_path, ["document", "subcorpus"]).to_pandas()
        labels = read_rows(entity_path, ["document", "label"]).to_pandas().merge(subcorpora, on="document")
        parts.append(labels.assign(corpus=corpus))
    rows = pd.concat([*parts, pd.concat(parts).assign(corpus=AUGMENTED)])
    everything = pd.concat([rows, rows.assign(subcorpus=TOTAL)])
    everything = pd.concat([everything, everything.assign(label=TOTAL)])
    keys = ["corpus", "subcorpus", "label"]
    counts = everything.groupby(keys, sort=True).size().rename("entities").reset_index()
    order = {corpus: place for place, corpus in enumerate((ORIGINAL, SWAPPED, AUGMENTED))}
    counts = counts.sort_values(keys, key=lambda column: column.map(order) if column.name == "corpus" else column)
    write_csv(counts, table_csv)
    totals = counts[counts["subcorpus"] == TOTAL].pivot(index="label", columns="corpus", values="entities")
    wide = totals.reindex(columns=list(order)).fillna(0).astype(int)
    wide = wide.sort_index(key=lambda labels: labels == TOTAL, kind="stable")
    write_latex(
        wide.reset_index().rename(columns={"label": "entity type"}),
        table_latex,
        caption="Entities by type in the original corpus, in its gender-swapped sentences, and in both together.",
        label="tab:entities",
    )
