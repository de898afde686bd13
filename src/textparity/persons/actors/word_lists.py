"""Read the study's word lists of one language: person words, titles, gender-coded stems, verbs of speech."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from textparity.errors import TableError
from textparity.files import read_lines
from textparity.persons.actors.languages import LANGUAGES, PAPER_LANGUAGE, Language
from textparity.persons.passages import UNDETERMINED
from textparity.tsv import read_tsv

GENDERS = ("feminine", "masculine")
# Reports and actors use all three. Indicators and balancing compare only the first two.
ALL_GENDERS = (*GENDERS, UNDETERMINED)
_SHORTEST_ENDING = 4
_AROUND = "\"'.,;:!?()[]«»“”„‘’–—"


@dataclass(frozen=True)
class WordLists:
    """All lists, in lower case. Tables map a word to its gender."""

    generic_persons: dict[str, str]
    titles: dict[str, str]
    coded_stems: dict[str, str]
    speech_verbs: frozenset[str]
    quotation_verbs: frozenset[str]
    stop_words: frozenset[str]
    person_nouns: frozenset[str]
    language: Language

    @cached_property
    def title_endings(self) -> dict[str, str]:
        """The titles whose compounds are also titles, with their gender."""
        if not self.language.has_compounds:
            return {}
        # Frau is a title, and therefore Obfrau has a gender. For symmetry, so must Obmann.
        endings = {title: gender for title, gender in self.titles.items() if gender and len(title) >= _SHORTEST_ENDING}
        return endings | {"mann": "masculine"}

    @cached_property
    def all_speech_verbs(self) -> frozenset[str]:
        """The paper's verbs of indirect speech, and those collected for this project."""
        return self.speech_verbs | self.quotation_verbs

    def stem_counter(self) -> Callable[[str], tuple[int, int]]:
        """Make a function that counts the feminine- and masculine-coded stems of a text.

        Each stem counts once in every word that contains it anywhere. Words are lower-cased and split at white space
        (Urchs 2025, §2.3, and its public code). In other languages than the paper's, a stem with `*` begins a word and
        a stem without it is a complete word, as such lists are published.
        """
        is_coded = _contains if self.language.code == PAPER_LANGUAGE else _begins
        stems = {gender: [stem for stem, coded in self.coded_stems.items() if coded == gender] for gender in GENDERS}

        @lru_cache(maxsize=200_000)
        def count_word(word: str) -> tuple[int, int]:
            feminine, masculine = (sum(is_coded(word, stem) for stem in stems[gender]) for gender in GENDERS)
            return feminine, masculine

        def count(text: str) -> tuple[int, int]:
            counted = [count_word(word) for word in text.lower().split()]
            return sum(found[0] for found in counted), sum(found[1] for found in counted)

        return count


def _contains(word: str, stem: str) -> bool:
    return stem in word


def _begins(word: str, stem: str) -> bool:
    word = word.strip(_AROUND)
    return word.startswith(stem[:-1]) if stem.endswith("*") else word == stem


def load_word_lists(
    generic_persons: Path,
    titles: Path,
    speech_verbs: Path,
    quotation_verbs: Path,
    coded_stems: Path | None = None,
    stop_words: Path | None = None,
    person_nouns: Path | None = None,
    lang: str = PAPER_LANGUAGE,
) -> WordLists:
    """Read the lists; those not needed to find persons are optional. Raises `TableError` with file and line."""
    return WordLists(
        generic_persons=_read_genders(generic_persons, "term", "gender"),
        titles=_read_genders(titles, "title", "gender", also=("",)),
        # For some languages, no list has been published.
        coded_stems=_read_genders(coded_stems, "stem", "coding", may_be_empty=True) if coded_stems else {},
        speech_verbs=_read_words(speech_verbs),
        quotation_verbs=_read_words(quotation_verbs),
        stop_words=_read_words(stop_words) if stop_words else frozenset(),
        person_nouns=_read_words(person_nouns) if person_nouns else frozenset(),
        language=LANGUAGES[lang],
    )


def _read_genders(
    path: Path, word: str, gender: str, also: Iterable[str] = (), may_be_empty: bool = False
) -> dict[str, str]:
    found: dict[str, str] = {}
    allowed = (*GENDERS, *also)
    for line, row in enumerate(read_tsv(path, [word, gender]), start=2):
        if row[gender] not in allowed:
            raise TableError(f"{path}, line {line}: {gender} {row[gender]!r} is none of {', '.join(GENDERS)}")
        if found.get(row[word].lower(), row[gender]) != row[gender]:
            raise TableError(f"{path}, line {line}: {row[word]} is a duplicate with another {gender}; keep one row")
        found[row[word].lower()] = row[gender]
    if not found and not may_be_empty:
        raise TableError(f"{path}: has no rows")
    return found


def _read_words(path: Path) -> frozenset[str]:
    try:
        lines = read_lines(path)
    except UnicodeDecodeError as error:
        raise TableError(f"{path}: not UTF-8 ({error.reason} at byte {error.start}); re-encode it") from None
    words = frozenset(line.strip().lower() for line in lines if line.strip() and not line.startswith("#"))
    if not words:
        raise TableError(f"{path}: has no words; give it one a line")
    return words
