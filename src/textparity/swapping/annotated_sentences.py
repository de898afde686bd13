"""The annotated job titles and persons of single sentences, from the authors' files."""

import ast
from pathlib import Path

import pandas as pd

from textparity.errors import InputError
from textparity.swapping.sentences import Annotation, Change, find_annotations

PARALLEL_COLUMNS = ("original_sentence", "changed_sentence", "orig_ann", "changed_ann")
# Original, generated, entities, verdict, correction.
REVIEW_COLUMNS = (
    "Оригінальне речення", "Змінене речення", "Анотації", "Коректність речення", "Виправлене речення",
)  # fmt: skip
Words = list[tuple[str, str]]


class AnnotatedSentences:
    """Entities (text and label) by sentence, whatever its white space."""

    def __init__(self, parallel: list[Path], reviews: list[Path]) -> None:
        """Read parallel sentences (titles of both sides) and reviews (titles and persons of the original).

        Raises `InputError` naming file and row.
        """
        self._words: dict[str, Words] = {}
        for path in parallel:
            for row, (original, changed, *entities) in _rows(path, PARALLEL_COLUMNS):
                self._add(original, list(_parse(entities[0], path, row).values()))
                self._add(changed, list(_parse(entities[1], path, row).values()))
        for path in reviews:
            for row, (original, _, entities, *_) in _rows(path, REVIEW_COLUMNS):
                self._add(original, list(_parse(entities, path, row).items()))

    def find(self, sentence: str) -> list[Annotation] | None:
        """Return where the entities of a sentence stand, or None for one that is not annotated."""
        words = self._words.get(squeeze(sentence))
        return None if words is None else find_annotations(sentence, list(dict.fromkeys(words)))

    def _add(self, sentence: str, words: Words) -> None:
        self._words.setdefault(squeeze(sentence), []).extend(words)


def move_annotations(annotations: list[Annotation] | None, changes: tuple[Change, ...]) -> list[Annotation] | None:
    """Return annotations as they stand after the changes."""
    if annotations is None:
        return None
    return [
        Annotation(item.label, _moved(item.start, changes, at_end=False), _moved(item.end, changes, at_end=True))
        for item in annotations
    ]


def read_reviews(paths: list[Path]) -> pd.DataFrame:
    """Return the reviews as columns original, generated, verdict and corrected; empty cells are empty strings."""
    rows = [cells for path in paths for _, cells in _rows(path, REVIEW_COLUMNS)]
    frame = pd.DataFrame(rows, columns=["original", "generated", "entities", "verdict", "corrected"])
    return frame.drop(columns="entities")


def squeeze(text: str) -> str:
    """Return a text without white space."""
    return "".join(text.split())


def _moved(place: int, changes: tuple[Change, ...], at_end: bool) -> int:
    moved = place
    for change in changes:
        # A place within a changed word goes to the word's new start or end.
        if change.end <= place:
            moved += len(change.after) - (change.end - change.start)
        elif change.start < place:
            moved += (len(change.after) if at_end else 0) - (place - change.start)
    return moved


def _rows(path: Path, columns: tuple[str, ...]) -> list[tuple[int, list[str]]]:
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    if lacking := [name for name in columns if name not in frame.columns]:
        raise InputError(f"{path}: has no column {', '.join(lacking)}; it needs {', '.join(columns)}")
    return list(enumerate(frame[list(columns)].to_numpy().tolist(), start=1))


def _parse(entities: str, path: Path, row: int) -> dict:
    try:
        found = ast.literal_eval(entities)
    except (ValueError, SyntaxError):
        found = None
    if not isinstance(found, dict):
        raise InputError(f"{path}, row {row}: {entities!r} is no dict of entities; write {{'лікар': 'JOB'}}")
    return found
