"""Ukrainian words: how text is cut (by spaCy's rules, as the authors do, or at any script's), what a word can be in a
sentence, and the same word in another gender, case or number.

All of it is pymorphy3's, but for what is not in its dictionary: many feminine personal nouns are declined like a word
with the same ending, and some names have no readings as names.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import regex

from textparity.errors import MissingResourceError, how_to_install

if TYPE_CHECKING:
    from pymorphy3 import MorphAnalyzer
    from pymorphy3.analyzer import Parse
    from spacy.language import Language

# An apostrophe, of any kind, is inside a word.
_WORD = regex.compile(r"\w+(?:'\w+)*")
_PIECE = regex.compile(r"\w+|[^\w\s]")
_APOSTROPHES = "’ʼ`‘"
_ONE_APOSTROPHE = str.maketrans(_APOSTROPHES, "'" * len(_APOSTROPHES))
_SPACE = re.compile(r"\s+")
FEMININE, MASCULINE = "femn", "masc"
SINGULAR, PLURAL = "sing", "plur"
CASES = ("nomn", "gent", "datv", "accs", "ablt", "loct", "voct")
OTHER_GENDER = {FEMININE: MASCULINE, MASCULINE: FEMININE}
# Masculine forms without an ending, which the dictionary has beside longer ones that nobody writes.
_SHORT = {"сама": "сам", "кожна": "кожен", "жодна": "жоден", "повинна": "повинен"}
# A word that pymorphy3 knows for each ending of feminine personal nouns; what is missing there is declined alike.
_MODELS = {"иця": "працівниця", "иня": "княгиня", "ка": "лікарка", "еса": "поетеса", "ша": "міліціонерша"}


class UnicodeWords:
    """The words of a text in lower case, as a tokenizer for the package rouge-score, whose own keeps a-z and 0-9."""

    def tokenize(self, text: str) -> list[str]:
        """Return letters and digits of any script that stand together; all apostrophes are one."""
        return _WORD.findall(one_apostrophe(text.lower()))


@cache
def load_rules() -> "Language":
    """Return spaCy's Ukrainian tokenizer, which needs no model; `MissingResourceError` where spaCy is missing."""
    try:
        import spacy
    except ImportError as error:
        raise MissingResourceError(
            f"{error.name} is not installed; install the extra: {how_to_install('persons')}"
        ) from None
    return spacy.blank("uk")


@cache
def rule_tokens(text: str) -> tuple[str, ...]:
    """Return the tokens of spaCy's Ukrainian rules; line ends and further spaces are tokens too."""
    return tuple(token.text for token in load_rules()(text))


def pieces(text: str) -> list[str]:
    """Return words and single punctuation marks: two texts that differ in white space alone have the same."""
    return _PIECE.findall(text)


def sentence_key(text: str) -> str:
    """Return what a sentence is looked up by: white space and the kind of apostrophe do not count."""
    return _SPACE.sub("", one_apostrophe(text))


def one_apostrophe(text: str) -> str:
    """Return the text with a plain apostrophe for each of its kind."""
    return text.translate(_ONE_APOSTROPHE)


@cache
def load_analyser() -> "MorphAnalyzer":
    """Return pymorphy3 for Ukrainian; `MissingResourceError` where it or its dictionary is not installed."""
    try:
        import pymorphy3
        import pymorphy3_dicts_uk  # noqa: F401
    except ImportError as error:
        raise MissingResourceError(
            f"{error.name} is not installed; install the extra: {how_to_install('morphology')}"
        ) from None
    return pymorphy3.MorphAnalyzer(lang="uk")


@cache
def analyse(word: str) -> "list[Parse]":
    """Return what a word can be, the likeliest first."""
    return load_analyser().parse(word)


@dataclass(frozen=True)
class Reading:
    """What a word can be: `part` of speech, gender (empty in the plural), number and case, as pymorphy3 names them."""

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
    """Return what a word can be, the likeliest first."""
    found = []
    for parse in analyse(normalise(word)):
        tag = parse.tag
        part = str(tag.POS or "")
        if part == "VERB" and not parse.is_known:
            # Guessed from an ending: сосудів is not a verb.
            continue
        number = PLURAL if tag.number == PLURAL else SINGULAR
        # The nominative of some masculine nouns has no case in the Ukrainian dictionary.
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
    """Return the forms of a personal noun or adjective (in the nominative) by number and case.

    Words of more than one word, and those that nothing is known of, have one form for all.
    """
    word = normalise(word)
    first, hyphen, last = word.rpartition("-")
    if hyphen:
        return {key: tuple(first + hyphen + form for form in forms) for key, forms in declension(last, gender).items()}
    if " " not in word:
        parses = [parse for parse in analyse(word) if parse.word == word and _is_nominative(parse, gender)]
        # Король is a surname too, which has no plural.
        parses.sort(key=lambda parse: "Surn" in parse.tag or "Name" in parse.tag)
        for part in ("NOUN", "ADJF"):
            for parse in parses:
                if part == parse.tag.POS:
                    return _forms(parse.lexeme, gender, part)
        for ending, model in _MODELS.items():
            if gender == FEMININE and word.endswith(ending):
                stems = len(model) - len(ending), len(word) - len(ending)
                return {
                    key: tuple(
                        word[: stems[1]] + form[stems[0] :] for form in forms if form.startswith(model[: stems[0]])
                    )
                    for key, forms in declension(model, gender).items()
                }
    return {(number, case): (word,) for number in (SINGULAR, PLURAL) for case in CASES}


def inflect(word: str, gender: str, number: str, case: str) -> str:
    """Return the form of a noun or adjective, lower case: of equal ones, the shorter (директору, not директорові)."""
    forms = declension(word, gender).get((number, case)) or (normalise(word),)
    return forms[-1] if case in ("datv", "loct") and number == SINGULAR and gender == MASCULINE else forms[0]


def agree(word: str, reading: Reading, gender: str) -> str | None:
    """Return an adjective, pronoun or verb in the past tense in another gender (lower case), or None."""
    found = _agreeing_forms(word, reading, gender)
    # звернулась is звернувсь, звернулася is звернувся.
    ending = normalise(word)[-2:]
    return next((form for form in found if ending not in ("ся", "сь") or form.endswith(ending)), None) or (
        found[0] if found else None
    )


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
                # The accusative masculine of persons is their genitive.
                if _needs_genitive(reading, gender):
                    return _agreeing_forms(word, replace(reading, case="gent"), gender)
                found.append(form.word)
    return found


def normalise(word: str) -> str:
    """Return a word in lower case, with the apostrophe of pymorphy3's dictionary."""
    return one_apostrophe(word.lower())


def cased_like(word: str, pattern: str) -> str:
    """Return a word with the capitals of `pattern`, part by part, and its apostrophe."""
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


def _needs_genitive(reading: Reading, gender: str) -> bool:
    return reading.case == "accs" and gender == MASCULINE and reading.part in ("ADJF", "NPRO")


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
    # Personal adjectives in the accusative: the genitive's form first.
    if part == "ADJF":
        for number in (SINGULAR, PLURAL):
            if number == PLURAL or gender == MASCULINE:
                found[number, "accs"] = found.get((number, "gent"), [])
    return {key: tuple(words) for key, words in found.items()}
