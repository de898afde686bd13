"""The texts of compared corpora: which ones were read, which ones two corpora share, and which ones are pairs."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow.compute as pc

from textparity.auditing.formats import number_of
from textparity.auditing.inputs import Texts
from textparity.auditing.records import DIGEST
from textparity.auditing.results import AuditData
from textparity.auditing.settings import NOT_VALID
from textparity.comparing.results import Overlap
from textparity.corpora.reading import read_rows
from textparity.errors import InputError


class TextsRead:
    """The places of all texts and records of a corpus, by file, whether they are counted or left out."""

    def __init__(self) -> None:
        self._places: dict[str, array[int]] = {}
        self._records: dict[str, array[int]] = {}

    def add(self, file: str, portion: Texts) -> None:
        """Add texts of a file. Portions have to come in order."""
        self._places.setdefault(file, array("q")).extend(portion.places)

    def add_record(self, file: str, place: int) -> None:
        """Add a record, even if it has no text. Records have to come in order."""
        self._records.setdefault(file, array("q")).append(place)

    def count_records(self, skipped: int) -> int:
        """Count the records, or lines, of a corpus that consists of one file. `skipped` is the number of those skipped.

        Raises `InputError` if a record has several texts.
        """
        ((file, places_in_file),) = self._places.items()
        places = np.array(places_in_file)
        repeated = places[1:][np.diff(places) == 0]
        if len(repeated):
            raise InputError(
                f"{file}, {repeated[0]}: has several texts, but a pair consists of one text each; split the record"
            )
        if file in self._records:
            return len(self._records[file])
        return len(places) + skipped

    def numbers_of(self, places: np.ndarray) -> np.ndarray:
        """Convert `places` in a corpus of one file to the numbers of records. The place of a line is its number."""
        (file,) = self._places
        if file not in self._records:
            return places
        record_places = np.array(self._records[file])
        return np.searchsorted(record_places, places) + 1


@dataclass(frozen=True)
class Corpus:
    """One side of a comparison: its audit with all forms, the records of its texts, and the texts that were read."""

    name: str
    audit: AuditData
    records: Path
    read: TextsRead


class Units(NamedTuple):
    """Texts of one language: place, number of words, feminine and masculine words, and digest of each."""

    places: np.ndarray
    words: np.ndarray
    counts: np.ndarray
    digests: np.ndarray

    @property
    def with_words(self) -> "Units":
        """The texts that have words."""
        has_words = self.words > 0
        return self if has_words.all() else self.select(has_words)

    def select(self, selected: np.ndarray) -> "Units":
        """Select texts by their indices, or by a mask."""
        return Units(*(column[selected] for column in self))


def read_units(records: Path, lang: str, corpus: str = "") -> Units:
    """Read the texts of a language from a file of records, of all corpora or of one."""
    columns = ["place", "words", "feminine", "masculine", DIGEST]
    where = pc.field("lang") == lang
    if corpus:
        where &= pc.field("corpus") == corpus
    table = read_rows(records, ["lang", "corpus", *columns], where)
    arrays = {name: table[name].to_numpy() for name in columns}
    counts = np.column_stack([arrays["feminine"], arrays["masculine"]])
    return Units(arrays["place"], arrays["words"], counts, arrays[DIGEST])


def in_common(digests: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Mark the `digests` that are among `others`. Repeated ones are marked only as often as they occur there."""
    order = np.argsort(digests, kind="stable")
    ordered = digests[order]
    others = np.sort(others)
    # The number of equal digests before each one, and the number of them in the other corpus.
    first_of_equals = np.searchsorted(ordered, ordered, "left")
    earlier = np.arange(len(ordered)) - first_of_equals
    first_of_others = np.searchsorted(others, ordered, "left")
    available = np.searchsorted(others, ordered, "right") - first_of_others
    is_common = np.zeros(len(digests), bool)
    is_common[order] = earlier < available
    return is_common


def find_overlap(reference: Units, other: Units, may_share: bool = True) -> Overlap:
    """Count the texts with words of two corpora, and those that both have. All blank texts would be equal.

    Corpora of two languages share none, so they `may_share` nothing.
    """
    reference_digests = reference.with_words.digests
    other_digests = other.with_words.digests
    shared = 0
    if may_share:
        shared = int(in_common(reference_digests, other_digests).sum())
    return Overlap(shared, len(reference_digests), len(other_digests))


def place_by_record(corpora: Sequence[Corpus], units: Sequence[Units]) -> list[Units]:
    """Convert places to the numbers of records. Raises `InputError` if the corpora have different numbers of records.

    A record without a text, or an invalid one, has a number, too, so that no pair is shifted.
    """
    _require_equal_sizes(corpora)
    numbered = []
    for corpus, corpus_units in zip(corpora, units, strict=True):
        record_numbers = corpus.read.numbers_of(corpus_units.places)
        numbered.append(corpus_units._replace(places=record_numbers))
    return numbered


def _require_equal_sizes(corpora: Sequence[Corpus]) -> None:
    sizes = [corpus.read.count_records(corpus.audit.left_out.get(NOT_VALID, 0)) for corpus in corpora]
    for corpus, size in zip(corpora, sizes, strict=True):
        if size != sizes[0]:
            raise InputError(
                f"{corpus.name}: has {number_of(size, corpus.audit.unit)}, {corpora[0].name} {sizes[0]:,}, so "
                "the pairs are unknown; give files with the same number, or remove --paired: texts that two corpora "
                "have in common are found without it"
            )


def match_places(reference: Units, other: Units) -> tuple[Units, Units]:
    """Select the texts of both corpora that have the same places, in the order of the places."""
    _, in_reference, in_other = np.intersect1d(reference.places, other.places, True, return_indices=True)
    return reference.select(in_reference), other.select(in_other)
