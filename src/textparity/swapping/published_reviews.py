"""The reviews that the authors publish, in the form of this workflow's: candidates and decisions, by document and line.

Their files know sentences by text alone; each is found in the corpus by it.
"""

import ast
import csv
import json
import logging
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from textparity.errors import InputError
from textparity.files import write_rows
from textparity.swapping.entity_corpora import read_documents
from textparity.swapping.reviews import (
    ACCEPT,
    CORRECT,
    DECISIONS,
    DISMISS,
    UNDECIDED,
    Candidate,
    Review,
    write_review_file,
)

log = logging.getLogger(__name__)

ORIGINAL, SWAPPED, ENTITIES, VERDICT, CORRECTED = (
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
    """One row of the authors' files; `corrected` is empty where the reviewer wrote nothing."""

    original: str
    swapped: str
    entities: dict[str, str]
    decision: str
    corrected: str


def read_published_reviews(path: Path) -> list[PublishedReview]:
    """Read one of the authors' files; raise `InputError` naming the row of what cannot be read."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file)
        columns = (ORIGINAL, SWAPPED, ENTITIES, VERDICT, CORRECTED)
        if missing := [name for name in columns if name not in (rows.fieldnames or [])]:
            raise InputError(f"{path}: has no column {', '.join(missing)}; the header is {rows.fieldnames}")
        return [_published_review(cells, f"{path}, row {number}") for number, cells in enumerate(rows, start=1)]


def import_published_reviews(
    published: list[Path],
    documents: Path,
    entities: Path,
    candidates: Path,
    reviews: Path,
    not_found: Path,
    counts: Path,
    model: str,
) -> None:
    """Write candidates and reviews as `swap_candidates` and `reviews` have them, in the order of the corpus.

    A sentence that stands in several places is there with each. `not_found` lists the sentences that the corpus does
    not have; `counts` says how many there are of everything. `model` is who made the candidates.
    """
    rows = [row for path in published for row in read_published_reviews(path)]
    places: dict[str, list[tuple[str, int]]] = {}
    order: dict[tuple[str, int], int] = {}
    for document in read_documents(documents, entities):
        for line, (start, end) in enumerate(document.lines):
            place = (document.document, line)
            order[place] = len(order)
            places.setdefault(document.text[start:end].strip(), []).append(place)
    found: dict[tuple[str, int], PublishedReview] = {}
    lost = []
    for row in rows:
        if row.original not in places:
            lost.append(row)
        for place in places.get(row.original, []):
            if place in found:
                raise InputError(f"{published[0].parent}: {row.original[:80]!r} is reviewed twice; keep one row")
            found[place] = row
    made, decided = [], {}
    for place, row in sorted(found.items(), key=lambda cells: order[cells[0]]):
        candidate = Candidate(*place, row.original, row.swapped, row.entities)
        made.append(candidate)
        if row.decision != UNDECIDED:
            text = row.corrected if row.decision == CORRECT else row.swapped
            decided[place] = Review(*place, row.original, text, row.decision)
    _write_candidates(candidates, made, model)
    write_review_file(reviews, decided, made)
    write_rows(not_found, [ORIGINAL, VERDICT], [[row.original, row.decision] for row in lost])
    decisions = Counter(row.decision for row in rows)
    numbers = {name: decisions[name] for name in (*DECISIONS, UNDECIDED)} | {
        SENTENCES: len(rows),
        NOT_FOUND: len(lost),
        PLACES: len(found),
        SEVERAL_PLACES: sum(len(places.get(row.original, [])) > 1 for row in rows),
        IGNORED: sum(bool(row.corrected) and row.decision != CORRECT for row in rows),
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
    verdict = cells[VERDICT].strip()
    if verdict not in _DECISIONS:
        raise InputError(f"{where}: the decision {verdict!r} is none of {', '.join(filter(None, _DECISIONS))}")
    corrected = cells[CORRECTED].strip()
    if _DECISIONS[verdict] == CORRECT and not corrected:
        raise InputError(f"{where}: is to be corrected, but {CORRECTED} is empty")
    try:
        # A dictionary as Python shows it.
        entities = ast.literal_eval(cells[ENTITIES]) if cells[ENTITIES] else {}
    except (ValueError, SyntaxError):
        raise InputError(f"{where}: the annotations {cells[ENTITIES][:60]!r} are no dictionary") from None
    return PublishedReview(cells[ORIGINAL].strip(), cells[SWAPPED].strip(), entities, _DECISIONS[verdict], corrected)
