"""The annotated job titles and persons of single sentences, from the authors' files."""

from pathlib import Path

from textparity.studies.swapping.candidates.published_reviews import read_published_reviews
from textparity.studies.swapping.candidates.sentence_entities import read_pairs
from textparity.studies.swapping.labels import JOB
from textparity.studies.swapping.language.sentences import Annotation, Change, find_annotations
from textparity.studies.swapping.language.words import sentence_key

Words = list[tuple[str, str]]


class AnnotatedSentences:
    """Entities (text and label) by sentence, whatever its white space and apostrophes."""

    def __init__(self, parallel: list[Path], reviews: list[Path]) -> None:
        """Read parallel sentences (titles of both sides) and reviews (titles and persons of the original).

        Raises `InputError` naming file and row.
        """
        self._words: dict[str, Words] = {}
        for pair in read_pairs(parallel):
            self._add(pair.original, [(title, JOB) for title in pair.titles])
            self._add(pair.swapped, [(title, JOB) for title in pair.swapped_titles])
        for review in read_published_reviews(reviews):
            self._add(review.original, list(review.entities.items()))

    def find(self, sentence: str) -> list[Annotation] | None:
        """Return where the entities of a sentence stand, or None for one that is not annotated."""
        words = self._words.get(sentence_key(sentence))
        return None if words is None else find_annotations(sentence, list(dict.fromkeys(words)))

    def _add(self, sentence: str, words: Words) -> None:
        self._words.setdefault(sentence_key(sentence), []).extend(words)


def move_annotations(annotations: list[Annotation] | None, changes: tuple[Change, ...]) -> list[Annotation] | None:
    """Return annotations as they stand after the changes."""
    if annotations is None:
        return None
    return [
        Annotation(item.label, _moved(item.start, changes, at_end=False), _moved(item.end, changes, at_end=True))
        for item in annotations
    ]


def _moved(place: int, changes: tuple[Change, ...], at_end: bool) -> int:
    moved = place
    for change in changes:
        # A place within a changed word goes to the word's new start or end.
        if change.end <= place:
            moved += len(change.after) - (change.end - change.start)
        elif change.start < place:
            moved += (len(change.after) if at_end else 0) - (place - change.start)
    return moved
