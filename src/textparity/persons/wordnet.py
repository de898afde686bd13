"""List the person nouns of WordNet: words of which most senses are persons.

Persons are the synsets of the lexicographer file *noun.person* (WordNet 3.0, `data.noun`, column 2 is 18), which are
all hyponyms of *person*. The Open Multilingual Wordnet gives words of other languages for the same synsets.
"""

import tarfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from textparity.errors import InputError
from textparity.files import read_lines, write_text
from textparity.persons.rules import read_rules

ENGLISH = "eng"
# The source of WordNet, its archive, and the source of other languages' wordnets.
SOURCE, ARCHIVE, OTHERS = "wordnet", "WNdb-3.0.tar.gz", "omw_data"
PERSON_FILE = "18"
_DATA, _INDEX = "dict/data.noun", "dict/index.noun"


def list_nouns(archive: Path, wordnets: list[Path], pronouns: Path, words: Path, nouns: Path, lang: str) -> None:
    """Write the person nouns of a language to `nouns`, with the feminine endings from its rows."""
    endings = read_rules(pronouns, words, lang).feminine_endings
    # A language without wordnets has no list. English uses WordNet itself.
    list_person_nouns(archive, nouns, None if lang == ENGLISH else wordnets, endings)


def list_person_nouns(
    archive: Path, nouns: Path, wordnets: Iterable[Path] | None = None, endings: Mapping[str, str] | None = None
) -> None:
    """Write the person nouns of a language, one per line: of English, or of another language from its `wordnets` (OMW
    tab files).

    `endings` maps masculine endings to their feminine ones (*-dor*, *-dora*), because most wordnets list only the
    masculine.
    """
    persons = frozenset(_person_synsets(archive))
    senses = _english_senses(archive) if wordnets is None else _senses_of_tabs(list(wordnets))
    found = {word for word, synsets in senses.items() if _is_person(synsets, persons)}
    found |= {form for word in found if (form := _feminine(word, endings or {})) and form not in senses}
    write_text(nouns, "".join(f"{word}\n" for word in sorted(found)))


def read_person_nouns(path: Path) -> frozenset[str]:
    """Read a list written by `list_person_nouns`."""
    return frozenset(path.read_text("utf-8").split("\n")) - {""}


def _is_person(synsets: list[str], persons: frozenset[str]) -> bool:
    """Check whether most senses of a noun are persons. If exactly half are, the first sense, which is the most common,
    has to be one.

    A word that is more often an adjective or adverb (*large*) is left out, because a tagger often takes those for
    nouns.
    """
    nouns = [synset.removesuffix("-n") for synset in synsets if synset.endswith("-n")]
    others = sum(synset.endswith(("-a", "-s", "-r")) for synset in synsets)
    number = sum(synset in persons for synset in nouns)
    if not nouns or others > len(nouns):
        return False
    return 2 * number > len(nouns) or (2 * number == len(nouns) and nouns[0] in persons)


def _feminine(word: str, endings: Mapping[str, str]) -> str:
    """Form the feminine of a word by its longest matching ending. Empty without one, and for words of several parts."""
    fitting = [ending for ending in endings if word.endswith(ending)]
    if not fitting or " " in word:
        return ""
    ending = max(fitting, key=len)
    return word.removesuffix(ending) + endings[ending]


def _member(archive: Path, name: str) -> Iterator[str]:
    try:
        with tarfile.open(archive) as tar:
            file = tar.extractfile(name)
            assert file is not None
            # The licence stands before the data, with each line indented.
            yield from (line.decode("utf-8") for line in file if not line.startswith(b" "))
    except (KeyError, tarfile.TarError) as error:
        raise InputError(f"{archive}: is no archive with {name} ({error}); delete it and run again") from error


def _person_synsets(archive: Path) -> Iterator[str]:
    for line in _member(archive, _DATA):
        offset, lexicographer_file, rest = line.split(" ", 2)
        # An instance is an individual person, such as Shakespeare.
        if lexicographer_file == PERSON_FILE and " @i " not in rest.partition(" | ")[0]:
            yield offset


def _english_senses(archive: Path) -> dict[str, list[str]]:
    """List the synsets of each word, the most common first."""
    senses = {}
    for line in _member(archive, _INDEX):
        word, _, number, pointers, *cells = line.split()
        synsets = cells[int(pointers) + 2 :]
        if len(synsets) != int(number):
            raise InputError(f"{archive}: {_INDEX} has {len(synsets)} of {number} synsets of {word}")
        senses[word.replace("_", " ")] = [f"{synset}-n" for synset in synsets]
    return senses


def _senses_of_tabs(paths: list[Path]) -> dict[str, list[str]]:
    """List the synsets of each word in lower case, so that *grâce* is not only one of the Graces."""
    senses: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for path in paths:
        for line in read_lines(path):
            cells = line.split("\t")
            if not line.startswith("#") and len(cells) > 2 and cells[1].endswith("lemma"):
                senses[cells[2].replace("_", " ").lower()][cells[0]] = None
    return {word: list(synsets) for word, synsets in senses.items()}
