"""Candidates in files: published ones read into the common form, checks of any, and decisions by the checks."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from textparity.errors import InputError
from textparity.files import write_rows
from textparity.swapping.annotated_sentences import read_reviews, squeeze
from textparity.swapping.brat import Entity
from textparity.swapping.candidate_checks import CHECKS, FAILED, Candidate, CandidateChecker
from textparity.swapping.entity_corpora import Document, read_documents
from textparity.swapping.person_names import OfferedNames
from textparity.swapping.reanchoring import entities_of_line
from textparity.swapping.word_lists import load_gender_lists

ACCEPT, CORRECT, DISMISS = DECISIONS = ("accept", "correct", "dismiss")
CHECK_COLUMNS = ("document", "line", "check", "verdict", "detail")
PUBLISHED_COLUMNS = ("document", "line", "original", "swapped", "decision")
REVIEWED_COLUMNS = ("document", "line", "original", "swapped", "decision")
_NEEDED = ("document", "line", "original", "swapped")
_VERDICTS = {"Правильне": ACCEPT, "Містить помилки": CORRECT, "Важко визначити": DISMISS, "": ""}
_SEPARATOR = ";"


@dataclass(frozen=True)
class CandidateRow:
    """A row of a candidates file, with the line of the corpus that it was made from."""

    document: Document
    line: int
    original: str
    entities: tuple[Entity, ...]
    swapped: str
    cells: dict[str, str]


def read_candidates(path: Path, documents: list[Document], needed: tuple[str, ...] = _NEEDED) -> Iterator[CandidateRow]:
    """Yield the rows of a CSV file with (at least) the columns document, line, original, swapped.

    Raises `InputError` naming file and row for a line that the corpus does not have, or has with another text.
    """
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    if lacking := [name for name in needed if name not in frame.columns]:
        raise InputError(f"{path}: has no column {', '.join(lacking)}; it needs {', '.join(needed)}")
    corpus = {document.document: document for document in documents}
    for row, cells in enumerate(frame.to_dict("records"), start=1):
        where = f"{path}, row {row}"
        document = corpus.get(cells["document"])
        lines = document.lines if document else []
        if not cells["line"].isdecimal() or int(cells["line"]) >= len(lines):
            raise InputError(f"{where}: the corpus has no line {cells['line']} in {cells['document']}; make them anew")
        start, end = lines[int(cells["line"])]
        if squeeze(document.text[start:end]) != squeeze(cells["original"]):
            raise InputError(
                f"{where}: the original is not line {cells['line']} of {cells['document']}; make them anew"
            )
        found = tuple(entities_of_line(document.entities, start, end))
        yield CandidateRow(document, int(cells["line"]), document.text[start:end], found, cells["swapped"], cells)


def list_published_candidates(
    reviews: list[Path], documents: Path, entities: Path, generated: Path, reviewed: Path
) -> None:
    """Write the paper's generated sentences with the reviewers' decisions, and the reviewed sentences.

    Each is placed at its line of the corpus. `reviewed` leaves out what was dismissed, or has no verdict. Raises
    `InputError` for a sentence that is in no line.
    """
    places: dict[str, list[tuple[str, int]]] = {}
    for document in read_documents(documents, entities):
        for line, (start, end) in enumerate(document.lines):
            places.setdefault(squeeze(document.text[start:end]), []).append((document.document, line))
    rows = {generated: [], reviewed: []}
    for number, row in enumerate(read_reviews(reviews).itertuples(index=False), start=1):
        found = places.get(squeeze(row.original))
        if not found or row.verdict not in _VERDICTS:
            reason = (
                f"the verdict {row.verdict!r} is unknown" if found else f"{row.original!r} is in no line of the corpus"
            )
            raise InputError(f"{', '.join(map(str, reviews))}, sentence {number}: {reason}")
        # A sentence that stands twice in the corpus was reviewed twice.
        document, line = found.pop(0) if len(found) > 1 else found[0]
        decision = _VERDICTS[row.verdict]
        rows[generated].append([document, line, row.original, row.generated, decision])
        if decision in (ACCEPT, CORRECT):
            rows[reviewed].append([document, line, row.original, row.corrected or row.generated, decision])
    for path, cells in rows.items():
        write_rows(path, PUBLISHED_COLUMNS, cells)


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
    """Write the result of each check for each candidate: document, line, check, verdict, detail.

    The columns `feminine_names` and `masculine_names` of the candidates, where they are there, are those offered.
    """
    lists = load_gender_lists(gender_pairs, common_gender_words, feminine_names, masculine_names)
    checker = CandidateChecker(lists)
    rows = []
    for row in read_candidates(candidates, read_documents(documents, entities)):
        candidate = Candidate(row.original, row.entities, row.swapped, _offered(row.cells))
        rows += [
            [row.document.document, row.line, result.check, result.verdict, result.detail]
            for result in checker.check(candidate)
        ]
    write_rows(checks, CHECK_COLUMNS, rows)


def decide_by_checks(candidates: Path, checks: Path, reviewed: Path, required: list[str]) -> None:
    """Accept the candidates that fail none of the `required` checks, dismiss the others: what reviewing would write.

    Columns `REVIEWED_COLUMNS`. Raises `InputError` for a check that there is not.
    """
    if unknown := [name for name in required if name not in CHECKS]:
        raise InputError(f"swapping.required_checks: {', '.join(unknown)} is no check; they are {', '.join(CHECKS)}")
    results = pd.read_csv(checks, dtype=str, keep_default_na=False)
    wrong = results[(results["verdict"] == FAILED) & results["check"].isin(required)]
    failed = set(zip(wrong["document"], wrong["line"], strict=True))
    frame = pd.read_csv(candidates, dtype=str, keep_default_na=False)
    keys = list(zip(frame["document"], frame["line"], strict=True))
    frame["decision"] = [DISMISS if key in failed else ACCEPT for key in keys]
    write_rows(reviewed, REVIEWED_COLUMNS, frame[list(REVIEWED_COLUMNS)].itertuples(index=False))


def _offered(cells: dict[str, str]) -> OfferedNames | None:
    names = [
        tuple(name.strip() for name in cells.get(column, "").split(_SEPARATOR) if name.strip())
        for column in ("feminine_names", "masculine_names")
    ]
    return OfferedNames(*names) if any(names) else None
