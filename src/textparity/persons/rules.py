"""The rules of each language by which persons are found: pronouns, words with a purpose, and places."""

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from textparity.errors import InputError, TableError
from textparity.files import read_lines, read_tsv
from textparity.persons.mentions import FEMININE, MASCULINE

PRONOUN_COLUMNS = ("lang", "form", "gender", "role")
WORD_COLUMNS = ("lang", "kind", "word", "gender")
PLACE_COLUMNS = ("place", "kind")
COUNTRY, CITY = PLACES = ("country", "city")
ANY = "any"
ROLES = ("personal", "possessive", "reflexive", "relative", "demonstrative", "object", "either", "joint possessive")
# The purposes of words. For nouns, `article`, `marker` (female) and `feminine_ending` determine the gender, while
# `epicene` and `epicene_ending` allow any. `person` and `person_ending` mark persons; `no_person` excludes a word
# even if a list has it. For names, `title_of` may precede "of" and a name, and `before_place` may precede a place. A
# name after `no_person_after`, or before or with `no_person_before`, is that of a thing. A `group` may be called
# they; a `neutral_title`, a `neutral_pronoun`, a `neutral_word` and `stated_pronouns` (they/them) tell of a person
# who is called that, or has no gender. A `nickname` is short for a first name (meg>margaret), and a `first_name` is
# one that lists lack. In languages with cases, `agreement` is a feature of words for persons (Anim; Giv: first
# names). For pronouns, `clitic` precedes the verb, `clause_verb` takes a clause as its object, `relative` follows
# celui; persons are the subjects of a `person_verb`, and of a `speech_verb` before the pronoun (dit-il); the others
# are for il. A noun after a `quantifier` (chaque) may be anyone. Few adjectives stand `before_noun`, and a noun
# `before_role` words (de) without an article is no person. Words `within_phrase` stand between a noun and its name. A
# name after a `plural_article` is not that of one person. An `office` before a name is no part of it. A
# `no_person_before` word may be a `surname` after a first name. Phrases may be `no_person`. A word for `kin` before a
# name makes another person of it (mère Noël).
RULE_KINDS = (
    "agreement", "article", "before_noun", "before_place", "before_role", "clause_verb", "clitic", "epicene",
    "epicene_ending", "feminine_ending", "first_name", "group", "impersonal", "impersonal_be", "impersonal_judged",
    "impersonal_modal", "impersonal_reflexive", "impersonal_state", "impersonal_that", "kin", "marker", "name_ending",
    "neutral_pronoun", "neutral_title", "neutral_word", "nickname", "no_person", "no_person_after", "no_person_before",
    "office", "person", "person_ending", "person_verb", "plural_article", "plural_pronoun", "quantifier", "relative",
    "speech_verb", "stated_pronouns", "surname", "that", "there_is", "title_of", "within_phrase",
)  # fmt: skip

# The kinds of words that are pairs.
_PAIRS = {"feminine_ending": "a masculine ending > a feminine one", "nickname": "a nickname > a first name"}


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
    def mends_parse(self) -> bool:
        """Whether names and appositions are also found by the words beside them, because the pipeline misses many."""
        return bool(self.of_kind("within_phrase"))

    @property
    def feminine_endings(self) -> dict[str, str]:
        """The masculine endings of nouns, mapped to their feminine ones (rows like `er>ère`)."""
        return dict(word.split(">") for word in self.of_kind("feminine_ending"))

    @cached_property
    def nicknames(self) -> dict[str, frozenset[str]]:
        """The first names that each nickname is short for, and the nicknames of each first name."""
        other_names: defaultdict[str, set[str]] = defaultdict(set)
        for pair in self.of_kind("nickname"):
            nickname, first_name = pair.split(">")
            other_names[nickname].add(first_name)
            other_names[first_name].add(nickname)
        return {name: frozenset(others) for name, others in other_names.items()}


def read_word_list(path: Path) -> frozenset[str]:
    """Read words in lower case, one per line, without comments (#). Raises `InputError` if there are none."""
    lines = [line for line in read_lines(path) if not line.startswith("#")]
    words = frozenset(line.strip().lower() for line in lines) - {""}
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
    allowed = {"gender": (FEMININE, MASCULINE, ANY), "role": ROLES}
    pronouns = {}
    for row in read_tsv(path, PRONOUN_COLUMNS, allowed=allowed):
        if row["lang"] == lang:
            pronouns[row["form"]] = PronounRow(row["gender"], row["role"])
    return pronouns


def _read_rule_words(path: Path, lang: str) -> dict[str, dict[str, str]]:
    """Read the words of each kind, with their gender."""
    allowed = {"gender": (FEMININE, MASCULINE, ""), "kind": RULE_KINDS}
    rows = read_tsv(path, WORD_COLUMNS, allowed=allowed)
    words: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for line, row in enumerate(rows, start=2):
        kind = row["kind"]
        word = row["word"]
        pair = _PAIRS.get(kind)
        if pair and word.count(">") != 1:
            raise TableError(f"{path}, line {line}: {word!r} must be {pair}")
        if row["lang"] == lang:
            words[kind][word] = row["gender"]
    return dict(words)


def _read_places(path: Path) -> dict[str, str]:
    kinds = {}
    for row in read_tsv(path, PLACE_COLUMNS, allowed={"kind": PLACES}):
        place = row["place"].lower()
        kinds[place] = row["kind"]
    return kinds
