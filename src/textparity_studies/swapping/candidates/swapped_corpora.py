"""Place candidates in the corpus, check and review them automatically, and write the corpus of accepted ones."""

import json
import logging
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from textparity.errors import InputError
from textparity.files import atomic_folder, escapes_folder, write_rows
from textparity.persons.ukrainian.word_lists import load_gender_lists
from textparity.persons.ukrainian.words import sentence_key
from textparity_studies.swapping.candidates.candidates import (
    CHECK_COLUMNS,
    CHECKS,
    FAILED,
    Candidate,
    CandidateChecker,
    parse_swaps,
)
from textparity_studies.swapping.candidates.outputs import read_cells
from textparity_studies.swapping.candidates.reviews import (
    ACCEPT,
    CORRECT,
    DECISIONS,
    DISMISS,
    ORIGINAL,
    UNDECIDED,
    VERDICT,
    PublishedReview,
    Review,
    read_candidates,
    read_published_reviews,
    read_review_file,
    read_reviews,
    write_review_file,
)
from textparity_studies.swapping.candidates.reviews import Candidate as CandidateRow
from textparity_studies.swapping.entity_corpora import Document, Entity, format_brat, read_documents, write_documents
from textparity_studies.swapping.language.person_names import OfferedNames
from textparity_studies.swapping.names import ENDING, TEST, TRAIN
from textparity_studies.swapping.reanchoring import entities_of_line, reanchor

log = logging.getLogger(__name__)

SPLIT_FILE = "dev-test-split.txt"
DISMISSED, UNCHANGED, SEVERAL_LINES, NOT_ANCHORED = "dismissed", "unchanged", "more than one line", "not anchored"
# The counts' rows other than decisions.
SENTENCES, PLACES, SEVERAL_PLACES, NOT_FOUND, IGNORED = (
    "sentences", "places in the corpus", "sentences in several places", "sentences not found",
    "corrected sentences of other decisions",
)  # fmt: skip
LEFT_OUT_COLUMNS = ("document", "line", "reason", "detail")
# The number of its line in the original, its text, and its entities.
SwappedLine = tuple[int, str, list[Entity]]


@dataclass(frozen=True)
class PlacedCandidate:
    """Hold a candidate with its line in the corpus; entities have their places in the line."""

    row: CandidateRow
    document: Document
    original: str
    entities: tuple[Entity, ...]


def place_candidates(path: Path, documents: list[Document]) -> Iterator[PlacedCandidate]:
    """Iterate over the candidates of a file (`reviews.read_candidates`), each with its line.

    Raises `InputError` with file and candidate if the corpus lacks the line, or has it with another text.
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
    checks: Path,
    **word_lists: Path,
) -> None:
    """Write the result of each check for each candidate: document, line, check, verdict, detail."""
    checker = CandidateChecker(load_gender_lists(**word_lists))
    rows = []
    for placed in place_candidates(candidates, read_documents(documents, entities)):
        row = placed.row
        has_names = row.feminine_names or row.masculine_names
        offered = OfferedNames(row.feminine_names, row.masculine_names) if has_names else None
        results = checker.check(Candidate(placed.original, placed.entities, row.swapped, offered))
        rows += [[*row.key, result.check, result.verdict, result.detail] for result in results]
    write_rows(checks, CHECK_COLUMNS, rows)


def make_candidates(
    answers: Path, documents: Path, entities: Path, candidates: Path, checks: Path, **word_lists: Path
) -> None:
    """Write the candidates of a model's answers, and the automatic checks of each."""
    parse_swaps(answers, candidates)
    check_candidates(candidates, documents, entities, checks, **word_lists)


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
    """Write candidates, their checks and reviews like those of a language model, in the order of the corpus.

    A sentence that occurs in several places appears with each. `reviewed_candidates` are the final forms of the
    accepted or corrected sentences, for the same checks. `not_found` lists the sentences that the corpus does not have,
    and `counts` has the numbers of everything. `model` names the model that made the candidates.
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
        candidate = CandidateRow(*place, original, row.generated.strip(), row.entities)
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


def _write_candidates(path: Path, candidates: list[CandidateRow], model: str) -> None:
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


def auto_review(candidates: Path, checks: Path, reviews: Path, required: list[str]) -> None:
    """Accept the candidates that fail none of the `required` checks, and dismiss the others, in the form of a review.

    Raises `InputError` for an unknown check.
    """
    if unknown := [name for name in required if name not in CHECKS]:
        raise InputError(f"swapping.required_checks: {', '.join(unknown)} is not a check; they are {', '.join(CHECKS)}")
    results = read_cells(checks)
    wrong = results[(results["verdict"] == FAILED) & results["check"].isin(required)]
    failed = set(zip(wrong["document"], wrong["line"].astype(int), strict=True))
    known = read_candidates(candidates)
    decided = {
        row.key: Review(*row.key, row.original, row.swapped, DISMISS if row.key in failed else ACCEPT) for row in known
    }
    write_review_file(reviews, decided, known)


def write_swapped_corpus(
    documents: Path,
    entities: Path,
    candidates: Path,
    reviews: Path,
    swapped_documents: Path,
    swapped_entities: Path,
    left_out: Path,
    folder: Path,
) -> None:
    """Write the accepted and corrected candidates as a corpus, with the entities of their originals.

    Documents are named as in the published corpus (`-swapped`), lines keep their order, and documents their split.
    `left_out` lists the candidates that are dismissed, undecided or unchanged, and those with an entity that could not
    be anchored.
    """
    accepted: dict[str, list[SwappedLine]] = defaultdict(list)
    rows = []
    originals = read_documents(documents, entities)
    placed = list(place_candidates(candidates, originals))
    decided = read_review_file(reviews, [candidate.row for candidate in placed])
    for candidate in placed:
        key = candidate.row.key
        text, anchored, reason, detail = _anchor(candidate, decided.get(key))
        if reason:
            rows.append([*key, reason, detail])
        else:
            accepted[key[0]].append((key[1], text, anchored))
    corpus = [_join(document, accepted[document.document]) for document in originals if accepted[document.document]]
    write_documents(corpus, swapped_documents, swapped_entities)
    write_rows(left_out, LEFT_OUT_COLUMNS, rows)
    _write_brat(folder, corpus)


def apply_reviews(
    documents: Path,
    entities: Path,
    candidates: Path,
    people: list[Path],
    reviews: Path,
    counts: Path,
    system: str,
    expected: str,
    **corpus: Path,
) -> None:
    """Check people's decisions about a system's candidates (`read_reviews`), and write the accepted as a corpus."""
    read_reviews(candidates, people, reviews, counts, system, expected)
    write_swapped_corpus(documents, entities, candidates, reviews, **corpus)


def _anchor(candidate: PlacedCandidate, review: Review | None) -> tuple[str, list[Entity], str, str]:
    """Return a swapped line and its entities, or the reason for its exclusion and the entity responsible."""
    if review is None or review.decision == DISMISS:
        return "", [], UNDECIDED if review is None else DISMISSED, ""
    text = review.swapped.strip()
    if "\n" in text:
        return "", [], SEVERAL_LINES, ""
    if sentence_key(text) == sentence_key(candidate.original):
        return "", [], UNCHANGED, ""
    anchored, lost = reanchor(candidate.original, candidate.entities, text)
    if lost:
        detail = "; ".join(f"{item.entity.label} {item.entity.text}: {item.reason}" for item in lost)
        return "", [], NOT_ANCHORED, detail
    return text, anchored, "", ""


def _join(original: Document, lines: list[SwappedLine]) -> Document:
    lines = sorted(lines, key=lambda line: line[0])
    texts: list[str] = []
    entities: list[Entity] = []
    start = 0
    for _, text, anchored in lines:
        texts.append(text)
        entities += [
            Entity(f"T{len(entities) + place}", item.label, item.start + start, item.end + start, item.text)
            for place, item in enumerate(anchored, start=1)
        ]
        start += len(text) + 1
    source_lines = [line for line, *_ in lines]
    name = original.document + ENDING
    return Document(name, original.subcorpus, original.split, "\n".join(texts), source_lines, entities)


def _write_brat(folder: Path, corpus: list[Document]) -> None:
    with atomic_folder(folder) as part:
        for document in corpus:
            name = f"{document.subcorpus}/{document.document}"
            if escapes_folder(name):
                raise InputError(f"{name}: leads out of the folder of the swapped corpus; rename the original's folder")
            base = part / name
            base.parent.mkdir(exist_ok=True)
            contents = {
                ".txt": document.text,
                ".ann": format_brat(document.entities),
                ".meta": "".join(f"{line}\n" for line in document.source_lines),
            }
            for ending, content in contents.items():
                base.with_name(base.name + ending).write_text(content, encoding="utf-8")
        splits = {
            heading: [document.document for document in corpus if document.split == split]
            for heading, split in (("DEV", TRAIN), ("TEST", TEST))
        }
        lines = [line for heading, names in splits.items() for line in (heading, *names)]
        (part / SPLIT_FILE).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
