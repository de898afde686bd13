"""Mentions of persons: the form in which every method reports them, and annotators mark them."""

import tarfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from textparity.errors import InputError, TableError
from textparity.files import read_lines, read_tsv, write_text

# The methods of an audit, from the one that sees most (`textparity.auditing.settings`).
PERSONS, WORDS, NOUNS, PUBLISHED = METHODS = ("persons", "words", "nouns", "published")
# Baselines that only the study `instruments` compares with them (`textparity.persons.methods`).
PUBLISHED_LEXICON, PRONOUNS = "published_lexicon", "pronouns"
KINDS = ("pronoun", "noun", "name")
FEMININE, MASCULINE, UNSPECIFIED, INCLUSIVE = "feminine", "masculine", "unspecified", "inclusive"
GENDERS = (FEMININE, MASCULINE, UNSPECIFIED, INCLUSIVE)


@dataclass(frozen=True)
class Mention:
    """Characters `start` to `end` (exclusive) of a text that mention one or more persons.

    `kind` is one of `KINDS`, and `gender` one of `GENDERS`. Mentions in one document with the same `entity` refer to
    the same person. `evidence` names the source of the gender.
    """

    start: int
    end: int
    text: str
    kind: str
    gender: str
    entity: int
    evidence: str = ""


class Method(Protocol):
    """A method that finds mentions of persons in texts."""

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        """Find the mentions of each text, in text order. Positions count characters of the text in NFC."""


PRONOUN_COLUMNS = ("lang", "form", "gender", "role")
WORD_COLUMNS = ("lang", "kind", "word", "gender")
PLACE_COLUMNS = ("place", "kind")
COUNTRY, CITY = PLACES = ("country", "city")
ANY = "any"
ROLES = ("personal", "possessive", "reflexive", "relative", "demonstrative", "object", "either", "joint possessive")
# The purposes of words. For nouns, `article`, `marker` (female) and `feminine_ending` determine the gender, while
# `epicene` and `epicene_ending` allow any. `person` and `person_ending` mark persons; `no_person` excludes a word even
# if a list has it. For names, `title_of` may precede "of" and a name, and `before_place` may precede a place. A name
# after `no_person_after`, or before or with `no_person_before`, is that of a thing. A `group` may be called they; a
# `neutral_title`, a `neutral_pronoun` and a `neutral_word` tell of a person who is called that, or has no gender. In
# languages with cases, `agreement` is a feature of words for persons (Anim; Giv: first names). For pronouns, `clitic`
# comes before the verb, `clause_verb` takes a clause as its object, `relative` follows celui; persons are the subjects
# of a `person_verb`, and of a `speech_verb` before the pronoun (dit-il); the others are for il. A noun after a
# `quantifier` (chaque) may be anyone. Few adjectives stand `before_noun`. Phrases may be `no_person`.
RULE_KINDS = (
    "agreement", "article", "before_noun", "before_place", "clause_verb", "clitic", "epicene", "epicene_ending",
    "feminine_ending", "group", "impersonal", "impersonal_be", "impersonal_judged", "impersonal_modal",
    "impersonal_reflexive", "impersonal_state", "impersonal_that", "marker", "name_ending", "neutral_pronoun",
    "neutral_title", "neutral_word", "no_person", "no_person_after", "no_person_before", "person", "person_ending",
    "person_verb", "plural_pronoun", "quantifier", "relative", "speech_verb", "that", "there_is", "title_of",
)  # fmt: skip


class PronounRow(NamedTuple):
    """The gender of a pronoun, or `any`, and its role, one of `ROLES`."""

    gender: str
    role: str


@dataclass(frozen=True)
class Rules:
    """The rows of a language, with forms in lower case.

    `places` maps countries and large cities, in any language, to their kind.
    """

    pronouns: dict[str, PronounRow]
    words: dict[str, dict[str, str]]
    places: dict[str, str] = field(default_factory=dict)

    def of_kind(self, kind: str) -> dict[str, str]:
        """Look up the words of a kind with their gender (an empty string for most)."""
        return self.words.get(kind, {})

    @property
    def feminine_endings(self) -> dict[str, str]:
        """The masculine endings of nouns, mapped to their feminine ones (rows like `er>ère`)."""
        return dict(word.split(">") for word in self.of_kind("feminine_ending"))


def read_word_list(path: Path) -> frozenset[str]:
    """Read words in lower case, one per line, without comments (#). Raises `InputError` if there are none."""
    words = frozenset(line.strip().lower() for line in read_lines(path) if line.strip() and not line.startswith("#"))
    if not words:
        raise InputError(f"{path}: has no words; list one per line")
    return words


def read_rules(pronouns: Path, words: Path, lang: str, places: Path | None = None) -> Rules:
    """Read the rows of a language. Raises `TableError`, with file and line, if one is wrong."""
    return Rules(
        pronouns=_read_pronouns(pronouns, lang),
        words=_read_rule_words(words, lang),
        places=_read_places(places) if places else {},
    )


def _read_pronouns(path: Path, lang: str) -> dict[str, PronounRow]:
    rows = read_tsv(path, PRONOUN_COLUMNS, allowed={"gender": (FEMININE, MASCULINE, ANY), "role": ROLES})
    return {row["form"]: PronounRow(row["gender"], row["role"]) for row in rows if row["lang"] == lang}


def _read_rule_words(path: Path, lang: str) -> dict[str, dict[str, str]]:
    """Read the words of each kind, with their gender."""
    genders = (FEMININE, MASCULINE, "")
    rows = read_tsv(path, WORD_COLUMNS, allowed={"gender": genders, "kind": RULE_KINDS})
    words: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for line, row in enumerate(rows, start=2):
        kind, word = row["kind"], row["word"]
        if kind == "feminine_ending" and word.count(">") != 1:
            raise TableError(f"{path}, line {line}: {word!r} must be a masculine ending > a feminine one")
        if row["lang"] == lang:
            words[kind][word] = row["gender"]
    return dict(words)


def _read_places(path: Path) -> dict[str, str]:
    rows = read_tsv(path, PLACE_COLUMNS, allowed={"kind": PLACES})
    return {row["place"].lower(): row["kind"] for row in rows}


ENGLISH = "eng"
# The source of WordNet, its archive, and the source of other languages' wordnets.
SOURCE, ARCHIVE, OTHERS = "wordnet", "WNdb-3.0.tar.gz", "omw_data"
ANIMAL_FILE, PERSON_FILE = "05", "18"
# It stands before a word for an animal in a list of nouns.
NOBODY = "-"
_DATA, _INDEX = "dict/data.noun", "dict/index.noun"


def list_nouns(archive: Path, wordnets: list[Path], pronouns: Path, words: Path, nouns: Path, lang: str) -> None:
    """Write the person nouns of a language to `nouns`, with the feminine endings from its rows."""
    rules = read_rules(pronouns, words, lang)
    # A language without wordnets has no list. English uses WordNet itself.
    tabs = None if lang == ENGLISH else wordnets
    # Nouns for persons are told by their animacy, which animals have as well.
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
    words = {word for word, synsets in senses.items() if _are_mostly(synsets, persons)}
    feminines = {_feminine(word, endings or {}) for word in words} - {""}
    words |= feminines - senses.keys()
    if has_animals:
        animals = frozenset(synsets_of(archive, ANIMAL_FILE))
        words |= {NOBODY + word for word, synsets in senses.items() if _are_mostly(synsets, animals)}
    write_text(nouns, "".join(f"{word}\n" for word in sorted(words)))


def is_same_first_name(one: str, other: str) -> bool:
    """Check whether two first names may be one person's: they are equal, or one is the other's initial."""
    short, long = sorted((one.rstrip("."), other.rstrip(".")), key=len)
    return short == long or (len(short) == 1 and long.startswith(short))


def read_person_nouns(path: Path) -> frozenset[str]:
    """Read a list written by `list_person_nouns`."""
    return frozenset(read_lines(path)) - {""}


def _are_mostly(synsets: list[str], living: frozenset[str]) -> bool:
    """Check whether most senses of a noun are `living`, or half of them with the first, which is the most common."""
    nouns = [synset.removesuffix("-n") for synset in synsets if synset.endswith("-n")]
    other_words = sum(synset.endswith(("-a", "-s", "-r")) for synset in synsets)
    # A tagger often takes adjectives and adverbs (*large*) for nouns.
    if not nouns or other_words > len(nouns):
        return False
    living_nouns = sum(synset in living for synset in nouns)
    if 2 * living_nouns == len(nouns):
        return nouns[0] in living
    return 2 * living_nouns > len(nouns)


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
        raise InputError(f"{archive}: is not an archive with {name} ({error}); delete it and run again") from error


def read_senses(archive: Path, wordnets: Iterable[Path] | None) -> dict[str, list[str]]:
    """List the synsets of each word in the tab files of a language, or in WordNet itself (the most common first)."""
    return _english_senses(archive) if wordnets is None else _senses_of_tabs(list(wordnets))


def synsets_of(archive: Path, of_file: str) -> Iterator[str]:
    """List the synsets of WordNet in a lexicographer file, such as `PERSON_FILE`, without the part of speech."""
    for line in _member(archive, _DATA):
        offset, lexicographer_file, rest = line.split(" ", 2)
        # An instance is an individual person, such as Shakespeare.
        if lexicographer_file == of_file and " @i " not in rest.partition(" | ")[0]:
            yield offset


def _english_senses(archive: Path) -> dict[str, list[str]]:
    """List the synsets of each word, the most common first."""
    senses = {}
    for line in _member(archive, _INDEX):
        word, _, number, pointers, *cells = line.split()
        # Two counts stand between the pointers and the synsets.
        first = int(pointers) + 2
        synsets = cells[first:]
        if len(synsets) != int(number):
            raise InputError(f"{archive}: {_INDEX} has {len(synsets)} of {number} synsets of {word}")
        senses[word.replace("_", " ")] = [f"{synset}-n" for synset in synsets]
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
            if len(cells) > 1 and cells[0].endswith("lemma"):
                word = cells[1].replace("_", " ").lower()
                senses[word][synset] = None
    return {word: list(synsets) for word, synsets in senses.items()}
