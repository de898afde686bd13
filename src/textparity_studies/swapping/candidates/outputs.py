"""Read sets of swapped outputs, recorded elsewhere or made by the workflow, into the one form that is scored."""

import ast
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from textparity.errors import InputError
from textparity.persons.ukrainian.words import sentence_key
from textparity.tables import write_csv
from textparity_studies.swapping.entity_corpora import read_documents
from textparity_studies.swapping.names import JOB, PERS

WORD, SENTENCE = "word", "sentence"
OUTPUT_COLUMNS = ["item", "kind", "input", "reference", "output", "round_trip"]
_NEEDED = ("input", "reference")
PARALLEL_COLUMNS = ("original_sentence", "changed_sentence", "orig_ann", "changed_ann")


def read_outputs(source: Path, outputs: Path, columns: dict[str, str]) -> None:
    """Write a recorded set as rows: item (from 1), kind, input, reference, output, round_trip.

    `columns` names the file's columns; an empty name means no such column, and blank cells. An input without white
    space is a word (in the paper's test set: a pair of the dictionary). Blank outputs are kept. Raises `InputError`
    with file and row.
    """
    frame = read_cells(source)
    if missing := [name for name in columns.values() if name and name not in frame.columns]:
        raise InputError(f"{source}: has no column {', '.join(missing)}; it has {', '.join(frame.columns)}")
    cells = {name: frame[column] if column else "" for name, column in columns.items()}
    rows = pd.DataFrame(cells, index=frame.index)
    if rows.empty:
        raise InputError(f"{source}: has no rows; there is nothing to score")
    kinds = [WORD if len(text.split()) == 1 else SENTENCE for text in rows["input"]]
    rows = rows.assign(item=range(1, len(rows) + 1), kind=kinds)[OUTPUT_COLUMNS]
    _check(rows, source)
    write_csv(rows, outputs)


def load_outputs(outputs: Path) -> pd.DataFrame:
    """Read the rows of a set in the form of `read_outputs`, whatever its origin; blank cells are empty strings.

    There are none if a model has not answered all items (`asking`). Raises `InputError` with file and row.
    """
    rows = read_cells(outputs)
    if list(rows.columns) != OUTPUT_COLUMNS:
        raise InputError(f"{outputs}: the header is {','.join(rows.columns)}; it must be {','.join(OUTPUT_COLUMNS)}")
    if unknown := sorted(set(rows["kind"]) - {WORD, SENTENCE}):
        row = rows.index[rows["kind"] == unknown[0]][0]
        raise InputError(f"{outputs}, row {row + 1}: kind {unknown[0]!r} is neither {WORD} nor {SENTENCE}")
    _check(rows, outputs)
    return rows


def read_cells(path: Path) -> pd.DataFrame:
    """Read a CSV file's cells as text, none of them missing; `InputError` names a file that is not CSV."""
    try:
        return pd.read_csv(path, dtype=str, keep_default_na=False)
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise InputError(f"{path}: cannot be read as CSV ({str(error).strip()}); fetch or write it again") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 ({error.reason} at byte {error.start}); re-encode it") from None


def _check(rows: pd.DataFrame, path: Path) -> None:
    for name in _NEEDED:
        blank = rows[name].str.strip() == ""
        if blank.any():
            raise InputError(f"{path}, row {blank.idxmax() + 1}: the {name} is blank; fill it in or leave the row out")


@dataclass(frozen=True)
class SentencePair:
    """Hold a sentence and its swapped version with their annotated titles, which correspond one to one."""

    original: str
    swapped: str
    titles: tuple[str, ...]
    swapped_titles: tuple[str, ...]


@dataclass(frozen=True)
class SentenceEntities:
    """Look up titles and persons by the sentence's key; a sentence without annotations has no entry."""

    titles: dict[str, tuple[str, ...]]
    persons: dict[str, tuple[str, ...]]

    def titles_of(self, sentence: str) -> tuple[str, ...] | None:
        """Return the titles in order, or None for a sentence without annotations."""
        return self.titles.get(sentence_key(sentence))

    def persons_of(self, sentence: str) -> tuple[str, ...] | None:
        """Return the persons in order, or None for a sentence that is in no corpus."""
        return self.persons.get(sentence_key(sentence))


def read_pairs(parallel: list[Path]) -> list[SentencePair]:
    """Read parallel sentences: CSV with `PARALLEL_COLUMNS`, annotations as Python dicts of id to (text, label).

    Raises `InputError` with file and row if a column or a title's counterpart is missing.
    """
    pairs = []
    for path in parallel:
        frame = read_cells(path)
        if missing := [name for name in PARALLEL_COLUMNS if name not in frame.columns]:
            raise InputError(f"{path}: has no column {', '.join(missing)}; it needs {', '.join(PARALLEL_COLUMNS)}")
        for row, cells in enumerate(frame[list(PARALLEL_COLUMNS)].itertuples(index=False), start=1):
            original, swapped, *annotations = cells
            where = f"{path}, row {row}"
            here, there = (_parse_titles(text, where) for text in annotations)
            if here.keys() != there.keys():
                raise InputError(f"{where}: the annotations of both sides have other ids; each title needs its swapped")
            pairs.append(SentencePair(original, swapped, tuple(here.values()), tuple(there[key] for key in here)))
    return pairs


def load_sentence_entities(parallel: list[Path], documents: list[Path], entities: list[Path]) -> SentenceEntities:
    """Load the titles of parallel sentences, and the persons of the corpora's lines (a sentence per line).

    A sentence that occurs several times has the annotations of its first place.
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
            f"{where}: {annotations!r} is not a dict of ids to (text, label); write {{'T1': ('лікар', 'JOB')}}"
        ) from None
