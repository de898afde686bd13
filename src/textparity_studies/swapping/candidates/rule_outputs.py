"""Swap by rules: the paper's test set, to be scored, and every sentence of a corpus, as candidates."""

from pathlib import Path

import numpy as np

from textparity.counting.statistics import random_generator
from textparity.errors import InputError
from textparity.files import write_rows
from textparity.persons.ukrainian.word_lists import load_gender_lists
from textparity.persons.ukrainian.words import sentence_key
from textparity.progress import progress_bar
from textparity_studies.swapping.candidates.outputs import OUTPUT_COLUMNS, SENTENCE, WORD, read_cells, read_pairs
from textparity_studies.swapping.candidates.reviews import read_published_reviews
from textparity_studies.swapping.candidates.swapped_corpora import (
    auto_review,
    check_candidates,
    write_swapped_corpus,
)
from textparity_studies.swapping.entity_corpora import read_documents
from textparity_studies.swapping.language.rule_swapper import RuleSwapper
from textparity_studies.swapping.language.sentences import Annotation, Change, find_annotations
from textparity_studies.swapping.names import JOB, LABELS, LIST_SEPARATOR, RULES
from textparity_studies.swapping.reanchoring import entities_of_line

CANDIDATE_COLUMNS = (
    "document", "line", "original", "swapped", "feminine_names", "masculine_names", "changes", "system",
)  # fmt: skip
Words = list[tuple[str, str]]


def swap_by_rules(
    documents: Path,
    entities: Path,
    test_set: Path | None,
    parallel: list[Path],
    published_reviews: list[Path],
    candidates: Path,
    checks: Path,
    reviews: Path,
    swapped_documents: Path,
    swapped_entities: Path,
    left_out: Path,
    folder: Path,
    seed: int,
    required: list[str],
    outputs: Path | None = None,
    **word_lists: Path,
) -> None:
    """Swap a corpus by rules, check and review the results, and write them as a corpus; swap a test set, if any."""
    swap_corpus(documents, entities, candidates, seed, **word_lists)
    check_candidates(candidates, documents, entities, checks, **word_lists)
    auto_review(candidates, checks, reviews, required)
    write_swapped_corpus(
        documents, entities, candidates, reviews, swapped_documents, swapped_entities, left_out, folder
    )
    if test_set and outputs:
        swap_test_sentences(test_set, parallel, published_reviews, outputs, seed, **word_lists)


def swap_test_sentences(
    test_set: Path,
    parallel: list[Path],
    reviews: list[Path],
    outputs: Path,
    seed: int,
    **word_lists: Path,
) -> None:
    """Swap each item of a test set (CSV with `inputs` and `references`), and swap the output back.

    Entities are those annotated for the sentence in `parallel` or `reviews`. In other sentences, and in single words,
    the lists find them. Names depend on the seed and the sentence, not on its place.
    """
    frame = read_cells(test_set)
    if missing := [name for name in ("inputs", "references") if name not in frame.columns]:
        raise InputError(f"{test_set}: has no column {', '.join(missing)}; it has {', '.join(frame.columns)}")
    swapper, annotated = RuleSwapper(load_gender_lists(**word_lists)), AnnotatedSentences(parallel, reviews)
    rows = []
    for item, (text, reference) in enumerate(frame[["inputs", "references"]].itertuples(index=False), start=1):
        kind = WORD if len(text.split()) == 1 else SENTENCE
        annotations = annotated.find(text) if kind == SENTENCE else None
        swapped = swapper.swap(text, random_generator(seed, RULES, text), annotations)
        back = swapper.swap(
            swapped.text,
            random_generator(seed, RULES, "back", text),
            move_annotations(annotations, swapped.changes),
        )
        rows.append([item, kind, text, reference, swapped.text, back.text])
    write_rows(outputs, OUTPUT_COLUMNS, rows)


def swap_corpus(documents: Path, entities: Path, candidates: Path, seed: int, **word_lists: Path) -> None:
    """Write a candidate (`CANDIDATE_COLUMNS`) for every line of a corpus with a job title, lines from 0.

    `changes` lists each changed word with the kind of change. Names depend on the seed and the line's text.
    """
    swapper = RuleSwapper(load_gender_lists(**word_lists))
    rows = []
    corpus = read_documents(documents, entities)
    bar = progress_bar(len(corpus), "swapping by rules", "documents")
    for document in corpus:
        for line, (start, end) in enumerate(document.lines):
            found = entities_of_line(document.entities, start, end)
            if not any(entity.label == JOB for entity in found):
                continue
            text = document.text[start:end]
            annotations = [
                Annotation(entity.label, entity.start, entity.end) for entity in found if entity.label in LABELS
            ]
            swapped = swapper.swap(text, line_generator(seed, text), annotations)
            names = [LIST_SEPARATOR.join(group) for group in (swapped.offered.feminine, swapped.offered.masculine)]
            changes = LIST_SEPARATOR.join(map(_describe, swapped.changes))
            rows.append([document.document, line, text, swapped.text, *names, changes, RULES])
        bar.update()
    bar.close()
    write_rows(candidates, CANDIDATE_COLUMNS, rows)


def line_generator(seed: int, text: str) -> np.random.Generator:
    """Build the random generator for a line's names."""
    return random_generator(seed, RULES, text)


def _describe(change: Change) -> str:
    return f"{change.before} > {change.after} ({change.kind})"


class AnnotatedSentences:
    """Look up entities (text and label) by sentence, whatever its white space and apostrophes."""

    def __init__(self, parallel: list[Path], reviews: list[Path]) -> None:
        """Read parallel sentences (titles of both sides) and reviews (titles and persons of the original).

        Raises `InputError` with file and row.
        """
        self._words: dict[str, Words] = {}
        for pair in read_pairs(parallel):
            self._add(pair.original, [(title, JOB) for title in pair.titles])
            self._add(pair.swapped, [(title, JOB) for title in pair.swapped_titles])
        for review in read_published_reviews(reviews):
            self._add(review.original, list(review.entities.items()))

    def find(self, sentence: str) -> list[Annotation] | None:
        """Find the places of a sentence's entities, or None for one without annotations."""
        words = self._words.get(sentence_key(sentence))
        return None if words is None else find_annotations(sentence, list(dict.fromkeys(words)))

    def _add(self, sentence: str, words: Words) -> None:
        self._words.setdefault(sentence_key(sentence), []).extend(words)


def move_annotations(annotations: list[Annotation] | None, changes: tuple[Change, ...]) -> list[Annotation] | None:
    """Move annotations to their places after the changes."""
    if annotations is None:
        return None
    return [
        Annotation(item.label, _moved(item.start, changes, at_end=False), _moved(item.end, changes, at_end=True))
        for item in annotations
    ]


def _moved(place: int, changes: tuple[Change, ...], at_end: bool) -> int:
    moved = place
    for change in changes:
        # A place within a changed word moves to the word's new start or end.
        if change.end <= place:
            moved += len(change.after) - (change.end - change.start)
        elif change.start < place:
            moved += (len(change.after) if at_end else 0) - (place - change.start)
    return moved
