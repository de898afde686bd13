"""Find the places of a sentence's entities in its swapped version.

Words and marks are aligned: by difflib, and within differing stretches by the cheapest alignment of words that begin
alike. A job title or a person may change its words, and extends from its first word to its last. Any other entity must
recur word for word, apart from white space. What cannot be anchored is reported, never guessed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from textparity.persons.ukrainian.words import sentence_key
from textparity_studies.swapping.entity_corpora import Entity
from textparity_studies.swapping.names import LABELS

NO_COUNTERPART = "its first or last word has no counterpart"
CHANGED = "is not there word for word"
OTHER_ORDER = "its words stand in another order"
OTHER_LENGTH = "has more or fewer words"
# A title of one word may become one of two (пані мер); more words suggest a wrong counterpart.
_LENGTH_TOLERANCE = 1
# Some texts have combining accents on letters.
_PIECE = re.compile(r"[\w\u0301]+(?:[’'ʼ`][\w\u0301]+)*|[^\w\s]")
# Skipping two words costs slightly more than aligning two that have nothing in common.
_GAP = 0.55


@dataclass(frozen=True)
class Lost:
    """Hold an entity that could not be anchored, and the reason."""

    entity: Entity
    reason: str


@dataclass(frozen=True)
class Piece:
    """Hold a word (parts between hyphens are words) or mark, and its place."""

    text: str
    start: int
    end: int


def split_pieces(text: str) -> list[Piece]:
    """Split a text into words and marks."""
    return [Piece(found.group(), found.start(), found.end()) for found in _PIECE.finditer(text)]


def align_pieces(one: Sequence[Piece], other: Sequence[Piece]) -> dict[int, int]:
    """Map the places of `one` to their counterparts in `other`; places without a counterpart are absent."""
    found: dict[int, int] = {}
    matcher = SequenceMatcher(None, [piece.text for piece in one], [piece.text for piece in other], autojunk=False)
    for kind, start, end, other_start, other_end in matcher.get_opcodes():
        if kind == "equal":
            found |= {start + step: other_start + step for step in range(end - start)}
        elif kind == "replace":
            pairs = _align_unlike(one[start:end], other[other_start:other_end])
            found |= {start + here: other_start + there for here, there in pairs}
    return found


def reanchor(original: str, entities: Sequence[Entity], swapped: str) -> tuple[list[Entity], list[Lost]]:
    """Find the entities of a line in the swapped line, and list those that could not be anchored."""
    pieces, others = split_pieces(original), split_pieces(swapped)
    counterparts = align_pieces(pieces, others)
    anchored, lost = [], []
    for entity in entities:
        places = [place for place, piece in enumerate(pieces) if piece.start < entity.end and piece.end > entity.start]
        begin, end = (counterparts.get(place) for place in (places[0], places[-1])) if places else (None, None)
        if begin is None or end is None:
            lost.append(Lost(entity, NO_COUNTERPART))
            continue
        first, last = others[begin], others[end]
        grown = abs((end - begin) - (places[-1] - places[0]))
        if first.start > last.start or grown > _LENGTH_TOLERANCE:
            lost.append(Lost(entity, OTHER_ORDER if first.start > last.start else OTHER_LENGTH))
            continue
        # An annotated entity may begin or end within a word.
        start = first.start + max(0, entity.start - pieces[places[0]].start)
        end = last.end - max(0, pieces[places[-1]].end - entity.end)
        text = swapped[start:end]
        if entity.label not in LABELS and sentence_key(text) != sentence_key(entity.text):
            lost.append(Lost(entity, CHANGED))
        elif not text.strip():
            lost.append(Lost(entity, NO_COUNTERPART))
        else:
            anchored.append(replace(entity, start=start, end=end, text=text))
    return anchored, lost


def entities_of_line(entities: Sequence[Entity], start: int, end: int) -> list[Entity]:
    """List the entities that begin in a line, with offsets from its start; one that crosses its end is cut there."""
    found = []
    for entity in entities:
        if start <= entity.start < end:
            stop = min(entity.end, end)
            text = entity.text[: stop - entity.start]
            found.append(replace(entity, start=entity.start - start, end=stop - start, text=text))
    return found


def _align_unlike(one: Sequence[Piece], other: Sequence[Piece]) -> list[tuple[int, int]]:
    """Return the pairs of the cheapest alignment; the less two words have in common, the more their pair costs."""
    rows, columns = len(one) + 1, len(other) + 1
    costs = [[_GAP * (row + column) for column in range(columns)] for row in range(rows)]
    for row in range(1, rows):
        for column in range(1, columns):
            costs[row][column] = min(
                costs[row - 1][column - 1] + _unlikeness(one[row - 1].text, other[column - 1].text),
                costs[row - 1][column] + _GAP,
                costs[row][column - 1] + _GAP,
            )
    pairs, row, column = [], len(one), len(other)
    while row and column:
        pair = costs[row - 1][column - 1] + _unlikeness(one[row - 1].text, other[column - 1].text)
        if costs[row][column] == pair:
            row, column = row - 1, column - 1
            pairs.append((row, column))
        elif costs[row][column] == costs[row - 1][column] + _GAP:
            row -= 1
        else:
            column -= 1
    return pairs[::-1]


def _unlikeness(one: str, other: str) -> float:
    """Compute the distance of two words, from 0 (equal) to 1 (different beginnings); a mark is never like a word."""
    if one[0].isalnum() != other[0].isalnum():
        return 2.0
    one, other = one.lower(), other.lower()
    alike = next((place for place, pair in enumerate(zip(one, other)) if pair[0] != pair[1]), min(len(one), len(other)))  # noqa: B905
    return 1 - alike / max(len(one), len(other))
