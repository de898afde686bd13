"""The reviews that the authors publish, in the form of this workflow's: candidates and decisions, by document and line.

Their files know sentences by text alone; each is found in the corpus by it.
"""

import ast
import json
import logging
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from textparity.errors import InputError
from textparity.files import write_rows
from textparity.studies.swapping.candidates.outputs import read_cells
from textparity.studies.swapping.candidates.reviews import (
    ACCEPT,
    CORRECT,
    DECISIONS,
    DISMISS,
    UNDECIDED,
    Candidate,
    Review,
    write_review_file,
)
from textparity.studies.swapping.candidates.swapped_corpora import check_candidates
from textparity.studies.swapping.entity_corpora import read_documents
from textparity.studies.swapping.language.words import pieces, sentence_key

log = logging.getLogger(__name__)

ORIGINAL, GENERATED, ENTITIES, VERDICT, CORRECTION = PUBLISHED_COLUMNS = (
    "Оригінальне речення", "Змінене речення", "Анотації", "Коректність речення", "Виправлене речення",
)  # fmt: skip
_DECISIONS = {"Правильне": ACCEPT, "Містить помилки": CORRECT, "Важко визначити": DISMISS, "": UNDECIDED}
# What the counts say besides decisions.
SENTENCES, PLACES, SEVERAL_PLACES, NOT_FOUND, IGNORED = (
    "sentences", "places in the corpus", "sentences in several places", "sentences not found",
    "corrected sentences of other decisions",
)  # fmt: skip


@dataclass(frozen=True)
class PublishedReview:
    """One row of the authors' files, to the letter; `correction` is blank where the reviewer wrote nothing."""

    original: str
    generated: str
    entities: dict[str, str]
    decision: str
    correction: str

    @property
    def final(self) -> str:
        """The sentence after the review: a correction counts only where one was asked for."""
        return self.correction if self.decision == CORRECT else self.generated

    @property
    def is_kept(self) -> bool:
        """Whether it is neither dismissed nor undecided, and is swapped: it differs from the original."""
        return self.decision in (ACCEPT, CORRECT) and pieces(self.final) != pieces(self.original)


def read_published_reviews(paths: list[Path]) -> list[PublishedReview]:
    """Read the authors' files: CSV with `PUBLISHED_COLUMNS`.

    Raises `InputError` naming file and row for an unknown decision, one that asks for a correction without any, and
    annotations that are not a dictionary.
    """
    reviews = []
    for path in paths:
        frame = read_cells(path)
        if missing := [name for name in PUBLISHED_COLUMNS if name not in frame.columns]:
            raise InputError(f"{path}: has no column {', '.join(missing)}; it needs {', '.join(PUBLISHED_COLUMNS)}")
        for row, cells in enumerate(frame.to_dict("records"), start=1):
            reviews.append(_published_review(cells, f"{path}, row {row}"))
    if paths and not reviews:
        raise InputError(f"{paths[0]}: has no reviews")
    return reviews


def import_reviews(
    published: list[Path],
    documents: Path,
    entities: Path,
    candidates: Path,
    checks: Path,
    reviews: Path,
    reviewed_candidates: Path,
    reviewed_checks: Path,
    not_found: Path,
    counts: Path,
    model: str,
    **word_lists: Path,
) -> None:
    """Write candidates, their checks and reviews as those of a language model, in the order of the corpus.

    A sentence that occurs in several places is there with each. `reviewed_candidates` are the sentences that were
    accepted or corrected, as they were left, to be checked themselves. `not_found` lists the sentences that the corpus
    does not have; `counts` says how many there are of everything. `model` is who made the candidates.
    """
    rows = read_published_reviews(published)
    places: dict[str, list[tuple[str, int]]] = {}
    order: dict[tuple[str, int], int] = {}
    for document in read_documents(documents, entities):
        for line, (start, end) in enumerate(document.lines):
            place = (document.document, line)
            order[place] = len(order)
            places.setdefault(sentence_key(document.text[start:end]), []).append(place)
    found: dict[tuple[str, int], PublishedReview] = {}
    for row in rows:
        for place in places.get(sentence_key(row.original), []):
            if place in found:
                raise InputError(f"{published[0].parent}: {row.original[:80]!r} is reviewed twice; keep one row")
            found[place] = row
    lost = [row for row in rows if sentence_key(row.original) not in places]
    made, decided, left = [], {}, []
    for place, row in sorted(found.items(), key=lambda cells: order[cells[0]]):
        original = row.original.strip()
        candidate = Candidate(*place, original, row.generated.strip(), row.entities)
        made.append(candidate)
        if row.decision != UNDECIDED:
            decided[place] = Review(*place, original, row.final.strip(), row.decision)
        if row.decision in (ACCEPT, CORRECT):
            left.append(replace(candidate, swapped=row.final.strip()))
    _write_candidates(candidates, made, model)
    _write_candidates(reviewed_candidates, left, model)
    write_review_file(reviews, decided, made)
    check_candidates(candidates, documents, entities, checks, **word_lists)
    check_candidates(reviewed_candidates, documents, entities, reviewed_checks, **word_lists)
    write_rows(not_found, [ORIGINAL, VERDICT], [[row.original, row.decision] for row in lost])
    decisions = Counter(row.decision for row in rows)
    numbers = {name: decisions[name] for name in (*DECISIONS, UNDECIDED)} | {
        SENTENCES: len(rows),
        NOT_FOUND: len(lost),
        PLACES: len(found),
        SEVERAL_PLACES: sum(len(places.get(sentence_key(row.original), [])) > 1 for row in rows),
        IGNORED: sum(bool(row.correction.strip()) and row.decision != CORRECT for row in rows),
    }
    write_rows(counts, ["what", "number"], numbers.items())
    log.info("%s", ", ".join(f"{name}: {number}" for name, number in numbers.items()))


def _write_candidates(path: Path, candidates: list[Candidate], model: str) -> None:
    header = ["document", "line", "original", "swapped", "entities", "model", "repairs"]
    write_rows(
        path,
        header,
        (
            [
                candidate.document, candidate.line, candidate.original, candidate.swapped,
                json.dumps(dict(candidate.entities), ensure_ascii=False), model, "",
            ]
            for candidate in candidates
        ),
    )  # fmt: skip


def _published_review(cells: dict[str, str], where: str) -> PublishedReview:
    decision = _DECISIONS.get(cells[VERDICT].strip())
    if decision is None:
        known = ", ".join(name or "blank" for name in _DECISIONS)
        raise InputError(f"{where}: the decision {cells[VERDICT]!r} is none of {known}")
    if decision == CORRECT and not cells[CORRECTION].strip():
        raise InputError(f"{where}: has mistakes by its decision, but no corrected sentence; add it")
    try:
        # A dictionary as Python shows it.
        entities = ast.literal_eval(cells[ENTITIES]) if cells[ENTITIES] else {}
    except (ValueError, SyntaxError):
        entities = None
    if not isinstance(entities, dict):
        raise InputError(
            f"{where}: the annotations {cells[ENTITIES][:60]!r} are not a dictionary; write {{'лікар': 'JOB'}}"
        )
    return PublishedReview(cells[ORIGINAL], cells[GENERATED], entities, decision, cells[CORRECTION])
