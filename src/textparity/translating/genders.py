"""Determine the gender of a translated occupation, by a rule for each language: as published, and corrected.

The published rules are those of the authors' code at the time of their recorded results (Stanovsky et al. 2019).
Corrected, words without a gender do not vote for `neutral`, a noun is read in its sentence, its own article comes
before others, and an occupation that is not aligned is `unknown` in every language.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from textparity.errors import MissingResourceError, how_to_install
from textparity.files import read_tsv, writable
from textparity.folding import Folding, load_folding
from textparity.persons.mentions import FEMININE, MASCULINE
from textparity.persons.methods import missing_pipeline
from textparity.translating.winomt import NEUTRAL

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    # NumPy, which the parser of rules does without.
    from textparity.translating.alignment import Occupation

UNKNOWN = "unknown"
# Forms of pronouns that show the gender of one person. In all but two sentences, no pronoun has the other gender.
_PRONOUNS = Path(__file__).parents[1] / "resources" / "winomt" / "pronouns.tsv"
_Rule = Callable[["Occupation"], str]
_Rules = Callable[[Sequence["Occupation"]], list[str]]

# Languages by kind of rule. A pipeline of spaCy gives the morphology.
MORPHOLOGY, ARTICLE, DICTIONARY, LETTERS = "morphology", "article", "dictionary", "letters"
RULES = {
    "spa": MORPHOLOGY, "fra": MORPHOLOGY, "ita": MORPHOLOGY, "deu": ARTICLE, "rus": DICTIONARY, "ukr": DICTIONARY,
    "heb": LETTERS, "arb": LETTERS,
}  # fmt: skip
# Words whose gender their pipelines knew, and later ones do not say; beginnings of words end in an apostrophe. The
# tags of spaCy 2 had ADP__AdpType=Preppron|Gender=Masc for Spanish al and del; the others are in the authors' code.
_KNOWN = {"spa": ("al", "del"), "fra": ("au",), "ita": ("dell'",)}
_GENDERS = {"Masc": MASCULINE, "Fem": FEMININE, "masc": MASCULINE, "femn": FEMININE}


def _genders_of_words(feminine: str, masculine: str, neutral: str = "") -> dict[str, str]:
    genders = dict.fromkeys(feminine.split(), FEMININE)
    genders |= dict.fromkeys(masculine.split(), MASCULINE)
    genders |= dict.fromkeys(neutral.split(), NEUTRAL)
    return genders


# Determiners and pronouns of German, wherever they stand: the one nearest to the occupation decides.
_GERMAN_WORDS = _genders_of_words(
    feminine="die eine einer sie seine ihrer",
    masculine="der ein dem einen des er seiner ihn seinen ihm ihren seinem ihrem sein",
    neutral="ihr ihre das jemanden",
)
# Articles that stand before the noun, and endings of nouns for women.
_ARTICLES = _genders_of_words("die eine einer zur", "der den dem des ein einen einem eines am beim im vom zum")
_FEMININE_NOUNS = re.compile(r"(?:[rthdfnkg]in|frau|schwester|dame|kraft)$", re.IGNORECASE)
_FEMININE_LETTERS = {"heb": "תה", "arb": "ةﺔ"}
# The sign of a definite object.
_HEBREW_OBJECT = "את"
# Words and signs as spaCy's tokenizers separate them, without their install: of 19,430 translations into German and
# Hebrew, this changes the gender of none.
_TOKENS = {"deu": re.compile(r"@-@|\w+(?:[-'’./]\w+)*|[^\w\s]"), "heb": re.compile(r"\w+(?:[\"״'./]\w+)*|[^\w\s]")}


class GenderRule(NamedTuple):
    """Two functions of occupations that return their genders: feminine, masculine, neutral or unknown.

    `pronoun` returns that of the pronouns of a translation, unknown if they show none or both. `folding` is that of
    the language, for all but the published procedure.
    """

    published: _Rules
    corrected: _Rules
    pronoun: Callable[[str], str]
    folding: Folding


def load_rule(lang: str, pipeline: str = "") -> GenderRule:
    """Load the rule of a language. Raises `MissingResourceError` if it has none, or if its tool is not installed."""
    reason = missing_rule(lang, pipeline)
    if reason:
        raise MissingResourceError(reason)
    kind = RULES[lang]
    folding = load_folding(lang)
    pronoun = _by_pronouns(lang, folding)
    if kind == MORPHOLOGY:
        morphology = _Morphology(lang, pipeline)
        return GenderRule(morphology.published, morphology.corrected, pronoun, folding)
    if kind == DICTIONARY:
        published, corrected = _by_dictionary(lang)
    elif kind == ARTICLE:
        published = _by_any_article
        corrected = _aligned(_by_own_article)
    else:
        published = _by_letters(lang)
        corrected = _aligned(published)
    return GenderRule(_each(published), _each(corrected), pronoun, folding)


def _each(rule: _Rule) -> _Rules:
    return lambda occupations: list(map(rule, occupations))


def _aligned(rule: _Rule) -> _Rule:
    """Call an occupation that is not aligned unknown."""
    return lambda occupation: rule(occupation) if occupation.positions else UNKNOWN


def missing_rule(lang: str, pipeline: str = "") -> str:
    """Explain why occupations of a language have no gender here, or return an empty text."""
    if lang not in RULES:
        return f"no rule for the gender of occupations in {lang} ({', '.join(RULES)} have one)"
    kind = RULES[lang]
    if kind == MORPHOLOGY:
        return missing_pipeline(pipeline)
    if kind != DICTIONARY:
        return ""
    packages = ("pymorphy3", f"pymorphy3_dicts_{lang[:2]}")
    lacking = [name for name in packages if not find_spec(name)]
    if not lacking:
        return ""
    return f"{', '.join(lacking)} not installed: {how_to_install('translation')}"


def describe_rule(lang: str, pipeline: str = "") -> str:
    """Name the rule of a language and the version of its tool, for signatures."""
    from importlib.metadata import PackageNotFoundError, version

    kind = RULES[lang]
    if kind == MORPHOLOGY:
        tool = pipeline
    elif kind == DICTIONARY:
        tool = f"pymorphy3-dicts-{lang[:2]}"
    else:
        return kind
    try:
        return f"{kind} {tool}@{version(tool)}"
    except PackageNotFoundError:
        # The pipeline is a folder.
        return f"{kind} {writable(tool)}"


def _most_common(genders: Iterable[str]) -> str:
    """Return the most common gender, of several the first."""
    counted = Counter(genders)
    return counted.most_common(1)[0][0] if counted else NEUTRAL


def _by_pronouns(lang: str, folding: Folding) -> Callable[[str], str]:
    genders: dict[str, str] = {}
    for row in read_tsv(_PRONOUNS, ["lang", "gender", "words"]):
        if row["lang"] == lang:
            genders |= dict.fromkeys(row["words"].split(), row["gender"])

    def of_pronouns(text: str) -> str:
        # An alignment would not do: with she, it prefers any other word to a masculine pronoun.
        words = re.findall(r"\w+", folding.fold(text).lower())
        shown = {genders[word] for word in words if word in genders}
        if len(shown) != 1:
            return UNKNOWN
        return shown.pop()

    return of_pronouns


class _Morphology:
    """The rule of languages whose words show their gender to a pipeline of spaCy."""

    def __init__(self, lang: str, pipeline: str) -> None:
        import spacy

        self._nlp = spacy.load(pipeline, disable=["parser", "ner", "lemmatizer"])
        self._known = _KNOWN[lang]
        self._known_starts = tuple(word for word in self._known if word.endswith("'"))
        self._gender_in_text = cache(self._find_in_text)

    def published(self, occupations: "Sequence[Occupation]") -> list[str]:
        """Find the most common gender of the aligned words, read without their sentence."""
        genders: list[str] = []
        for occupation in occupations:
            genders.append(self._gender_in_text(occupation.text) if occupation.positions else UNKNOWN)
        return genders

    def corrected(self, occupations: "Sequence[Occupation]") -> list[str]:
        """Find the gender of the aligned nouns in their sentences."""
        texts = [" ".join(occupation.translation) for occupation in occupations]
        docs = self._nlp.pipe(texts)
        genders: list[str] = []
        for occupation, doc in zip(occupations, docs, strict=True):
            genders.append(self._find_in_sentence(occupation, doc) if occupation.positions else UNKNOWN)
        return genders

    def _find_in_text(self, text: str) -> str:
        return _most_common(self._genders_of(self._nlp(text)))

    def _find_in_sentence(self, occupation: "Occupation", doc: "Doc") -> str:
        word_ends = list(accumulate(len(word) + 1 for word in occupation.translation))
        tokens = [token for token in doc if bisect_right(word_ends, token.idx) in occupation.positions]
        nouns = [token for token in tokens if token.pos_ in ("NOUN", "PROPN")] or tokens
        # An article shows the gender of nouns with one form, as in el and la asistente.
        articles = _articles_before(nouns, doc)
        genders = self._genders_of([*articles, *nouns])
        if genders:
            return genders[0]
        return _most_common(self._genders_of(tokens))

    def _genders_of(self, tokens: "Iterable[Token]") -> list[str]:
        """List the genders of the tokens that have one."""
        return list(filter(None, map(self._gender_of, tokens)))

    def _gender_of(self, token: "Token") -> str:
        text = token.text.lower()
        if text in self._known or text.startswith(self._known_starts):
            return MASCULINE
        values = token.morph.get("Gender")
        return _GENDERS.get(values[0], "") if values else ""


def _articles_before(nouns: "Iterable[Token]", doc: "Doc") -> "list[Token]":
    """List the articles directly before nouns. An elided one shows no gender."""
    articles: list[Token] = []
    for noun in nouns:
        if not noun.i:
            continue
        before = doc[noun.i - 1]
        is_elided = before.text.endswith(("'", "’"))
        if before.pos_ in ("DET", "ADP") and not is_elided:
            articles.append(before)
    return articles


def _by_dictionary(lang: str) -> tuple[_Rule, _Rule]:
    from pymorphy3 import MorphAnalyzer
    from pymorphy3.tokenizers import simple_word_tokenize

    parses_of = MorphAnalyzer(lang=lang[:2]).parse

    @cache
    def of_word(word: str) -> str:
        tags = [parse.tag.gender for parse in parses_of(word)]
        genders = [_GENDERS.get(tag, NEUTRAL) for tag in tags if tag]
        return FEMININE if FEMININE in genders else _most_common(genders)

    @cache
    def of_text(text: str) -> str:
        return _most_common(map(of_word, simple_word_tokenize(text)))

    def tag_of_person(word: str) -> str | None:
        for parse in parses_of(word):
            if {"NOUN", "anim"} <= parse.tag.grammemes:
                return parse.tag.gender
        return None

    @cache
    def of_persons(text: str) -> str:
        tags = map(tag_of_person, simple_word_tokenize(text))
        return _most_common(_GENDERS.get(tag, NEUTRAL) for tag in tags if tag)

    published = _aligned(lambda occupation: of_text(occupation.text))
    corrected = _aligned(lambda occupation: of_persons(occupation.text))
    return published, corrected


def _by_any_article(occupation: "Occupation") -> str:
    split = _TOKENS["deu"].findall
    if occupation.english.lower() == "nurse":
        return FEMININE
    if not occupation.words:
        return MASCULINE
    if any(token.endswith("in") for token in split(occupation.text)):
        return FEMININE
    # The position is that of a word between spaces, and the tokens also count punctuation, as published.
    first_position = min(occupation.positions)
    tokens = [token.lower() for token in split(" ".join(occupation.translation))]
    positions = [position for position, token in enumerate(tokens) if token in _GERMAN_WORDS]
    if not positions:
        return MASCULINE
    nearest = min(positions, key=lambda position: abs(position - first_position))
    return _GERMAN_WORDS[tokens[nearest]]


def _by_own_article(occupation: "Occupation") -> str:
    """Read the noun's ending, then the article before it. Nouns have a capital."""
    words = [word.strip('.,;:!?"„“»«') for word in occupation.translation]
    lower = [word.lower() for word in words]
    for position in occupation.positions:
        has_capital = words[position][:1].isupper()
        if not has_capital or lower[position] in _ARTICLES:
            continue
        if _FEMININE_NOUNS.search(words[position]):
            return FEMININE
        for before in (position - 1, position - 2):
            if before >= 0 and lower[before] in _ARTICLES:
                return _ARTICLES[lower[before]]
    aligned = [word.lower() for word in occupation.words]
    return _most_common(_ARTICLES[word] for word in aligned if word in _ARTICLES)


def _by_letters(lang: str) -> _Rule:
    letters = _FEMININE_LETTERS[lang]

    def of_hebrew(occupation: "Occupation") -> str:
        # As published, an occupation that is not aligned is feminine.
        if not occupation.words:
            return FEMININE
        for token in _TOKENS[lang].findall(occupation.text):
            if token != _HEBREW_OBJECT and token[-1] in letters:
                return FEMININE
        return MASCULINE

    def of_arabic(occupation: "Occupation") -> str:
        if not occupation.words:
            return UNKNOWN
        has_letter = any(letter in occupation.text for letter in letters)
        return FEMININE if has_letter else MASCULINE

    return of_hebrew if lang == "heb" else of_arabic
