"""Split Ukrainian text into words, list the readings of a word, and inflect it for gender, case or number.

pymorphy3 does this except for gaps in its dictionary: many feminine person nouns are declined like a word with the same
ending.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import regex

from textparity.errors import MissingResourceError, how_to_install
from textparity.persons.ukrainian_genders import analyse

if TYPE_CHECKING:
    from spacy.language import Language

# An apostrophe of any kind is part of a word.
_WORD = regex.compile(r"\w+(?:'\w+)*")
_PIECE = regex.compile(r"\w+|[^\w\s]")
_APOSTROPHES = "’ʼ`‘"
_ONE_APOSTROPHE = str.maketrans(_APOSTROPHES, "'" * len(_APOSTROPHES))
_SPACE = re.compile(r"\s+")
FEMININE, MASCULINE = "femn", "masc"
SINGULAR, PLURAL = "sing", "plur"
CASES = ("nomn", "gent", "datv", "accs", "ablt", "loct", "voct")
OTHER_GENDER = {FEMININE: MASCULINE, MASCULINE: FEMININE}
# Masculine forms without an ending. The dictionary lists them beside longer forms that nobody writes.
_SHORT = {"сама": "сам", "кожна": "кожен", "жодна": "жоден", "повинна": "повинен"}
# For each ending of feminine person nouns, a word in pymorphy3's dictionary. Missing words are declined like it.
_MODELS = {"иця": "працівниця", "иня": "княгиня", "ка": "лікарка", "еса": "поетеса", "ша": "міліціонерша"}


class UnicodeWords:
    """Split a text into lower-case words for the package rouge-score, whose own tokenizer keeps only a-z and 0-9."""

    def tokenize(self, text: str) -> list[str]:
        """Split text into runs of letters and digits of any script. All apostrophes become one."""
        return _WORD.findall(one_apostrophe(text.lower()))


@cache
def load_rules() -> "Language":
    """Load spaCy's Ukrainian tokenizer, which needs no model. Raises `MissingResourceError` if spaCy is missing."""
    if find_spec("spacy") is None:
        raise MissingResourceError(f"spaCy is not installed; install the extra: {how_to_install('persons')}")
    import spacy

    return spacy.blank("uk")


@cache
def rule_tokens(text: str) -> tuple[str, ...]:
    """Split text by spaCy's Ukrainian rules. Line ends and additional spaces are tokens, too."""
    return tuple(token.text for token in load_rules()(text))


def pieces(text: str) -> list[str]:
    """List words and single punctuation marks. Two texts that differ only in white space have the same list."""
    return _PIECE.findall(text)


def sentence_key(text: str) -> str:
    """Make the key of a sentence, which ignores white space and the kind of apostrophe."""
    return _SPACE.sub("", one_apostrophe(text))


def one_apostrophe(text: str) -> str:
    """Replace each kind of apostrophe by the plain one."""
    return text.translate(_ONE_APOSTROPHE)


@dataclass(frozen=True)
class Reading:
    """A reading of a word: `part` of speech, gender (empty in the plural), number and case, as pymorphy3 names them."""

    lemma: str
    part: str
    gender: str = ""
    number: str = SINGULAR
    case: str = ""
    is_past: bool = False
    is_animate: bool = False

    @property
    def agreement(self) -> tuple[str, str, str]:
        """Gender, number and case."""
        return self.gender, self.number, self.case


@cache
def read_word(word: str) -> tuple[Reading, ...]:
    """List the readings of a word, the most likely first."""
    found = []
    for parse in analyse(normalise(word)):
        tag = parse.tag
        part = str(tag.POS or "")
        if part == "VERB" and not parse.is_known:
            # This reading is guessed from an ending: сосудів is not a verb.
            continue
        number = PLURAL if tag.number == PLURAL else SINGULAR
        # The Ukrainian dictionary gives no case to the nominative of some masculine nouns.
        case = str(tag.case or ("nomn" if part == "NOUN" else ""))
        reading = Reading(
            parse.normal_form, part, str(tag.gender or "") if number == SINGULAR else "", number, case,
            tag.tense == "past", "anim" in tag,
        )  # fmt: skip
        if reading not in found:
            found.append(reading)
    return tuple(found)


@cache
def declension(word: str, gender: str) -> dict[tuple[str, str], tuple[str, ...]]:
    """List the forms of a person noun or adjective by number and case; expressions and unknown words stay the same."""
    word = normalise(word)
    first, hyphen, last = word.rpartition("-")
    if hyphen:
        return {key: tuple(first + hyphen + form for form in forms) for key, forms in declension(last, gender).items()}
    if " " not in word:
        parses = [parse for parse in analyse(word) if parse.word == word and _is_nominative(parse, gender)]
        # Король is also a surname, which has no plural.
        parses.sort(key=lambda parse: "Surn" in parse.tag or "Name" in parse.tag)
        for part in ("NOUN", "ADJF"):
            for parse in parses:
                if part == parse.tag.POS:
                    return _forms(parse.lexeme, gender, part)
        for ending, model in _MODELS.items():
            if gender == FEMININE and word.endswith(ending):
                stem, of_model = word.removesuffix(ending), model.removesuffix(ending)
                return {
                    key: tuple(stem + form.removeprefix(of_model) for form in forms if form.startswith(of_model))
                    for key, forms in declension(model, gender).items()
                }
    return {(number, case): (word,) for number in (SINGULAR, PLURAL) for case in CASES}


def inflect(word: str, gender: str, number: str, case: str) -> str:
    """Inflect a noun or adjective, in lower case, with the shorter of two forms (директору, not директорові)."""
    forms = declension(word, gender).get((number, case)) or (normalise(word),)
    return forms[-1] if case in ("datv", "loct") and number == SINGULAR and gender == MASCULINE else forms[0]


def agree(word: str, reading: Reading, gender: str) -> str | None:
    """Put an adjective, pronoun or past-tense verb into another gender (lower case); None if not possible."""
    found = _agreeing_forms(word, reading, gender)
    # звернулась corresponds to звернувсь, and звернулася to звернувся.
    ending = normalise(word)[-2:]
    fitting = [form for form in found if ending not in ("ся", "сь") or form.endswith(ending)]
    return next(iter([*fitting, *found]), None)


def _agreeing_forms(word: str, reading: Reading, gender: str) -> list[str]:
    if known := _SHORT.get(normalise(word)):
        return [known]
    found = []
    for parse in analyse(normalise(word)):
        if parse.normal_form != reading.lemma or str(parse.tag.POS or "") != reading.part:
            continue
        for form in parse.lexeme:
            tag = form.tag
            if tag.gender != gender or tag.number == PLURAL or tag.tense != ("past" if reading.is_past else None):
                continue
            if (tag.case or "") == reading.case and "Arch" not in tag and not form.word.endswith(("ая", "ую", "еє")):
                # The masculine accusative of persons equals their genitive.
                if reading.case == "accs" and gender == MASCULINE and reading.part in ("ADJF", "NPRO"):
                    return _agreeing_forms(word, replace(reading, case="gent"), gender)
                found.append(form.word)
    return found


def normalise(word: str) -> str:
    """Convert a word to lower case, with the apostrophe of pymorphy3's dictionary."""
    return one_apostrophe(word.lower())


def cased_like(word: str, pattern: str) -> str:
    """Give a word the capitals of `pattern`, part by part, and its apostrophe."""
    for apostrophe in _APOSTROPHES:
        if apostrophe in pattern:
            word = word.replace("'", apostrophe)
    parts, patterns = re.split("([ -])", word), re.split("[ -]", pattern)
    if len(parts[::2]) == len(patterns) > 1:
        parts[::2] = map(cased_like, parts[::2], patterns)
        return "".join(parts)
    if len(pattern) > 1 and pattern.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if pattern[:1].isupper() else word


def _is_nominative(parse: Any, gender: str) -> bool:
    tag = parse.tag
    return tag.gender == gender and tag.number != PLURAL and str(tag.case or "nomn") == "nomn" and "inan" not in tag


def _forms(lexeme: Iterable[Any], gender: str, part: str) -> dict[tuple[str, str], tuple[str, ...]]:
    found: dict[tuple[str, str], list[str]] = {}
    for form in lexeme:
        number = PLURAL if form.tag.number == PLURAL else SINGULAR
        is_archaic = part == "ADJF" and form.word.endswith(("ая", "ую", "ії", "еє"))
        if is_archaic or (number == SINGULAR and form.tag.gender != gender):
            continue
        key = number, str(form.tag.case or "nomn")
        if form.word not in found.setdefault(key, []):
            found[key].append(form.word)
    # The accusative of an adjective that describes persons equals its genitive.
    if part == "ADJF":
        for number in (SINGULAR, PLURAL):
            if number == PLURAL or gender == MASCULINE:
                found[number, "accs"] = found.get((number, "gent"), [])
    return {key: tuple(words) for key, words in found.items()}
