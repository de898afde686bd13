"""The annotated job titles and persons of single sentences, looked up by the sentence."""

import ast
from dataclasses import dataclass
from pathlib import Path

from textparity.errors import InputError
from textparity.studies.swapping.candidates.outputs import read_cells
from textparity.studies.swapping.entity_corpora import read_documents
from textparity.studies.swapping.labels import JOB, PERS
from textparity.studies.swapping.language.words import sentence_key

PARALLEL_COLUMNS = ("original_sentence", "changed_sentence", "orig_ann", "changed_ann")


@dataclass(frozen=True)
class SentencePair:
    """A sentence and its swapped one with their annotated titles, which belong together one by one."""

    original: str
    swapped: str
    titles: tuple[str, ...]
    swapped_titles: tuple[str, ...]


@dataclass(frozen=True)
class SentenceEntities:
    """Titles and persons by the sentence's key; a sentence that is not annotated has no entry."""

    titles: dict[str, tuple[str, ...]]
    persons: dict[str, tuple[str, ...]]

    def titles_of(self, sentence: str) -> tuple[str, ...] | None:
        """Return the titles in their order, or None for a sentence without annotations."""
        return self.titles.get(sentence_key(sentence))

    def persons_of(self, sentence: str) -> tuple[str, ...] | None:
        """Return the persons in their order, or None for a sentence that is in no corpus."""
        return self.persons.get(sentence_key(sentence))


def read_pairs(parallel: list[Path]) -> list[SentencePair]:
    """Read parallel sentences: CSV with `PARALLEL_COLUMNS`, annotations as Python dicts of id to (text, label).

    Raises `InputError` naming file and row where a column or a title's counterpart is missing.
    """
    pairs = []
    for path in parallel:
        frame = read_cells(path)
        if lacking := [name for name in PARALLEL_COLUMNS if name not in frame.columns]:
            raise InputError(f"{path}: has no column {', '.join(lacking)}; it needs {', '.join(PARALLEL_COLUMNS)}")
        for row, cells in enumerate(frame[list(PARALLEL_COLUMNS)].itertuples(index=False), start=1):
            original, swapped, *annotations = cells
            where = f"{path}, row {row}"
            here, there = (_parse_titles(text, where) for text in annotations)
            if here.keys() != there.keys():
                raise InputError(f"{where}: the annotations of both sides have other ids; each title needs its swapped")
            pairs.append(SentencePair(original, swapped, tuple(here.values()), tuple(there[key] for key in here)))
    return pairs


def load_sentence_entities(parallel: list[Path], documents: list[Path], entities: list[Path]) -> SentenceEntities:
    """Return the titles of parallel sentences, and the persons of the corpora's lines (a sentence a line).

    A sentence that stands several times has the annotations of its first place.
    """
    titles: dict[str, tuple[str, ...]] = {}
    for pair in read_pairs(parallel):
        titles.setdefault(sentence_key(pair.original), pair.titles)
        titles.setdefault(sentence_key(pair.swapped), pair.swapped_titles)
    persons: dict[str, tuple[str, ...]] = {}
    for document_path, entity_path in zip(documents, entities, strict=True):
        for document in read_documents(document_path, entity_path):
            people = sorted((entity for entity in document.entities if entity.label == PERS), key=lambda e: e.start)
            for start, end in document.lines:
                found = tuple(entity.text for entity in people if start <= entity.start < end)
                persons.setdefault(sentence_key(document.text[start:end]), found)
    return SentenceEntities(titles, persons)


def _parse_titles(annotations: str, where: str) -> dict[str, str]:
    try:
        found = ast.literal_eval(annotations)
        return {key: text for key, (text, label) in found.items() if label == JOB}
    except (ValueError, SyntaxError, TypeError, AttributeError):
        raise InputError(
            f"{where}: {annotations!r} is no dict of ids to (text, label); write {{'T1': ('лікар', 'JOB')}}"
        ) from None
