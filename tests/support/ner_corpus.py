"""A corpus with entities, of sentences of our own: two documents to train on, their swapped copies, and two to test."""

from pathlib import Path

from textparity.corpora.reading import write_batches
from textparity_studies.swapping.corpora import DOCUMENT_SCHEMA, ENTITY_SCHEMA

# Entities stand in brackets: [JOB:директор].
TEXTS = {
    "a": "[JOB:Директор] заводу [PERS:Іван Коваль] приїхав.\nПотім [JOB:лікар] пішов у [LOC:Київ].",
    "b": "Нова [JOB:вчителька] працює у [LOC:Львові].\nЇї брат, [JOB:кухар], живе в [LOC:Одесі].",
    "c": "Старий [JOB:директор] мовчав.\nЙого [JOB:лікар] поїхав у [LOC:Київ].",
    "d": "Там [JOB:кухар], а тут [JOB:вчителька].",
}
SWAPPED = {
    "a-swapped": "[JOB:Директорка] заводу [PERS:Інна Коваль] приїхала.\nПотім [JOB:лікарка] пішла у [LOC:Київ].",
    "b-swapped": "Новий [JOB:вчитель] працює у [LOC:Львові].",
    "c-swapped": "Стара [JOB:директорка] мовчала.",
}
SPLITS = {"a": "train", "b": "train", "c": "test", "d": "test"}


def parse_marked(text: str) -> tuple[str, list[tuple[int, int, str]]]:
    """Return a text without its brackets, and the start, end and label of what was in them; brackets may nest."""
    plain, found, opened = "", [], []
    rest = text
    while rest:
        if rest[0] == "[":
            label, _, rest = rest[1:].partition(":")
            opened.append((len(plain), label))
        elif rest[0] == "]":
            start, label = opened.pop()
            found.append((start, len(plain), label))
            rest = rest[1:]
        else:
            plain, rest = plain + rest[0], rest[1:]
    return plain, sorted(found)


def write_corpus(folder: Path, texts: dict[str, str]) -> tuple[Path, Path]:
    """Write documents with marked entities, and return the files of documents and of entities."""
    documents, entities = [], []
    for document, marked in texts.items():
        text, found = parse_marked(marked)
        split = SPLITS[document.removesuffix("-swapped")]
        lines = range(len(text.split("\n"))) if document.endswith("-swapped") else []
        documents.append(
            {"document": document, "subcorpus": "own", "split": split, "text": text, "source_lines": [*lines]}
        )
        entities += [
            {
                "document": document, "entity": f"T{number}", "label": label,
                "start": start, "end": end, "text": text[start:end],
            }
            for number, (start, end, label) in enumerate(found, start=1)
        ]  # fmt: skip
    paths = folder / "documents.parquet", folder / "entities.parquet"
    write_batches(paths[0], DOCUMENT_SCHEMA, [documents])
    write_batches(paths[1], ENTITY_SCHEMA, [entities])
    return paths
