"""Record the texts of a corpus: a hash of each, to find those that two corpora share, and the place of each."""

from array import array
from collections import Counter
from collections.abc import Sequence

import numpy as np

from textparity.auditing.reading import Texts
from textparity.errors import InputError
from textparity.folding import load_folding

# Keys combine a file's number, in the upper bits, with a place in it.
_PLACES = 1 << 40


class TextsRead:
    """All texts of a corpus, by file and place, whether they are counted or left out."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[array[int], array[int]]] = {}
        self._records: dict[str, array[int]] = {}

    def add(self, file: str, portion: Texts) -> None:
        """Add texts of a file. Portions have to come in order."""
        places, hashes = self._files.setdefault(file, (array("q"), array("q")))
        places.extend(portion[0])
        # Folding makes different spellings of a text equal. The hashes are valid only within this process.
        fold = load_folding().fold
        hashes.extend(hash(fold(text or "").strip()) for text in portion[1])

    def add_record(self, file: str, place: int) -> None:
        """Add a record of a file, even if it has no text. Records have to come in order."""
        self._records.setdefault(file, array("q")).append(place)

    def count_records(self, skipped: int) -> int:
        """Count the records, or lines, of a corpus that consists of one file. `skipped` is the number of those skipped.

        Raises `InputError` if a record has several texts.
        """
        ((file, (places, _)),) = self._files.items()
        found = np.array(places)
        if len(twice := found[1:][np.diff(found) == 0]):
            raise InputError(f"{file}, {twice[0]}: has several texts; of a pair, each record has one, so split it")
        return len(self._records[file]) if file in self._records else len(found) + skipped

    def numbers_of(self, places: np.ndarray) -> np.ndarray:
        """Convert `places` in a corpus of one file to the numbers of records. The place of a line is its number."""
        (file,) = self._files
        return np.searchsorted(np.array(self._records[file]), places) + 1 if file in self._records else places

    def keys(self, files: Sequence[str], places: np.ndarray) -> np.ndarray:
        """Look up the key of each text, which equal texts share. A record with several texts has one key."""
        first = {file: number * _PLACES for number, file in enumerate(self._files)}
        read = np.concatenate([first[file] + np.array(found) for file, (found, _) in self._files.items()])
        hashes = np.concatenate([np.array(found) for _, found in self._files.values()])
        records, starts = np.unique(read, return_index=True)
        asked = np.array([first[file] for file in files]) + places
        return np.asarray(np.add.reduceat(hashes, starts)[np.searchsorted(records, asked)])


def in_common(keys: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Mark the `keys` that are among `others`. Repeated keys are marked only as often as they occur there."""
    left = Counter(others.tolist())
    found = np.zeros(len(keys), bool)
    for number, key in enumerate(keys.tolist()):
        if left[key] > 0:
            left[key] -= 1
            found[number] = True
    return found
