"""Read swapped sentences: sets of outputs to score, and the authors' parallel sentences and reviews."""

import ast
import csv
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from textparity.errors import InputError
from textparity.tables import write_csv
from textparity_studies.swapping.corpora import read_documents
from textparity_studies.swapping.settings import ACCEPT, CORRECT, DISMISS, JOB, PERS, UNDECIDED
from textparity_studies.swapping.word_forms import pieces, sentence_key

WORD, SENTENCE = "word", "sentence"
OUTPUT_COLUMNS = ["item", "kind", "input", "reference", "output", "round_trip"]
PARALLEL_COLUMNS = ("original_sentence", "changed_sentence", "orig_ann", "changed_ann")
PUBLISHED_COLUMNS = ORIGINAL, GENERATED, ENTITIES, VERDICT, CORRECTION = (
    "Оригінальне речення", "Змінене речення", "Анотації", "Коректність речення", "Виправлене речення",
)  # fmt: skip
_DECISIONS = {"Правильне": ACCEPT, "Містить помилки": CORRECT, "Важко визначити": DISMISS, "": UNDECIDED}


def read_cells(path: Path, columns: Sequence[str] = ()) -> list[dict[str, str]]:
    """Read the rows of a CSV file, which must have these `columns`.

    Raises `InputError` with the file, and the row if it has more or fewer cells than the header.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            rows, header = list(reader), reader.fieldnames or []
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; make the candidates first") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 ({error.reason} at byte {error.start}); re-encode it") from None
    except csv.Error as error:
        raise InputError(f"{path}: cannot be read as CSV ({error}); fix the quotes") from None
    if not header:
        raise InputError(f"{path}: cannot be read as CSV (it is empty); fetch or write it again")
    if missing := [name for name in columns if name not in header]:
        raise InputError(f"{path}: has no column {', '.join(missing)}; it has {', '.join(header)}")
    for number, cells in enumerate(rows, start=1):
        if None in cells or None in cells.values():
            raise InputError(f"{path}, row {number}: has more or fewer cells than the header; fix the quotes")
    return rows


def read_outputs(source: Path, outputs: Path, columns: dict[str, str]) -> None:
    """Write a recorded set as rows: item (from 1), kind, input, reference, output, round_trip.

    `columns` names the file's columns; an empty name means no such column, and blank cells. Blank outputs are kept.
    Raises `InputError` with file and row.
    """
    rows = read_cells(source, [column for column in columns.values() if column])
    if not rows:
        raise InputError(f"{source}: has no rows; there is nothing to score")
    found = [{name: cells.get(column, "") for name, column in columns.items()} for cells in rows]
    frame = pd.DataFrame(found).assign(item=range(1, len(found) + 1), kind=[kind_of(row["input"]) for row in found])
    _check_inputs(frame, source)
    write_csv(frame[OUTPUT_COLUMNS], outputs)


def kind_of(text: str) -> str:
    """Classify an item: without white space it is a word (in the paper's test set: of a pair in the dictionary)."""
    return WORD if len(text.split()) == 1 else SENTENCE


def tidy(output: str, source: str) -> str:
    """Lower-case the beginning of an output and remove its final full stop, if its source has them so."""
    if not source.strip().endswith("."):
        output = output.removesuffix(".")
    return output[:1].lower() + output[1:] if source[:1].islower() else output


def load_outputs(outputs: Path) -> pd.DataFrame:
    """Read the rows of a set in the form of `read_outputs`, whatever its origin; blank cells are empty strings.

    There are none if a model has not answered all items (`asking`). Raises `InputError` with file and row.
    """
    rows = pd.DataFrame(read_cells(outputs, OUTPUT_COLUMNS), columns=OUTPUT_COLUMNS)
    unknown = ~rows["kind"].isin([WORD, SENTENCE])
    if unknown.any():
        row = unknown.idxmax()
        raise InputError(f"{outputs}, row {row + 1}: kind {rows['kind'][row]!r} is neither {WORD} nor {SENTENCE}")
    _check_inputs(rows, outputs)
    return rows


def _check_inputs(rows: pd.DataFrame, path: Path) -> None:
    for name in ("input", "reference"):
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


def read_pairs(parallel: list[Path]) -> list[SentencePair]:
    """Read parallel sentences: CSV with `PARALLEL_COLUMNS`, annotations as Python dicts of id to (text, label).

    Raises `InputError` with file and row if a column or a title's counterpart is missing.
    """
    pairs = []
    for path in parallel:
        for row, cells in enumerate(read_cells(path, PARALLEL_COLUMNS), start=1):
            original, swapped, *annotations = (cells[name] for name in PARALLEL_COLUMNS)
            here, there = (_parse_titles(text, f"{path}, row {row}") for text in annotations)
            if here.keys() != there.keys():
                raise InputError(
                    f"{path}, row {row}: the annotations of both sides have other ids; each title needs its swapped"
                )
            pairs.append(SentencePair(original, swapped, tuple(here.values()), tuple(there[key] for key in here)))
    return pairs


def _parse_titles(annotations: str, where: str) -> dict[str, str]:
    try:
        return {key: text for key, (text, label) in ast.literal_eval(annotations).items() if label == JOB}
    except (ValueError, SyntaxError, TypeError, AttributeError):
        raise InputError(
            f"{where}: {annotations!r} is not a dict of ids to (text, label); write {{'T1': ('лікар', 'JOB')}}"
        ) from None


@dataclass(frozen=True)
class SentenceEntities:
    """Look up titles and persons by the sentence's key; a sentence without annotations has no entry."""

    titles: dict[str, tuple[str, ...]]
    persons: dict[str, tuple[str, ...]]

    @classmethod
    def load(cls, parallel: list[Path], documents: list[Path], entities: list[Path]) -> "SentenceEntities":
        """Load the titles of parallel sentences, and the persons of the corpora's lines (a sentence per line).

        A sentence that occurs several times has the annotations of its first place.
        """
        titles: dict[str, tuple[str, ...]] = {}
        for pair in read_pairs(parallel):
            titles.setdefault(sentence_key(pair.original), pair.titles)
            titles.setdefault(sentence_key(pair.swapped), pair.swapped_titles)
        persons: dict[str, tuple[str, ...]] = {}
        for document in (
            document for paths in zip(documents, entities, strict=True) for document in read_documents(*paths)
        ):
            people = sorted((entity for entity in document.entities if entity.label == PERS), key=lambda e: e.start)
            for start, end in document.lines:
                found = tuple(entity.text for entity in people if start <= entity.start < end)
                persons.setdefault(sentence_key(document.text[start:end]), found)
        return cls(titles, persons)

    def titles_of(self, sentence: str) -> tuple[str, ...] | None:
        """Look up the titles in order, None for a sentence without annotations."""
        return self.titles.get(sentence_key(sentence))

    def persons_of(self, sentence: str) -> tuple[str, ...] | None:
        """Look up the persons in order, None for a sentence that is in no corpus."""
        return self.persons.get(sentence_key(sentence))


@dataclass(frozen=True)
class PublishedReview:
    """Hold one row of the authors' reviews, verbatim; `correction` is blank if the reviewer wrote nothing."""

    original: str
    generated: str
    entities: dict[str, str]
    decision: str
    correction: str

    @property
    def is_kept(self) -> bool:
        """True if the sentence was accepted or corrected."""
        return self.decision in (ACCEPT, CORRECT)

    @property
    def final(self) -> str:
        """The sentence after the review; a correction counts only if one was required."""
        return self.correction if self.decision == CORRECT else self.generated

    @property
    def is_unchanged(self) -> bool:
        """True if the final sentence equals the original, except for white space."""
        return pieces(self.final) == pieces(self.original)


def read_published_reviews(paths: list[Path]) -> list[PublishedReview]:
    """Read the authors' reviews: CSV with `PUBLISHED_COLUMNS`, which identify a sentence only by its text.

    Raises `InputError` with file and row for an unknown decision, a missing correction, or annotations that are not a
    dictionary.
    """
    reviews = [
        _published_review(cells, f"{path}, row {row}")
        for path in paths
        for row, cells in enumerate(read_cells(path, PUBLISHED_COLUMNS), start=1)
    ]
    if paths and not reviews:
        raise InputError(f"{paths[0]}: has no reviews")
    return reviews


def _published_review(cells: dict[str, str], where: str) -> PublishedReview:
    decision = _DECISIONS.get(cells[VERDICT].strip())
    if decision is None:
        known = ", ".join(name or "blank" for name in _DECISIONS)
        raise InputError(f"{where}: the decision {cells[VERDICT]!r} is not one of {known}")
    if decision == CORRECT and not cells[CORRECTION].strip():
        raise InputError(f"{where}: has mistakes by its decision, but no corrected sentence; add it")
    entities: Any = None
    with suppress(ValueError, SyntaxError):
        # The cell holds a dictionary as Python prints it.
        entities = ast.literal_eval(cells[ENTITIES]) if cells[ENTITIES] else {}
    if not isinstance(entities, dict):
        raise InputError(
            f"{where}: the annotations {cells[ENTITIES][:60]!r} are not a dictionary; write {{'лікар': 'JOB'}}"
        )
    return PublishedReview(cells[ORIGINAL], cells[GENERATED], entities, decision, cells[CORRECTION])
