"""Read candidates (a sentence and a system's swapped version of it) and decisions about them, and check them.

The checks are the same whoever swapped: rules, a language model, or a model whose candidates others recorded.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

import pandas as pd

from textparity.errors import InputError
from textparity.files import write_rows
from textparity.persons.ukrainian_genders import GenderLists
from textparity_studies.swapping.corpora import Entity, EntityDocument, reanchor, split_pieces
from textparity_studies.swapping.outputs import read_cells
from textparity_studies.swapping.sentences import (
    Referent,
    contradicting_predicates,
    contradicts,
    places_of,
    read_sentence,
)
from textparity_studies.swapping.settings import (
    ACCEPT,
    CHECKS,
    CORRECT,
    DECISIONS,
    DISMISS,
    JOB,
    LABELS,
    LIST_SEPARATOR,
    PERS,
)
from textparity_studies.swapping.titles_and_names import ListedNames, TitleForm, Titles
from textparity_studies.swapping.word_forms import (
    FEMININE,
    MASCULINE,
    OTHER_GENDER,
    PLURAL,
    SINGULAR,
    normalise,
    read_word,
    sentence_key,
)

PASSED, FAILED, NOT_APPLICABLE = "passed", "failed", "not applicable"
REVIEW_COLUMNS = ("document", "line", "original", "swapped", "decision")
CHECK_COLUMNS = ("document", "line", "check", "verdict", "detail")
CHANGED, TOKEN_COUNT, TITLES_SWAPPED, TITLES_PAIRED, NAMES, AGREEMENT, OTHER_ENTITIES = CHECKS
# The number of a line has at most this many digits.
_LONGEST_NUMBER = 9
Key = tuple[str, int]
"""A document and its line, from 0."""


@dataclass(frozen=True)
class Candidate:
    """Hold a sentence and a system's swapped version; the names are those offered.

    `entities` maps texts to labels, as they were sent to the system.
    """

    document: str
    line: int
    original: str
    swapped: str
    entities: Mapping[str, str]
    feminine_names: tuple[str, ...] = ()
    masculine_names: tuple[str, ...] = ()

    @property
    def key(self) -> Key:
        """The document and the line, from 0."""
        return self.document, self.line


def read_candidates(path: Path) -> list[Candidate]:
    """Read candidates (CSV, at least `document,line,original,swapped`); raise `InputError` for an invalid one."""
    found: dict[Key, Candidate] = {}
    for number, cells in enumerate(read_cells(path, ("document", "line", "original", "swapped")), start=1):
        where = f"{path}, row {number}"
        candidate = Candidate(
            cells["document"],
            _parse_line(cells["line"], where),
            cells["original"],
            cells["swapped"],
            _parse_entities(cells.get("entities", ""), where),
            *(
                tuple(filter(None, cells.get(name, "").split(LIST_SEPARATOR)))
                for name in ("feminine_names", "masculine_names")
            ),
        )
        if candidate.key in found:
            raise InputError(f"{where}: {candidate.document}, line {candidate.line} is a duplicate; keep one row")
        found[candidate.key] = candidate
    return list(found.values())


def _parse_line(cell: str, where: str) -> int:
    """Parse the number of a line; `InputError` begins with `where`."""
    if not cell.isdecimal() or len(cell) > _LONGEST_NUMBER:
        raise InputError(f"{where}: the line {cell[:50]!r} is not a number from 0")
    return int(cell)


def _parse_entities(cell: str, where: str) -> dict[str, str]:
    try:
        found = json.loads(cell) if cell else {}
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: the entities are not JSON ({error})") from None
    if not isinstance(found, dict):
        raise InputError(f"{where}: the entities are not a JSON object of texts and labels")
    return {str(text): str(label) for text, label in found.items()}


@dataclass(frozen=True)
class Review:
    """Hold a decision about a candidate: `swapped` is the candidate, or the corrected sentence."""

    document: str
    line: int
    original: str
    swapped: str
    decision: str

    @property
    def key(self) -> Key:
        """The document and the line, from 0."""
        return self.document, self.line


def read_review_file(path: Path, candidates: Iterable[Candidate]) -> dict[Key, Review]:
    """Read the decisions about `candidates`.

    Raises `InputError` with file and row for an unknown decision, a duplicate, a sentence that is not a candidate, an
    original or accepted sentence that differs from the candidate's, or an empty sentence that is to be kept.
    """
    known = {candidate.key: candidate for candidate in candidates}
    found: dict[Key, Review] = {}
    for number, cells in enumerate(read_cells(path, REVIEW_COLUMNS), start=1):
        where = f"{path}, row {number}"
        line = _parse_line(cells["line"], where)
        review = Review(cells["document"], line, cells["original"], cells["swapped"], cells["decision"])
        if review.key in found:
            raise InputError(f"{where}: {review.document}, line {review.line} is decided twice; keep one row")
        if error := find_error(review, known.get(review.key)):
            raise InputError(f"{where}: {error}")
        found[review.key] = review
    return found


def find_error(review: Review, candidate: Candidate | None) -> str:
    """Explain why a review cannot be about this candidate, and what to do; empty if it can."""
    if review.decision not in DECISIONS:
        return f"{review.decision!r} is not a decision; write {', '.join(DECISIONS)}, or take the row out"
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
    """Write all decisions in the order of the candidates."""
    decided = (reviews[candidate.key] for candidate in candidates if candidate.key in reviews)
    write_rows(path, REVIEW_COLUMNS, (astuple(review) for review in decided))


def place_candidates(path: Path, documents: list[EntityDocument]) -> Iterator[tuple[Candidate, str, list[Entity]]]:
    """Iterate over the candidates of a file, each with its line in the corpus and the line's entities.

    Raises `InputError` with file and candidate if the corpus lacks the line, or has it with another text.
    """
    corpus = {document.document: document for document in documents}
    for candidate in read_candidates(path):
        name, line = candidate.key
        document = corpus.get(name)
        if document is None or line >= len(document.lines):
            raise InputError(f"{path}: the corpus has no line {line} in {name}; make the candidates anew")
        text, annotated = document.line(line)
        if sentence_key(text) != sentence_key(candidate.original):
            raise InputError(
                f"{path}: {candidate.original[:60]!r} is not line {line} of {name}; make the candidates anew"
            )
        yield candidate, text, annotated


def read_checks(path: Path) -> pd.DataFrame:
    """Read the results of checks (CSV, `CHECK_COLUMNS`)."""
    rows = pd.DataFrame(read_cells(path, CHECK_COLUMNS), columns=CHECK_COLUMNS)
    return rows.assign(line=rows["line"].astype(int))


@dataclass(frozen=True)
class _TitlePair:
    """Hold a word of a title in the original, its counterpart in the candidate, and the counterpart's place."""

    before: str
    after: str = ""
    start: int = 0
    end: int = 0

    @property
    def is_changed(self) -> bool:
        return normalise(self.before) != normalise(self.after)

    def __str__(self) -> str:
        return f"{self.before} > {self.after or '(nothing)'}"


class CandidateChecker:
    """Check candidates with one set of word lists."""

    def __init__(self, lists: GenderLists) -> None:
        self.titles = Titles(lists)
        self.names = ListedNames(lists)

    def check(self, candidate: Candidate, original: str, entities: Sequence[Entity]) -> list[tuple[str, str, str]]:
        """List the result of every check of `CHECKS`, in order: its name, the verdict, and the details of a failure.

        `original` is the candidate's line in the corpus, and `entities` have their places in it.
        """
        swapped = candidate.swapped
        anchored, lost = reanchor(original, entities, swapped)
        places = {entity.id: entity for entity in anchored}
        titles = [entity for entity in entities if entity.label == JOB]
        pairs = [pair for entity in titles for pair in self._pair_titles(entity, places.get(entity.id))]
        is_same = sentence_key(original) == sentence_key(swapped)
        length, new_length = len(split_pieces(original)), len(split_pieces(swapped))
        others = [entity for entity in entities if entity.label not in LABELS]
        missing = [f"{item.entity.text}: {item.reason}" for item in lost if item.entity in others]
        # Whether a check applies, and what failed.
        results: dict[str, tuple[bool, list[str]]] = {
            CHANGED: (bool(pairs), ["is the original"] if is_same else []),
            TOKEN_COUNT: (True, [] if length == new_length else [f"{length} > {new_length}"]),
            TITLES_SWAPPED: (bool(pairs), self._unswapped_titles(pairs)),
            TITLES_PAIRED: self._check_titles_paired(pairs),
            NAMES: self._check_names(candidate, entities, places),
            AGREEMENT: self._check_agreement(swapped, pairs),
            OTHER_ENTITIES: (bool(others), missing),
        }
        return [
            (check, FAILED, "; ".join(failed))
            if applies and failed
            else (check, PASSED if applies else NOT_APPLICABLE, "")
            for check, (applies, failed) in results.items()
        ]

    def _pair_titles(self, entity: Entity, swapped: Entity | None) -> Iterator[_TitlePair]:
        """Iterate over the gendered words of a title, with their counterparts."""
        words = read_sentence(entity.text).tokens
        others = read_sentence(swapped.text).tokens if swapped else []
        for place, word in enumerate(words):
            if not self.titles.parts(word.text) and not self.titles.derive(word.text):
                continue
            # Count from the end, because a title may have gained a word at its beginning (пані мер).
            behind = len(words) - place
            if swapped is None or len(others) < behind:
                yield _TitlePair(word.text)
            else:
                other = others[-behind]
                yield _TitlePair(word.text, other.text, swapped.start + other.start, swapped.start + other.end)
            if not self.titles.parts(word.text):
                # For a title that is not in the dictionary, only the head counts.
                return

    def _unswapped_titles(self, pairs: list[_TitlePair]) -> list[str]:
        failed = []
        for pair in pairs:
            genders = {title.gender for title in self._readings(pair.before)}
            new_genders = {title.gender for title in self._readings(pair.after)}
            wanted = {OTHER_GENDER[gender] for gender in genders}
            # Plurals of adjectives are the same for both genders: слідчі.
            is_swapped = len(genders) == 2 or wanted & new_genders or (not new_genders and _may_be(pair, wanted))
            if not is_swapped:
                failed.append(str(pair))
        return failed

    def _check_titles_paired(self, pairs: list[_TitlePair]) -> tuple[bool, list[str]]:
        changed = [pair for pair in pairs if pair.is_changed]
        failed = [
            str(pair)
            for pair in changed
            if not any(
                self.titles.is_pair(one, other)
                for one, _ in self.titles.parts(pair.before)
                for other, _ in self.titles.parts(pair.after)
            )
        ]
        return bool(changed), failed

    def _check_names(
        self, candidate: Candidate, entities: Sequence[Entity], places: dict[str, Entity]
    ) -> tuple[bool, list[str]]:
        """Check that changed first names are of the other gender, and among those offered, if any were."""
        offered = {FEMININE: candidate.feminine_names, MASCULINE: candidate.masculine_names}
        failed, seen = [], False
        for entity in entities:
            if entity.label != PERS or entity.id not in places:
                continue
            old_words, new_words = (read_sentence(item.text).tokens for item in (entity, places[entity.id]))
            for old, new in zip(old_words, new_words, strict=False):
                genders = {gender for _, gender, _ in self.names.read(old.text)}
                if not genders or old.lower == new.lower:
                    continue
                seen = True
                forms = [form for form in self.names.read(new.text) if OTHER_GENDER[form[1]] in genders]
                if not forms:
                    failed.append(f"{new.text} is no name of the other gender")
                elif any(offered.values()) and not any(name in offered[gender] for name, gender, _ in forms):
                    failed.append(f"{new.text} was not offered")
                break
        return seen, failed

    def _check_agreement(self, swapped: str, pairs: list[_TitlePair]) -> tuple[bool, list[str]]:
        """Check that no adjective before a swapped title, and no predicate of its clause, kept the old gender."""
        sentence = read_sentence(swapped)
        failed, seen = [], False
        for pair in pairs:
            readings = [title for title in self._readings(pair.after) if title.number == SINGULAR]
            if not pair.is_changed or not readings:
                continue
            seen = True
            place = places_of(sentence.tokens, pair.start, pair.end).start
            failed += contradicts(sentence.tokens, place, readings)
            if any(title.case == "nomn" for title in readings):
                referent = Referent(range(place, place + 1), readings[0].gender, SINGULAR, "nomn")
                failed += contradicting_predicates(sentence, referent)
        return seen, failed

    def _readings(self, word: str) -> list[TitleForm]:
        found = (self.titles.parts(word) or self.titles.derive(word)) if word else []
        return [title for _, readings in found for title in readings]


def _may_be(pair: _TitlePair, genders: set[str]) -> bool:
    """Check that a title missing from the lists has changed, and can be of these genders."""
    readings = [reading for reading in read_word(pair.after) if reading.part in ("NOUN", "ADJF")] if pair.after else []
    return pair.is_changed and any(reading.number == PLURAL or reading.gender in genders for reading in readings)
