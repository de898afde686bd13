"""Read and write reviews of candidates: people's decisions in a CSV file that the workflow only reads.

Reviews published by the authors identify a sentence only by its text."""

import ast
import csv
import json
import logging
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from textparity.errors import InputError
from textparity.files import write_rows
from textparity.persons.ukrainian.words import pieces
from textparity_studies.swapping.candidates.outputs import read_cells
from textparity_studies.swapping.names import LIST_SEPARATOR

log = logging.getLogger(__name__)

ACCEPT, CORRECT, DISMISS, UNDECIDED = "accept", "correct", "dismiss", "undecided"
DECISIONS = (ACCEPT, CORRECT, DISMISS)
REVIEW_COLUMNS = ("document", "line", "original", "swapped", "decision", "decided_at")
# The number of a line has at most this many digits.
LONGEST_NUMBER = 9
Key = tuple[str, int]
ORIGINAL, GENERATED, ENTITIES, VERDICT, CORRECTION = PUBLISHED_COLUMNS = (
    "Оригінальне речення", "Змінене речення", "Анотації", "Коректність речення", "Виправлене речення",
)  # fmt: skip
_DECISIONS = {"Правильне": ACCEPT, "Містить помилки": CORRECT, "Важко визначити": DISMISS, "": UNDECIDED}


@dataclass(frozen=True)
class Candidate:
    """Hold a sentence and a system's swapped version; `repairs` lists doubtful points, the names are those offered."""

    document: str
    line: int
    original: str
    swapped: str
    entities: Mapping[str, str]
    repairs: tuple[str, ...] = ()
    feminine_names: tuple[str, ...] = ()
    masculine_names: tuple[str, ...] = ()

    @property
    def key(self) -> Key:
        """The document and the line, from 0."""
        return self.document, self.line


@dataclass(frozen=True)
class Review:
    """Hold a decision about a candidate: `swapped` is the candidate, or the corrected sentence."""

    document: str
    line: int
    original: str
    swapped: str
    decision: str
    decided_at: str = ""

    @property
    def key(self) -> Key:
        """The document and the line, from 0."""
        return self.document, self.line


def read_candidates(path: Path) -> list[Candidate]:
    """Read candidates (CSV, at least `document,line,original,swapped`); raise `InputError` for an invalid one."""
    found: dict[Key, Candidate] = {}
    for where, cells in _rows(path, ("document", "line", "original", "swapped")):
        candidate = Candidate(
            cells["document"],
            _line(cells["line"], where),
            cells["original"],
            cells["swapped"],
            _entities(cells.get("entities", ""), where),
            *(_list(cells.get(name, "")) for name in ("repairs", "feminine_names", "masculine_names")),
        )
        if candidate.key in found:
            raise InputError(f"{where}: {candidate.document}, line {candidate.line} is a duplicate; keep one row")
        found[candidate.key] = candidate
    return list(found.values())


def read_review_file(path: Path, candidates: Iterable[Candidate]) -> dict[Key, Review]:
    """Read the decisions about `candidates`.

    Raises `InputError` with file and row for an unknown decision, a duplicate, a sentence that is not a candidate, an
    original or accepted sentence that differs from the candidate's, or an empty sentence that is to be kept.
    """
    known = {candidate.key: candidate for candidate in candidates}
    found: dict[Key, Review] = {}
    for where, cells in _rows(path, REVIEW_COLUMNS[:-1]):
        review = Review(
            cells["document"],
            _line(cells["line"], where),
            cells["original"],
            cells["swapped"],
            cells["decision"],
            cells.get("decided_at") or "",
        )
        if review.key in found:
            raise InputError(f"{where}: {review.document}, line {review.line} is decided twice; keep one row")
        if reason := why_not(review, known.get(review.key)):
            raise InputError(f"{where}: {reason}")
        found[review.key] = review
    return found


def why_not(review: Review, candidate: Candidate | None) -> str:
    """Explain why a review does not belong to this candidate, with the fix, or return an empty string."""
    if review.decision not in DECISIONS:
        return f"{review.decision!r} is not a decision; write {', '.join(DECISIONS)}"
    if candidate is None:
        return f"{review.document}, line {review.line} is not a candidate; take the row out"
    if review.original != candidate.original:
        return (
            f"{review.document}, line {review.line} was reviewed as {review.original!r}, but the original now is "
            f"{candidate.original!r}; take the row out and review it again"
        )
    if review.decision != DISMISS and not review.swapped.strip():
        return f"an empty sentence cannot be kept; write the corrected sentence, or {DISMISS}"
    if review.decision == ACCEPT and review.swapped != candidate.swapped:
        return (
            f"{review.swapped!r} was accepted, but the candidate now is {candidate.swapped!r}; take the row out and "
            f"review it again, or write {CORRECT}"
        )
    return ""


def write_review_file(path: Path, reviews: Mapping[Key, Review], candidates: Iterable[Candidate]) -> None:
    """Write all decisions in the order of the candidates, or none."""
    decided = (reviews[candidate.key] for candidate in candidates if candidate.key in reviews)
    write_rows(path, REVIEW_COLUMNS, ([getattr(review, name) for name in REVIEW_COLUMNS] for review in decided))


def read_reviews(candidates: Path, people: list[Path], reviews: Path, counts: Path, system: str, expected: str) -> None:
    """Check people's decisions, and write them as `reviews` with their numbers as `counts`.

    `people` is their file, or empty as long as there is none. Without it nothing is accepted, and the log explains how
    to make the file `expected`. Candidates without a decision are counted as undecided.
    """
    known = read_candidates(candidates)
    decided = read_review_file(people[0], known) if people else {}
    if not people:
        where = expected or f"reviews/{system}.csv (and name it as swapping.reviews)"
        log.warning(
            "%s: nobody has reviewed these candidates, so none is accepted. Open the page with\n"
            "  python -m textparity_studies.swapping.review --candidates %s --reviews %s\nand run again",
            system, candidates, where,
        )  # fmt: skip
    write_review_file(reviews, decided, known)
    numbers = Counter(review.decision for review in decided.values())
    numbers[UNDECIDED] = len(known) - len(decided)
    write_rows(counts, ["decision", "sentences"], [[name, numbers[name]] for name in (*DECISIONS, UNDECIDED)])
    log.info("%s: %s", system, ", ".join(f"{numbers[name]} {name}" for name in (*DECISIONS, UNDECIDED)))


def _rows(path: Path, columns: tuple[str, ...]) -> Iterable[tuple[str, dict[str, str]]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file)
            if missing := [name for name in columns if name not in (rows.fieldnames or [])]:
                raise InputError(f"{path}: has no column {', '.join(missing)}; the header is {rows.fieldnames}")
            for number, cells in enumerate(rows, start=1):
                if None in cells or None in cells.values():
                    raise InputError(f"{path}, row {number}: has more or fewer cells than the header; fix the quotes")
                yield f"{path}, row {number}", cells
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; make the candidates first") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 (byte {error.start}); save it as UTF-8") from None
    except csv.Error as error:
        raise InputError(f"{path}: cannot be read as CSV ({error}); fix the quotes") from None


def _line(cell: str, where: str) -> int:
    if not cell.isdecimal() or len(cell) > LONGEST_NUMBER:
        raise InputError(f"{where}: the line {cell[:50]!r} is not a number from 0")
    return int(cell)


def _list(cell: str) -> tuple[str, ...]:
    return tuple(filter(None, cell.split(LIST_SEPARATOR)))


def _entities(cell: str, where: str) -> dict[str, str]:
    try:
        found = json.loads(cell) if cell else {}
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: the entities are not JSON ({error})") from None
    if not isinstance(found, dict):
        raise InputError(f"{where}: the entities are not a JSON object of texts and labels")
    return {str(text): str(label) for text, label in found.items()}


@dataclass(frozen=True)
class PublishedReview:
    """Hold one row of the authors' files, verbatim; `correction` is blank if the reviewer wrote nothing."""

    original: str
    generated: str
    entities: dict[str, str]
    decision: str
    correction: str

    @property
    def final(self) -> str:
        """The sentence after the review; a correction counts only if one was required."""
        return self.correction if self.decision == CORRECT else self.generated

    @property
    def is_kept(self) -> bool:
        """True if it is neither dismissed nor undecided, and differs from the original."""
        return self.decision in (ACCEPT, CORRECT) and pieces(self.final) != pieces(self.original)


def read_published_reviews(paths: list[Path]) -> list[PublishedReview]:
    """Read the authors' files: CSV with `PUBLISHED_COLUMNS`.

    Raises `InputError` with file and row for an unknown decision, a missing correction, or annotations that are not a
    dictionary.
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


def _published_review(cells: dict[str, str], where: str) -> PublishedReview:
    decision = _DECISIONS.get(cells[VERDICT].strip())
    if decision is None:
        known = ", ".join(name or "blank" for name in _DECISIONS)
        raise InputError(f"{where}: the decision {cells[VERDICT]!r} is none of {known}")
    if decision == CORRECT and not cells[CORRECTION].strip():
        raise InputError(f"{where}: has mistakes by its decision, but no corrected sentence; add it")
    try:
        # The cell holds a dictionary as Python prints it.
        entities = ast.literal_eval(cells[ENTITIES]) if cells[ENTITIES] else {}
    except (ValueError, SyntaxError):
        entities = None
    if not isinstance(entities, dict):
        raise InputError(
            f"{where}: the annotations {cells[ENTITIES][:60]!r} are not a dictionary; write {{'лікар': 'JOB'}}"
        )
    return PublishedReview(cells[ORIGINAL], cells[GENERATED], entities, decision, cells[CORRECTION])
