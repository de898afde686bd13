"""List the nouns for persons of a language from WordNet and other wordnets."""

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
ANIMAL_FILE, PERSON_FILE = "05", "18"
# It stands before a word for an animal in a list of nouns.
NOBODY = "-"
# The endings of synsets of adjectives and adverbs.
_OTHER_PARTS_OF_SPEECH = ("-a", "-s", "-r")
_DATA, _INDEX = "dict/data.noun", "dict/index.noun"


def list_nouns(archive: Path, wordnets: list[Path], pronouns: Path, words: Path, nouns: Path, lang: str) -> None:
    """Write the person nouns of a language to `nouns`, with the feminine endings from its rows."""
    rules = read_rules(pronouns, words, lang)
    # A language without wordnets has no list. English uses WordNet itself.
    tabs = None if lang == ENGLISH else wordnets
    # Nouns for persons are recognized by their animacy, which nouns for animals share.
    has_animals = "Anim" in rules.of_kind("agreement")
    list_person_nouns(archive, nouns, tabs, rules.feminine_endings, has_animals)


def list_person_nouns(
    archive: Path,
    nouns: Path,
    wordnets: Iterable[Path] | None = None,
    endings: Mapping[str, str] | None = None,
    has_animals: bool = False,
) -> None:
    """Write the person nouns of a language, one per line: words of which most senses are persons in WordNet.

    Persons are the synsets of the lexicographer file *noun.person* (WordNet 3.0, `data.noun`, column 2 is 18). Other
    languages than English have words for the same synsets in their `wordnets` (OMW tab files). `endings` maps masculine
    endings to their feminine ones (*-dor*, *-dora*), because most wordnets list only the masculine. With
    `has_animals`, words of which most senses are animals follow, each after a `-`.
    """
    persons = frozenset(synsets_of(archive, PERSON_FILE))
    senses = read_senses(archive, wordnets)
    words = set(_words_mostly_for(persons, senses))
    feminines = {_feminine(word, endings or {}) for word in words}
    words |= feminines - senses.keys() - {""}
    if has_animals:
        animals = frozenset(synsets_of(archive, ANIMAL_FILE))
        words.update(NOBODY + word for word in _words_mostly_for(animals, senses))
    lines = [f"{word}\n" for word in sorted(words)]
    write_text(nouns, "".join(lines))


def _words_mostly_for(living: frozenset[str], senses: Mapping[str, list[str]]) -> list[str]:
    """List the words of which most senses are persons, or animals, by their synsets."""
    return [word for word, synsets in senses.items() if _are_mostly(synsets, living)]


def read_person_nouns(path: Path) -> frozenset[str]:
    """Read a list written by `list_person_nouns`."""
    return frozenset(read_lines(path)) - {""}


def _are_mostly(synsets: list[str], living: frozenset[str]) -> bool:
    """Check whether most senses of a noun are `living`, or half of them with the first, which is the most common."""
    synsets_of_nouns = [synset for synset in synsets if synset.endswith("-n")]
    nouns = [synset.removesuffix("-n") for synset in synsets_of_nouns]
    number_of_nouns = len(nouns)
    other_words = [synset for synset in synsets if synset.endswith(_OTHER_PARTS_OF_SPEECH)]
    # A tagger often takes adjectives and adverbs (*large*) for nouns.
    if not nouns or len(other_words) > number_of_nouns:
        return False
    twice_living = 2 * sum(noun in living for noun in nouns)
    if twice_living == number_of_nouns:
        return nouns[0] in living
    return twice_living > number_of_nouns


def _feminine(word: str, endings: Mapping[str, str]) -> str:
    """Form the feminine of a word by its longest matching ending. Empty without one, and for words of several parts."""
    fitting = list(filter(word.endswith, endings))
    if not fitting or " " in word:
        return ""
    ending = max(fitting, key=len)
    return word.removesuffix(ending) + endings[ending]


def _member(archive: Path, name: str) -> Iterator[str]:
    try:
        with tarfile.open(archive) as tar:
            file = tar.extractfile(name)
            assert file is not None
            for line in file:
                # The licence stands before the data, with each line indented.
                if not line.startswith(b" "):
                    yield line.decode("utf-8")
    except (KeyError, tarfile.TarError) as error:
        raise InputError(f"{archive}: is not an archive with {name} ({error}); delete it and run again") from error


def read_senses(archive: Path, wordnets: Iterable[Path] | None) -> dict[str, list[str]]:
    """List the synsets of each word in the tab files of a language, or in WordNet itself (the most common first)."""
    return _english_senses(archive) if wordnets is None else _senses_of_tabs(list(wordnets))


def synsets_of(archive: Path, of_file: str) -> Iterator[str]:
    """List the synsets of WordNet in a lexicographer file, such as `PERSON_FILE`, without the part of speech."""
    for line in _member(archive, _DATA):
        offset, lexicographer_file, rest = line.split(" ", 2)
        if lexicographer_file != of_file:
            continue
        pointers, _, _ = rest.partition(" | ")
        # An instance is an individual person, such as Shakespeare.
        if " @i " not in pointers:
            yield offset


def _english_senses(archive: Path) -> dict[str, list[str]]:
    """List the synsets of each word, the most common first."""
    senses = {}
    for line in _member(archive, _INDEX):
        lemma, _, number, pointers, *cells = line.split()
        # Two counts stand between the pointers and the synsets.
        first = int(pointers) + 2
        synsets = cells[first:]
        actual = len(synsets)
        if actual != int(number):
            raise InputError(f"{archive}: {_INDEX} has {actual} of {number} synsets of {lemma}")
        word = lemma.replace("_", " ")
        senses[word] = [f"{synset}-n" for synset in synsets]
    return senses


def _senses_of_tabs(paths: list[Path]) -> dict[str, list[str]]:
    """List the synsets of each word in lower case, so that *grâce* is not only one of the Graces."""
    # A dict keeps the order of the synsets.
    senses: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for path in paths:
        for line in read_lines(path):
            if line.startswith("#"):
                continue
            synset, *cells = line.split("\t")
            if len(cells) < 2:
                continue
            kind, lemma, *_ = cells
            if kind.endswith("lemma"):
                word = lemma.replace("_", " ").lower()
                senses[word][synset] = None
    return {word: list(synsets) for word, synsets in senses.items()}
