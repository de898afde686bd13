"""A few sentences of our own with their swapped ones, titles and persons, as files of the swapping study."""

from textparity.corpora.reading import write_batches
from textparity.files import write_rows
from textparity_studies.swapping.corpora import DOCUMENT_SCHEMA, ENTITY_SCHEMA

PAIRS = [
    ("Лікар Петро Коваль прийшов .", "Лікарка Ольга Коваль прийшла .", ["Лікар"], ["Лікарка"]),
    ("Тут працює шеф - кухар і лікар .", "Тут працює шеф - кухарка і лікарка .", ["шеф - кухар", "лікар"],
     ["шеф - кухарка", "лікарка"]),
]  # fmt: skip
PERSONS = {"Лікар Петро Коваль прийшов .": ["Петро Коваль"], "Лікарка Ольга Коваль прийшла .": ["Ольга Коваль"]}


def write_parallel(folder, pairs=PAIRS):
    path = folder / "parallel.csv"
    rows = [
        [
            first,
            second,
            *(repr({f"T{number}": (title, "JOB") for number, title in enumerate(titles)}) for titles in both),
        ]
        for first, second, *both in pairs
    ]
    write_rows(path, ["original_sentence", "changed_sentence", "orig_ann", "changed_ann"], rows)
    return path


def write_corpus(folder, persons=PERSONS):
    """Write a corpus with one document, a sentence a line, with its persons."""
    documents, entities = folder / "documents.parquet", folder / "entities.parquet"
    text = "\n".join(persons)
    document = {"document": "d", "subcorpus": "ng", "split": "test", "text": text, "source_lines": []}
    names = [name for names in persons.values() for name in names]
    rows = [
        {"document": "d", "entity": f"T{number}", "label": "PERS", "start": text.index(name),
         "end": text.index(name) + len(name), "text": name}
        for number, name in enumerate(names)
    ]  # fmt: skip
    write_batches(documents, DOCUMENT_SCHEMA, [[document]])
    write_batches(entities, ENTITY_SCHEMA, [rows])
    return documents, entities


def write_word_lists(folder):
    """Write the four lists and return them by the names of `load_gender_lists`."""
    texts = {
        "gender_pairs": "male,female\nлікар,лікарка\nкухар,кухарка\nпрем’єр,прем’єрка\n",
        "common_gender_words": "суддя\n",
        "feminine_names": "name,freq_in_corpus\nОльга,0.3\nОлександра,0.1\n",
        "masculine_names": "name,freq_in_corpus\nПетро,0.2\nОлександр,0.2\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return {name: folder / name for name in texts}
