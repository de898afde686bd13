"""Turn a model's answers into candidates, and run automatic checks that save reviewers work, whoever swapped them.

Each answer gives one candidate sentence, repaired if the intended sentence is clear. The repairs and the original
answer are stored with it. The candidate is empty if the answer is not a single sentence.
"""

import logging
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from textparity.corpora.rows import read_metadata, read_rows
from textparity.files import write_rows
from textparity.persons.ukrainian.word_lists import GenderLists
from textparity.persons.ukrainian.words import (
    OTHER_GENDER,
    PLURAL,
    SINGULAR,
    normalise,
    read_word,
    sentence_key,
)
from textparity_studies.swapping.entity_corpora import Entity
from textparity_studies.swapping.language.person_names import NameForms, OfferedNames
from textparity_studies.swapping.language.sentences import (
    Annotation,
    Referent,
    contradicting_predicates,
    contradicts,
    places_of,
    read_sentence,
)
from textparity_studies.swapping.language.word_lists import TitleForm, Titles
from textparity_studies.swapping.names import JOB, LABELS, LIST_SEPARATOR, PERS
from textparity_studies.swapping.reanchoring import reanchor, split_pieces

log = logging.getLogger(__name__)

CANDIDATE_COLUMNS = (
    "document", "line", "original", "swapped", "feminine_names", "masculine_names", "entities", "model", "raw",
    "repairs",
)  # fmt: skip
FENCE, WENT_ON, LABEL, ENTITIES, QUOTES, JOINED, COMMENTARY = (
    "code fence", "went on", "label", "entities repeated", "quotes", "lines joined", "commentary",
)  # fmt: skip
UNCLEAR, BLANK, CUT = "no single sentence", "blank answer", "cut at max_tokens"
# A swapped sentence shares most of its words with the original; commentary does not.
_ALIKE = 0.6
_FENCE = re.compile(r"^\s*```\w*\s*$", re.MULTILINE)
_NEXT_EXAMPLE = re.compile(r"\n\s*Input\s*:.*", re.DOTALL)
# Labels from the prompt's examples, one of which is misspelt upstream, and common prefixes of models' answers.
_LABEL = re.compile(r"(?:Output|Otput|Вихід|Результат|Відповідь|Змінене речення)\s*:\s*", re.IGNORECASE)
_ENTITIES = re.compile(r"\s*\{[^{}]*['\"](?:JOB|PERS)['\"][^{}]*\}\s*$")
_QUOTES = ('""', "''", "«»", "“”", "„“", "‘’", "``")
_WORD = re.compile(r"\w+")
PASSED, FAILED, NOT_APPLICABLE = "passed", "failed", "not applicable"
CHECK_COLUMNS = ("document", "line", "check", "verdict", "detail")
CHANGED, TOKEN_COUNT, TITLES_SWAPPED, TITLES_PAIRED, NAMES, AGREEMENT, OTHER_ENTITIES = CHECKS = (
    "changed", "token_count", "titles_swapped", "titles_paired", "names", "agreement", "other_entities",
)  # fmt: skip


def parse_swaps(answers: Path, candidates: Path) -> None:
    """Write a row (`CANDIDATE_COLUMNS`) for every answer of `answers` (`asking.SWAP_ANSWERS_SCHEMA`)."""
    reason = read_metadata(answers).get("reason", "")
    repairs: Counter[str] = Counter()
    rows = []
    for cells in read_rows(answers).to_pylist():
        swapped, needed = _candidate(cells, reason)
        repairs.update(needed)
        names = (LIST_SEPARATOR.join(cells[name]) for name in ("feminine_names", "masculine_names"))
        rows.append(
            [
                cells["document"], cells["line"], cells["original"], swapped, *names, cells["entities"],
                cells["model"], cells["answer"], LIST_SEPARATOR.join(needed),
            ]
        )  # fmt: skip
    write_rows(candidates, CANDIDATE_COLUMNS, rows)
    log.info("%d candidates, %d empty; repairs: %s", len(rows), sum(not row[3] for row in rows), dict(repairs))


def _candidate(cells: dict[str, Any], reason: str) -> tuple[str, list[str]]:
    if cells["answer"] is None:
        return "", [f"not asked: {reason}"]
    if cells["error"]:
        return "", [cells["error"]]
    swapped, needed = parse_swap(cells["answer"], cells["original"])
    return swapped, [*needed, CUT] if cells["finish_reason"] == "length" else needed


def parse_swap(answer: str, original: str) -> tuple[str, list[str]]:
    """Extract the swapped sentence of an answer and the repairs it needed; an empty sentence if none is clear."""
    needed: list[str] = []

    def fix(repair: str, text: str, fixed: str) -> str:
        if fixed.strip() != text.strip():
            needed.append(repair)
        return fixed.strip()

    text = fix(FENCE, answer, _FENCE.sub("", answer))
    text = fix(WENT_ON, text, _NEXT_EXAMPLE.sub("", text))
    if not _LABEL.match(original):
        text = fix(LABEL, text, _LABEL.sub("", text, count=1) if _LABEL.match(text) else text)
    if not _ENTITIES.search(original):
        text = fix(ENTITIES, text, _ENTITIES.sub("", text))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return "", [*needed, BLANK]
    if len(lines) > 1:
        text, repair = _one_sentence(lines, original)
        needed.append(repair)
        text = fix(LABEL, text, _LABEL.sub("", text, count=1) if _LABEL.match(text) else text)
    if text[:1] + text[-1:] in _QUOTES and text[:1] + text[-1:] != original[:1] + original[-1:] and len(text) > 1:
        text = fix(QUOTES, text, text[1:-1])
    return text, needed


def _one_sentence(lines: list[str], original: str) -> tuple[str, str]:
    whole = " ".join(lines)
    alike = [line for line in lines if _similarity(line, original) >= _ALIKE]
    # Long commentary makes the whole answer unlike the original; a sentence broken into lines stays similar.
    if _similarity(whole, original) > max(_similarity(line, original) for line in lines):
        return (whole, JOINED) if _similarity(whole, original) >= _ALIKE else ("", UNCLEAR)
    return (alike[0], COMMENTARY) if len(alike) == 1 else ("", UNCLEAR)


def _similarity(text: str, original: str) -> float:
    # Compare the beginnings of words, because swapping changes endings.
    stems, others = ([word[:3].lower() for word in _WORD.findall(one)] for one in (text, original))
    return SequenceMatcher(None, stems, others, autojunk=False).ratio()


@dataclass(frozen=True)
class Candidate:
    """Hold a sentence, its entities (places from the sentence's start), a swapped version, and the offered names."""

    original: str
    entities: tuple[Entity, ...]
    swapped: str
    offered: OfferedNames | None = None


@dataclass(frozen=True)
class CheckResult:
    """Hold the verdict of one check, and the details of its failure."""

    check: str
    verdict: str
    detail: str = ""


@dataclass(frozen=True)
class _TitlePair:
    """Hold a word of a title in the original, its counterpart in the candidate, and the counterpart's place."""

    before: str
    after: str
    start: int
    end: int


class CandidateChecker:
    """Check candidates with one set of word lists."""

    def __init__(self, lists: GenderLists) -> None:
        self.titles = Titles(lists)
        self.names = NameForms(lists)

    def check(self, candidate: Candidate) -> tuple[CheckResult, ...]:
        """Compute the result of every check of `CHECKS`, in order."""
        anchored, lost = reanchor(candidate.original, candidate.entities, candidate.swapped)
        places = {entity.id: entity for entity in anchored}
        pairs = [
            pair
            for entity in candidate.entities
            if entity.label == JOB
            for pair in self._title_pairs(entity, places.get(entity.id))
        ]
        others = [entity for entity in candidate.entities if entity.label not in LABELS]
        missing = [f"{item.entity.text}: {item.reason}" for item in lost if item.entity in others]
        return (
            self._changed(candidate, pairs),
            _token_count(candidate),
            self._titles_swapped(pairs),
            self._titles_paired(pairs),
            self._names(candidate, places),
            self._agreement(candidate, pairs),
            _result(OTHER_ENTITIES, bool(others), missing),
        )

    def _title_pairs(self, entity: Entity, swapped: Entity | None) -> Iterator[_TitlePair]:
        """Iterate over the gendered words of a title, with their counterparts."""
        words = read_sentence(entity.text).tokens
        others = read_sentence(swapped.text).tokens if swapped else []
        for place, word in enumerate(words):
            if not self.titles.parts(word.text) and not self.titles.derive(word.text):
                continue
            # Count from the end, because a title may have gained a word at its beginning (пані мер).
            behind = len(words) - place
            if swapped is None or len(others) < behind:
                yield _TitlePair(word.text, "", 0, 0)
            else:
                other = others[-behind]
                yield _TitlePair(word.text, other.text, swapped.start + other.start, swapped.start + other.end)
            if not self.titles.parts(word.text):
                # For a title that is not in the dictionary, only the head counts.
                return

    def _changed(self, candidate: Candidate, pairs: list[_TitlePair]) -> CheckResult:
        is_same = sentence_key(candidate.original) == sentence_key(candidate.swapped)
        return _result(CHANGED, bool(pairs), ["is the original"] if is_same else [])

    def _titles_swapped(self, pairs: list[_TitlePair]) -> CheckResult:
        failed = []
        for pair in pairs:
            old, new = self._readings(pair.before), self._readings(pair.after)
            # Plurals of adjectives are the same for both genders: слідчі.
            both = len({title.gender for title in old}) == 2
            wanted = {OTHER_GENDER[title.gender] for title in old}
            if not both and not wanted & {title.gender for title in new} and not (not new and _may_be(pair, wanted)):
                failed.append(f"{pair.before} > {pair.after or '(nothing)'}")
        return _result(TITLES_SWAPPED, bool(pairs), failed)

    def _titles_paired(self, pairs: list[_TitlePair]) -> CheckResult:
        changed = [pair for pair in pairs if normalise(pair.before) != normalise(pair.after)]
        failed = [
            f"{pair.before} > {pair.after or '(nothing)'}"
            for pair in changed
            if not any(
                self.titles.is_pair(one, other)
                for one, _ in self.titles.parts(pair.before)
                for other, _ in self.titles.parts(pair.after)
            )
        ]
        return _result(TITLES_PAIRED, bool(changed), failed)

    def _names(self, candidate: Candidate, places: dict[str, Entity]) -> CheckResult:
        """Check that changed first names are of the other gender, and among those offered."""
        failed, seen = [], False
        for entity in candidate.entities:
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
                elif candidate.offered and not any(name in candidate.offered.of(gender) for name, gender, _ in forms):
                    failed.append(f"{new.text} was not offered")
                break
        return _result(NAMES, seen, failed)

    def _agreement(self, candidate: Candidate, pairs: list[_TitlePair]) -> CheckResult:
        """Check that no adjective before a swapped title, and no predicate of its clause, kept the old gender."""
        sentence = read_sentence(candidate.swapped)
        failed, seen = [], False
        for pair in pairs:
            readings = [title for title in self._readings(pair.after) if title.number == SINGULAR]
            if normalise(pair.before) == normalise(pair.after) or not readings:
                continue
            seen = True
            place = places_of(sentence.tokens, Annotation(JOB, pair.start, pair.end)).start
            failed += contradicts(sentence.tokens, place, readings)
            if any(title.case == "nomn" for title in readings):
                referent = Referent(range(place, place + 1), readings[0].gender, SINGULAR, "nomn")
                failed += contradicting_predicates(sentence, referent)
        return _result(AGREEMENT, seen, failed)

    def _readings(self, word: str) -> list[TitleForm]:
        found = self.titles.parts(word) or self.titles.derive(word)
        return [title for _, readings in found for title in readings if word]


def _may_be(pair: _TitlePair, genders: set[str]) -> bool:
    """Check that a title missing from the lists has changed, and can be of these genders."""
    readings = [reading for reading in read_word(pair.after) if reading.part in ("NOUN", "ADJF")] if pair.after else []
    fits = any(reading.number == PLURAL or reading.gender in genders for reading in readings)
    return fits and normalise(pair.before) != normalise(pair.after)


def _token_count(candidate: Candidate) -> CheckResult:
    one, other = len(split_pieces(candidate.original)), len(split_pieces(candidate.swapped))
    return _result(TOKEN_COUNT, True, [] if one == other else [f"{one} > {other}"])


def _result(check: str, applies: bool, failed: list[str]) -> CheckResult:
    if not applies:
        return CheckResult(check, NOT_APPLICABLE)
    return CheckResult(check, FAILED if failed else PASSED, "; ".join(failed))
