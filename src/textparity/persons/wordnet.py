"""Nouns for persons from WordNet: words most of whose senses are persons.

Persons are the synsets of the lexicographer file *noun.person* (WordNet 3.0, `data.noun`, column 2 is 18), which are all
hyponyms of *person*; the Open Multilingual Wordnet gives words of other languages for the same synsets.
"""

import tarfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from textparity.errors import InputError
from textparity.files import write_text

PERSON_FILE = "18"
_DATA, _INDEX = "dict/data.noun", "dict/index.noun"


def list_person_nouns(archive: Path, nouns: Path, wordnets: Iterable[Path] = ()) -> None:
    """Write the person nouns of a language, one a line: of English, or of the `wordnets` (OMW tab files) of another."""
    wordnets = list(wordnets)
    persons = set(_person_synsets(archive))
    senses = _senses_of_tabs(wordnets) if wordnets else _english_senses(archive)
    found = {word.replace("_", " ").lower() for word, synsets in senses.items() if _is_person(synsets, persons)}
    write_text(nouns, "".join(f"{word}\n" for word in sorted(found)))


def read_person_nouns(path: Path) -> frozenset[str]:
    """Read what `list_person_nouns` wrote."""
    return frozenset(path.read_text("utf-8").split("\n")) - {""}


def _is_person(synsets: list[str], persons: set[str]) -> bool:
    """Whether most senses are persons; of half of them, the first must be, which is the commonest."""
    number = sum(synset in persons for synset in synsets)
    return 2 * number > len(synsets) or (2 * number == len(synsets) and synsets[0] in persons)


def _member(archive: Path, name: str) -> Iterator[str]:
    try:
        with tarfile.open(archive) as tar:
            file = tar.extractfile(name)
            assert file is not None
            # The licence stands before the data, each line indented.
            yield from (line.decode("utf-8") for line in file if not line.startswith(b" "))
    except (KeyError, tarfile.TarError) as error:
        raise InputError(f"{archive}: is no archive with {name} ({error}); delete it and run again") from error


def _person_synsets(archive: Path) -> Iterator[str]:
    for line in _member(archive, _DATA):
        offset, lexicographer_file, rest = line.split(" ", 2)
        # An instance is a single person, such as Shakespeare.
        if lexicographer_file == PERSON_FILE and " @i " not in rest.partition(" | ")[0]:
            yield offset


def _english_senses(archive: Path) -> dict[str, list[str]]:
    """Return the synsets of each word, the commonest first."""
    senses = {}
    for line in _member(archive, _INDEX):
        word, _, number, pointers, *cells = line.split()
        synsets = cells[int(pointers) + 2 :]
        if len(synsets) != int(number):
            raise InputError(f"{archive}: {_INDEX} has {len(synsets)} of {number} synsets of {word}")
        senses[word] = synsets
    return senses


def _senses_of_tabs(paths: list[Path]) -> dict[str, list[str]]:
    senses: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for path in paths:
        for line in path.read_text("utf-8").splitlines():
            cells = line.split("\t")
            if not line.startswith("#") and cells[0].endswith("-n") and cells[1].endswith("lemma"):
                senses[cells[2]][cells[0].removesuffix("-n")] = None
    return {word: list(synsets) for word, synsets in senses.items()}
