"""Candidates and their lines of the corpus: checks of any, and decisions by the checks."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from textparity.errors import InputError
from textparity.files import write_rows
from textparity.studies.swapping.brat import Entity
from textparity.studies.swapping.candidates.checks import CHECK_COLUMNS, CHECKS, FAILED, Candidate, CandidateChecker
from textparity.studies.swapping.candidates.outputs import read_cells
from textparity.studies.swapping.candidates.reviews import ACCEPT, DISMISS, Review, read_candidates, write_review_file
from textparity.studies.swapping.candidates.reviews import Candidate as CandidateRow
from textparity.studies.swapping.entity_corpora import Document, read_documents
from textparity.studies.swapping.language.person_names import OfferedNames
from textparity.studies.swapping.language.word_lists import load_gender_lists
from textparity.studies.swapping.language.words import sentence_key
from textparity.studies.swapping.reanchoring import entities_of_line


@dataclass(frozen=True)
class PlacedCandidate:
    """A candidate with the line of the corpus that it was made from; entities have their places in the line."""

    row: CandidateRow
    document: Document
    original: str
    entities: tuple[Entity, ...]


def place_candidates(path: Path, documents: list[Document]) -> Iterator[PlacedCandidate]:
    """Yield the candidates of a file (`reviews.read_candidates`) with their lines.

    Raises `InputError` naming file and candidate for a line that the corpus does not have, or has with another text.
    """
    corpus = {document.document: document for document in documents}
    for row in read_candidates(path):
        document = corpus.get(row.document)
        lines = document.lines if document else []
        if document is None or row.line >= len(lines):
            raise InputError(f"{path}: the corpus has no line {row.line} in {row.document}; make the candidates anew")
        start, end = lines[row.line]
        if sentence_key(document.text[start:end]) != sentence_key(row.original):
            raise InputError(
                f"{path}: {row.original[:60]!r} is not line {row.line} of {row.document}; make the candidates anew"
            )
        found = tuple(entities_of_line(document.entities, start, end))
        yield PlacedCandidate(row, document, document.text[start:end], found)


def check_candidates(
    candidates: Path,
    documents: Path,
    entities: Path,
    gender_pairs: Path,
    common_gender_words: Path,
    feminine_names: Path,
    masculine_names: Path,
    checks: Path,
) -> None:
    """Write the result of each check for each candidate: document, line, check, verdict, detail."""
    lists = load_gender_lists(gender_pairs, common_gender_words, feminine_names, masculine_names)
    checker = CandidateChecker(lists)
    rows = []
    for placed in place_candidates(candidates, read_documents(documents, entities)):
        row = placed.row
        has_names = row.feminine_names or row.masculine_names
        offered = OfferedNames(row.feminine_names, row.masculine_names) if has_names else None
        results = checker.check(Candidate(placed.original, placed.entities, row.swapped, offered))
        rows += [[*row.key, result.check, result.verdict, result.detail] for result in results]
    write_rows(checks, CHECK_COLUMNS, rows)


def decide_by_checks(candidates: Path, checks: Path, reviews: Path, required: list[str]) -> None:
    """Accept the candidates that fail none of the `required` checks, dismiss the others: as reviewing would write it.

    Raises `InputError` for a check that there is not.
    """
    if unknown := [name for name in required if name not in CHECKS]:
        raise InputError(f"swapping.required_checks: {', '.join(unknown)} is no check; they are {', '.join(CHECKS)}")
    results = read_cells(checks)
    wrong = results[(results["verdict"] == FAILED) & results["check"].isin(required)]
    failed = set(zip(wrong["document"], wrong["line"].astype(int), strict=True))
    known = read_candidates(candidates)
    decided = {
        row.key: Review(*row.key, row.original, row.swapped, DISMISS if row.key in failed else ACCEPT) for row in known
    }
    write_review_file(reviews, decided, known)
