"""Entities by corpus, subcorpus and type."""

from textparity.corpora.reading import write_batches
from textparity.tables import Caption
from textparity_studies.swapping.corpora import DOCUMENT_SCHEMA, ENTITY_SCHEMA
from textparity_studies.swapping.corpus_tables import count_entities


def count(tmp_path, *corpora):
    """Count corpora of {(subcorpus, document): labels}; return (corpus, subcorpus, label): entities, and the LaTeX."""
    paths = {"documents": [], "entities": []}
    for number, corpus in enumerate(corpora):
        documents = [
            {"document": name, "subcorpus": subcorpus, "split": "train", "text": "", "source_lines": []}
            for subcorpus, name in corpus
        ]
        entities = [
            {"document": name, "entity": f"T{place}", "label": label, "start": 0, "end": 1, "text": "x"}
            for (_, name), labels in corpus.items()
            for place, label in enumerate(labels)
        ]
        for kind, schema, rows in (("documents", DOCUMENT_SCHEMA, documents), ("entities", ENTITY_SCHEMA, entities)):
            paths[kind].append(tmp_path / f"{kind}.{number}.parquet")
            write_batches(paths[kind][-1], schema, [rows])
    (table,) = count_entities(**paths)
    latex = table.to_latex(Caption("Entities", "By type."), "tab:entities")
    return {tuple(key): number for *key, number in table.frame.itertuples(index=False)}, latex


def test_counts_with_totals_in_the_order_of_the_paper(tmp_path):
    counts, latex = count(
        tmp_path,
        {("news", "a"): ["JOB", "PERS", "JOB"], ("news", "b"): [], ("prose", "c"): ["PERS"]},
        {("prose", "c-swapped"): ["PERS", "JOB"]},
    )
    assert list(counts.items()) == [
        (("original", "news", "JOB"), 2),
        (("original", "news", "PERS"), 1),
        (("original", "news", "total"), 3),
        (("original", "prose", "PERS"), 1),
        (("original", "prose", "total"), 1),
        (("original", "total", "JOB"), 2),
        (("original", "total", "PERS"), 2),
        (("original", "total", "total"), 4),
        (("swapped", "prose", "JOB"), 1),
        (("swapped", "prose", "PERS"), 1),
        (("swapped", "prose", "total"), 2),
        (("swapped", "total", "JOB"), 1),
        (("swapped", "total", "PERS"), 1),
        (("swapped", "total", "total"), 2),
        (("augmented", "news", "JOB"), 2),
        (("augmented", "news", "PERS"), 1),
        (("augmented", "news", "total"), 3),
        (("augmented", "prose", "JOB"), 1),
        (("augmented", "prose", "PERS"), 2),
        (("augmented", "prose", "total"), 3),
        (("augmented", "total", "JOB"), 3),
        (("augmented", "total", "PERS"), 3),
        (("augmented", "total", "total"), 6),
    ]
    assert [line.rstrip("\\ ") for line in latex.splitlines() if line.count("&") == 3] == [
        "entity type & original & swapped & augmented", "JOB & 2 & 1 & 3", "PERS & 2 & 1 & 3", "total & 4 & 2 & 6",
    ]  # fmt: skip


def test_a_corpus_without_entities_counts_none(tmp_path):
    counts, latex = count(tmp_path, {("news", "a"): ["work"]}, {("news", "a-swapped"): []})
    assert counts["augmented", "total", "total"] == 1
    # The total is below every type, also those that come after it in the alphabet.
    assert 0 < latex.index("work & 1 & 0 & 1") < latex.index("total & 1 & 0 & 1")
