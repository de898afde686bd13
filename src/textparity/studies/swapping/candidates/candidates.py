"""From a model's answers to candidates: one sentence for each, repaired where it is clear what the sentence is.

What was repaired is named beside it, and the answer stands there as it came. A candidate is empty where the answer is
no single sentence.
"""

import logging
import re
from collections import Counter
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from textparity.corpora.rows import read_metadata, read_rows
from textparity.files import write_rows
from textparity.studies.swapping.candidates.swapped_corpora import check_candidates
from textparity.studies.swapping.names import LIST_SEPARATOR

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
# The prompt's examples, one of which is misspelt upstream, and what models like to put before an answer.
_LABEL = re.compile(r"(?:Output|Otput|Вихід|Результат|Відповідь|Змінене речення)\s*:\s*", re.IGNORECASE)
_ENTITIES = re.compile(r"\s*\{[^{}]*['\"](?:JOB|PERS)['\"][^{}]*\}\s*$")
_QUOTES = ('""', "''", "«»", "“”", "„“", "‘’", "``")
_WORD = re.compile(r"\w+")


def make_candidates(
    answers: Path, documents: Path, entities: Path, candidates: Path, checks: Path, **word_lists: Path
) -> None:
    """Write the candidates of a model's answers, and the automatic checks of each."""
    parse_swaps(answers, candidates)
    check_candidates(candidates, documents, entities, checks, **word_lists)


def parse_swaps(answers: Path, candidates: Path) -> None:
    """Write a row (`CANDIDATE_COLUMNS`) for every answer of `answers` (`answers.SWAP_ANSWERS_SCHEMA`)."""
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
    """Return the swapped sentence of an answer and the repairs it needed, an empty sentence where none is clear."""
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
    # A long commentary makes the whole unlike the original; a sentence that was broken into lines does not.
    if _similarity(whole, original) > max(_similarity(line, original) for line in lines):
        return (whole, JOINED) if _similarity(whole, original) >= _ALIKE else ("", UNCLEAR)
    return (alike[0], COMMENTARY) if len(alike) == 1 else ("", UNCLEAR)


def _similarity(text: str, original: str) -> float:
    # By the beginnings of words, as endings are what swapping changes.
    stems, others = ([word[:3].lower() for word in _WORD.findall(one)] for one in (text, original))
    return SequenceMatcher(None, stems, others, autojunk=False).ratio()
